import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPython, unzipped } from '../../../test/support/zips.ts';
import {
  bringAxe,
  type ClosableSite,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  type Opened,
  openSite,
  seedItems,
  seedStorage,
  violations,
  violationsInBothSchemes,
} from '../support.ts';

let site: ClosableSite;
let film: string;
let ids: string[];
let collection: string;

interface Share {
  readonly id: string;
  readonly token: string;
}

/** Files of guests join it, so that others keep the number of their items. */
let inbox: string;

const shared = (target: string, document: object): Promise<Share> => site.api('POST', `/${target}/share`, document);
const addressOf = ({ token }: Share, item?: string): string => `/s#${token}${item === undefined ? '' : `/${item}`}`;
const viewing = { play: ['original'], download: ['original'] };
/** PNG of one red pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

async function addFile(storage: string, item: string, path: string, mimeType: string, kind: string): Promise<void> {
  const { id: file } = await site.api<{ id: string }>('POST', `/storage/${storage}/file/data?path=${path}`, picture);
  const component = { file: [{ id: file }] };
  await site.api('POST', `/item/${item}/shape/create`, {
    tag: ['original'],
    mimeType: [mimeType],
    [kind]: kind === 'binaryComponent' ? [component] : component,
  });
}

/** Clicks, taps, key commands and typed texts. */
function counting() {
  let count = 0;
  return {
    step: (action: () => Promise<unknown>) => {
      count++;
      return action();
    },
    count: () => count,
  };
}

const tile = (page: Opened, name: string | RegExp) => page.getByRole('link', { name });
const play = (page: Opened) => page.getByRole('button', { name: 'Play', exact: true });
const heading = (page: Opened, name: string) => page.getByRole('heading', { name, exact: true });
const isPlaying = (page: Opened) => page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
const row = (page: Opened, name: string) => page.locator('.sent li', { hasText: name });
const sent = (name: string, bytes: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(bytes, 'x'),
});

async function commentsOn(
  item: string,
): Promise<readonly { text: string; user: string; start?: string; drawing?: string }[]> {
  return (await site.api<{ annotation?: [] }>('GET', `/item/${item}/annotation`)).annotation ?? [];
}

describe.runIf(hasBrowser && hasFfmpeg)('the page for guests of a share', () => {
  beforeAll(async () => {
    site = await openSite();
    const storage = await seedStorage(site);
    film = await importFile(site, (await makeFilm(site, { seconds: 4 }))!, { title: 'Trailer 60s' });
    ids = await seedItems(site, [
      'Rushes day 1, with a very long title that does not fit into two lines of its tile at all',
      'Call sheet',
      'Harbour',
    ]);
    await addFile(storage, ids[1]!, 'sheet.pdf', 'application/pdf', 'binaryComponent');
    await addFile(storage, ids[2]!, 'a.png', 'image/png', 'containerComponent');
    ({ id: collection } = await site.api<{ id: string }>('POST', '/collection?name=Rushes'));
    ({ id: inbox } = await site.api<{ id: string }>('POST', '/collection?name=Inbox'));
    for (const id of [film, ...ids]) await site.api('PUT', `/collection/${collection}/${id}`);
  });
  afterAll(() => site?.close());

  it('plays a film in two steps, and in four where it asks for a name', async () => {
    for (const [asksName, max] of [
      [false, 2],
      [true, 4],
    ] as const) {
      const share = await shared(`collection/${collection}`, { ...viewing, asksName });
      const page = await site.open({ at: addressOf(share) });
      const { step, count } = counting();
      if (asksName) {
        await step(() => page.getByLabel('Your name').fill('Ann'));
        await step(() => page.getByRole('button', { name: 'Open' }).click());
      }
      await step(() =>
        tile(page, /^Trailer 60s/)
          .or(tile(page, /Trailer 60s/))
          .first()
          .click(),
      );
      await step(() => play(page).click());
      await isPlaying(page);
      expect(count()).toBeLessThanOrEqual(max);
    }
  });

  it('asks for name and password, and shows names, kinds, and a symbol for what has no picture', async () => {
    const terms = { ...viewing, title: 'Rushes of Monday', password: 'open sesame', asksName: true };
    const share = await shared(`collection/${collection}`, terms);
    const page = await site.open({ at: addressOf(share) });
    await page.getByLabel('Your name').fill('Ann');
    await page.getByLabel('Password of the link').fill('wrong');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This is not the password.').waitFor();
    await page.getByLabel('Password of the link').fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await heading(page, 'Rushes of Monday').waitFor();
    await tile(page, /Harbour/).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(4);
    await tile(page, /Call sheet.*Document/s)
      .getByText('PDF')
      .waitFor();
    await tile(page, /Trailer 60s.*Film/s).waitFor();
    await tile(page, /Harbour.*Picture/s).waitFor();
    expect(await violations(page)).toEqual([]);
    await tile(page, /Harbour/).click();
    await page.getByRole('img', { name: 'Harbour' }).waitFor();
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await site.api('GET', `/share/${share.id}`)).toMatchObject({ used: 1 });
  });

  it.runIf(hasPython)('downloads all in one step, by the names of the tiles', async () => {
    const page = await site.open({ at: addressOf(await shared(`collection/${collection}`, viewing)) });
    const link = page.getByRole('link', { name: /^Download all, \d/ });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('Rushes.zip');
    const names = unzipped(await readFile(await download.path())).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Call sheet.pdf', 'Harbour.png', 'Trailer 60s.mp4', 'not-included.txt']);
  });

  it('comments on the frame seen in two steps, draws, replies, and keeps what is not sent', async () => {
    const share = await shared(`collection/${collection}`, { ...viewing, comment: true, asksName: true });
    const page = await site.open({ at: addressOf(share, film) });
    await page.getByLabel('Your name').fill('Greta');
    await page.getByRole('button', { name: 'Open' }).click();
    await play(page).waitFor();
    for (let count = 0; count < 37; count++) await page.keyboard.press('.');
    const { step, count } = counting();
    const text = page.getByRole('textbox', { name: 'Text of the comment' });
    await step(() => text.fill('Logo <b>too big</b>'));
    await step(() => page.getByRole('button', { name: 'Send' }).click());
    expect(count()).toBe(2);
    const list = page.getByRole('region', { name: 'Comments' });
    await list.getByText('Logo <b>too big</b>').waitFor();
    // The frame is that of a cut list: 1.5 seconds are 1 second and 12 frames.
    await list.getByRole('button', { name: '00:00:01:12' }).waitFor();
    expect(await commentsOn(film)).toMatchObject([{ user: 'guest:Greta', start: '37@25' }]);
    await page.getByRole('button', { name: 'Pen', exact: true }).click();
    const box = (await page.locator('.pen').boundingBox())!;
    await page.mouse.move(box.x + 40, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 90, { steps: 4 });
    await page.mouse.up();
    // Text that is typed before the answer is of the next comment.
    const asked = new Promise<() => void>((resolve) => {
      void page.route('**/annotation', (route) => resolve(() => void route.continue()), { times: 1 });
    });
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = await asked;
    await text.fill('Half a thought');
    answer();
    await vi.waitFor(async () => expect((await commentsOn(film))[1]?.drawing).toContain('<polyline'), {
      timeout: 15_000,
    });
    await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
    await site.api('POST', `/item/${film}/annotation`, {
      text: 'Smaller now',
      parent: (await site.api<{ annotation: { id: string }[] }>('GET', `/item/${film}/annotation`)).annotation[0]!.id,
    });
    expect(await text.inputValue()).toBe('Half a thought');
    await page.reload();
    await page.getByText('Smaller now').waitFor();
    expect(await text.inputValue()).toBe('Half a thought');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'All' }).click();
    await tile(page, /Trailer 60s.*3 comments/s).waitFor();
  });

  it('heads a link to one item with its title, sender, end and note, and so the page before it is open', async () => {
    const terms = { ...viewing, title: 'For Ann', note: 'The logo?', ends: '2999-12-12T00:00:00Z' };
    const page = await site.open({ at: addressOf(await shared(`item/${film}`, terms)) });
    await heading(page, 'For Ann').waitFor();
    await page.getByText('Trailer 60s').waitFor();
    await page.getByText(/until .*The logo\?/i).waitFor();
    const asking = await site.open({ at: addressOf(await shared(`item/${film}`, { ...terms, asksName: true })) });
    await heading(asking, 'For Ann').waitFor();
    await asking.getByText('The logo?').waitFor();
    const closed = { ...terms, password: 'open sesame' };
    const locked = await site.open({ at: addressOf(await shared(`item/${film}`, closed)) });
    await heading(locked, 'Shared with you').waitFor();
    expect(await locked.getByText('The logo?').count()).toBe(0);
  });

  it('shows pictures as they are, enlarges them, and opens a PDF in a tab, without a download', async () => {
    const page = await site.open({ at: addressOf(await shared(`item/${ids[2]}`, { allow: ['play'] })) });
    const shown = page.getByRole('img', { name: 'Harbour' });
    await shown.waitFor();
    expect(await shown.getAttribute('src')).toContain('/shape/');
    await page.getByRole('button', { name: 'Whole screen' }).click();
    const large = page.getByRole('dialog', { name: 'Harbour' });
    await large.waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
    expect(await page.getByText('nothing to play').count()).toBe(0);
    const sheet = await site.open({ at: addressOf(await shared(`item/${ids[1]}`, { allow: ['play'] })) });
    const link = sheet.getByRole('link', { name: 'Open the document' });
    expect(await link.getAttribute('target')).toBe('_blank');
    // Where the browser has a viewer, it is read beside the comments.
    expect(await sheet.locator('iframe').getAttribute('src')).toBe(`${await link.getAttribute('href')}#navpanes=0`);
    const answer = await sheet.request.get(new URL((await link.getAttribute('href'))!, site.address).href);
    expect(answer.headers()['content-type']).toBe('application/pdf');
    expect(await sheet.getByRole('link', { name: 'Download' }).count()).toBe(0);
    sheet.refused.splice(0);
  });

  it('signs comments with a name that is given with the words, and shows answers and the end of the link by itself', async () => {
    const share = await shared(`item/${film}`, { ...viewing, comment: true });
    const page = await site.open({ at: addressOf(share) });
    const text = page.getByRole('textbox', { name: 'Text of the comment' });
    await text.fill('Too dark');
    await page.getByRole('textbox', { name: 'Your name (optional)' }).fill('Ann');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Ann (you)').waitFor();
    const own = (await commentsOn(film)).find((each) => each.text === 'Too dark')!;
    expect(own.user).toBe('guest:Ann');
    await text.fill('Now');
    expect(await page.getByRole('textbox', { name: 'Your name (optional)' }).count()).toBe(0);
    await text.fill('');
    await page.getByRole('button', { name: 'Actions for the comment of Ann (you)' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The comment is deleted.').waitFor();
    await expect.poll(() => page.getByText('Ann (you)').count()).toBe(0);
    expect(await text.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Ann (you)').waitFor();
    const { id: parent, start } = (await commentsOn(film)).at(-1) as unknown as { id: string; start?: string };
    expect([(await commentsOn(film)).at(-1)?.text, start]).toEqual(['Too dark', own.start]);
    await site.api('POST', `/item/${film}/annotation`, { text: 'Brighter now', parent });
    const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await look();
    await page.getByText('Brighter now').waitFor();
    const { from = 'The sender of the link' } = await page.evaluate(
      async (token): Promise<{ from?: string }> =>
        (
          await fetch('/APInoauth/share', {
            method: 'POST',
            body: JSON.stringify({ token }),
            headers: { 'content-type': 'application/json', accept: 'application/json' },
          })
        ).json(),
      share.token,
    );
    await page.locator('.replies .name', { hasText: from }).waitFor();
    await page.getByRole('button', { name: 'Actions for the comment of Ann (you)' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('It has replies, so it stays.').waitFor();
    expect(await page.getByText('Ann (you)').count()).toBe(1);
    await page.getByRole('button', { name: 'Actions for the comment of Ann (you)' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(await text.inputValue()).toBe('Too dark');
    await text.fill('Too dark at the left');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.comment-text', { hasText: 'Too dark at the left' }).waitFor();
    expect(await text.inputValue()).toBe('');
    await site.api('DELETE', `/share/${share.id}`);
    await look();
    await page.getByText('This link is not open.').waitFor();
    page.refused.splice(0);
  });

  it('counts the comments of an item in the list at once, also one that is deleted', async () => {
    const share = await shared(`collection/${collection}`, { ...viewing, comment: true });
    const list = await site.open({ at: addressOf(share) });
    await tile(list, /Harbour/).click();
    await list.getByRole('textbox', { name: 'Your name (optional)' }).fill('Bea');
    await list.getByRole('textbox', { name: 'Text of the comment' }).fill('Nice');
    await list.getByRole('button', { name: 'Send' }).click();
    await list.getByText('Bea (you)').waitFor();
    await list.goBack();
    await tile(list, /Harbour.*1 comment/s).waitFor();
    await list.goForward();
    await list.getByRole('button', { name: 'Actions for the comment of Bea (you)' }).click();
    await list.getByRole('menuitem', { name: 'Delete' }).click();
    await list.getByText('The comment is deleted.').waitFor();
    await expect.poll(() => list.getByText('Bea (you)').count()).toBe(0);
    await list.goBack();
    await tile(list, /Harbour/).waitFor();
    expect(await tile(list, /Harbour.*comment/s).count()).toBe(0);
  });

  it.each([
    [320, 640],
    [390, 844],
    [844, 390],
  ])('has film, one row of controls and the comments in a window of %i by %i pixels', async (width, height) => {
    const share = await shared(`collection/${collection}`, { ...viewing, comment: true });
    const page = await site.open({
      ...{ at: addressOf(share, film), viewport: { width, height }, hasTouch: true, isMobile: true },
    });
    await play(page).waitFor();
    const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    const centres = await page
      .locator('.controls > :is(button, .menu)')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ y, height }) => y + height / 2));
    expect(Math.max(...centres) - Math.min(...centres)).toBeLessThan(4);
    const [stage, composer] = [await boxOf('.stage video'), await boxOf('.composer')];
    expect(composer.y + composer.height).toBeLessThanOrEqual(height);
    if (width < 800) return expect(stage.y + stage.height).toBeLessThanOrEqual(composer.y);
    expect(stage.x + stage.width).toBeLessThanOrEqual(composer.x);
    expect(Math.min(stage.width, (stage.height * 16) / 9)).toBeGreaterThan(350);
    expect((await boxOf('.controls')).y + 44).toBeLessThanOrEqual(height);
    return expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(height);
  });

  it('goes on where the film stood when the page is loaded again', async () => {
    const page = await site.open({ at: addressOf(await shared(`item/${film}`, viewing)) });
    await play(page).waitFor();
    // Letters of who types beside a field do nothing.
    for (const letter of ['f', 'i', 'o', 'l']) await page.keyboard.press(letter);
    expect(await page.evaluate(() => document.fullscreenElement)).toBe(null);
    expect(await page.locator('.marks').count()).toBe(0);
    await play(page).focus();
    await page.keyboard.press('i');
    await page.locator('.marks').waitFor();
    for (let count = 0; count < 37; count++) await page.keyboard.press('.');
    const time = page.getByRole('textbox', { name: 'Time code' });
    await expect.poll(() => time.inputValue()).toBe('00:00:01:12');
    await page.reload();
    await expect.poll(() => time.inputValue()).toBe('00:00:01:12');
  });

  it('sends chosen files in one step: of four, two are refused, and each has its row and outcome', async () => {
    const share = await shared(`collection/${inbox}`, { look: false, upload: { files: 2, bytes: 1000 } });
    const page = await site.open({ at: addressOf(share) });
    const input = page.getByLabel('Drop files here, or choose some');
    await input.setInputFiles([sent('a.bin', 100), sent('large.bin', 2000), sent('b.bin', 100), sent('c.bin', 100)]);
    for (const [name, outcome] of [
      ['a.bin', 'Has arrived'],
      ['large.bin', /^Too big: it has 2 kB, and [\d,]+ (bytes|kB) are left/],
      ['b.bin', 'Has arrived'],
      ['c.bin', 'The link takes no more files'],
    ] as const)
      await row(page, name).getByText(outcome).waitFor();
    expect(await page.locator('.sent li').count()).toBe(4);
    await page.getByText('2 of 4 arrived').waitFor();
    await page.locator('.drop').getByText('The link takes no more files').waitFor();
    expect([await input.isDisabled(), await page.getByRole('button', { name: /^Send / }).count()]).toEqual([true, 0]);
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await site.api('PUT', `/share/${share.id}`, { look: false, upload: { files: 3, bytes: 1000 } });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByRole('button', { name: 'Send c.bin again' }).click();
    await row(page, 'c.bin').getByText('Has arrived').waitFor();
    page.refused.splice(0);
  });

  it('goes on with a file where its connection broke, and gives its place back when it is cancelled', async () => {
    const share = await shared(`collection/${inbox}`, { look: false, upload: { files: 1, bytes: 1000 } });
    const page = await site.open({ at: addressOf(share) });
    let isBroken = true;
    await page.route(/\/upload\//, (route) =>
      isBroken && route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const input = page.getByLabel('Drop files here, or choose some');
    await input.setInputFiles(sent('a.bin', 500));
    await row(page, 'a.bin').getByText('Waits for the connection').waitFor();
    await page.getByRole('button', { name: 'Cancel a.bin' }).click();
    await row(page, 'a.bin').getByText('Cancelled').waitFor();
    await page.getByText('1 file and 1 kB are left.').waitFor();
    await input.setInputFiles(sent('b.bin', 500));
    await row(page, 'b.bin').getByText('Waits for the connection').waitFor();
    const again = page.getByRole('button', { name: 'Send b.bin again' });
    await again.waitFor();
    isBroken = false;
    // A pause may be over first: the file goes on by itself then.
    await again.click({ timeout: 2_000 }).catch(() => undefined);
    await row(page, 'b.bin').getByText('Has arrived').waitFor();
    expect(await site.api('GET', `/share/${share.id}`)).toMatchObject({ uploaded: { files: 1, bytes: 500 } });
    page.refused.splice(0);
  });

  it('warns before it is left while files are sent, and goes on with those that are chosen again', async () => {
    const share = await shared(`collection/${inbox}`, { look: false, upload: { files: 2, bytes: 1000 } });
    const page = await site.open({ at: addressOf(share) });
    let isBroken = true;
    await page.route(/\/upload\//, (route) =>
      isBroken && route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const leaves = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
    const folder = await mkdtemp(join(tmpdir(), 'portico-sent-'));
    const file = join(folder, 'rushes.bin');
    await writeFile(file, 'x'.repeat(500));
    const input = page.getByLabel('Drop files here, or choose some');
    expect(await leaves()).toBe(true);
    await input.setInputFiles(file);
    await row(page, 'rushes.bin').getByText('Waits for the connection').waitFor();
    expect(await leaves()).toBe(false);
    await page.reload();
    await page.getByText('1 file was not sent whole when the page was left.').waitFor();
    await row(page, 'rushes.bin').getByText('Was not sent whole: choose it again').waitFor();
    isBroken = false;
    await input.setInputFiles(file);
    await row(page, 'rushes.bin').getByText('Has arrived').waitFor();
    await page.getByText('1 file and 500 bytes are left.').waitFor();
    expect(await leaves()).toBe(true);
    await page.reload();
    await row(page, 'rushes.bin').getByText('Has arrived').waitFor();
    await page.getByText('1 of 1 arrived').waitFor();
    await rm(folder, { recursive: true });
    page.refused.splice(0);
  });

  it('takes a file that is dropped beside the frame, refuses an empty one, and tells the member from whom it came', async () => {
    const drop = { title: 'Rushes', look: false, asksName: true, upload: { files: 2, bytes: 1000 } };
    const share = await shared(`collection/${inbox}`, drop);
    const page = await site.open({ at: addressOf(share) });
    await page.getByLabel('Your name').fill('Bo Ek');
    await page.keyboard.press('Enter');
    await page.getByText('2 files and 1 kB are left.').waitFor();
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of [
        ['beside.bin', 'x'],
        ['empty.bin', ''],
      ] as const)
        dataTransfer.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await row(page, 'beside.bin').getByText('Has arrived').waitFor();
    await row(page, 'empty.bin').getByText('The file is empty').waitFor();
    await page.getByText('1 file and 999 bytes are left.').waitFor();
    const member = await site.open({ as: 'administrator', at: '/links' });
    const link = member.locator('.links > li', { hasText: 'Rushes' });
    await link.getByRole('button', { name: '1 file received' }).click();
    const list = member.getByRole('dialog', { name: 'Files through “Rushes”' });
    await list.getByText('Bo Ek').waitFor();
    await list.getByRole('link', { name: 'beside.bin' }).click();
    await member.getByRole('tab', { name: 'Details' }).click();
    await member.getByText('Bo Ek, through the link “Rushes”').waitFor();
  });

  it('takes a name with files, and tells which of them cannot be read, also after the page is loaded again', async () => {
    const share = await shared(`collection/${inbox}`, { look: false, upload: { files: 2, bytes: 1000 } });
    const page = await site.open({ at: addressOf(share) });
    await page.getByRole('textbox', { name: 'Your name (optional)' }).fill('Cia');
    await page
      .getByLabel('Drop files here, or choose some')
      .setInputFiles([sent('broken.mp4', 300), sent('note.bin', 10)]);
    await row(page, 'broken.mp4').getByText('Has arrived, but cannot be read as media').waitFor();
    await row(page, 'note.bin').getByText('Has arrived', { exact: true }).waitFor();
    await page.getByText('2 of 2 arrived').waitFor();
    await page.getByText('Cia', { exact: true }).waitFor();
    const { use } = await site.api<{ use: { name: string }[] }>('GET', `/share/${share.id}/use`);
    expect(use.map(({ name }) => name)).toEqual(['Cia']);
    await page.reload();
    await row(page, 'broken.mp4').getByText('Has arrived, but cannot be read as media').waitFor();
    expect(await row(page, 'note.bin').locator('.buttons button').count()).toBe(0);
  });

  it('has an address for each item: Back goes to the list, and neighbours are a step away', async () => {
    const share = await shared(`collection/${collection}`, viewing);
    const page = await site.open({ at: addressOf(share) });
    const tiles = page.locator('.tile');
    await tiles.nth(3).waitFor();
    const [first, second] = (await page.locator('.tile .name').allTextContents()) as [string, string];
    const items = await tiles.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    await tiles.first().click();
    await heading(page, first).waitFor();
    expect(new URL(page.url()).hash).toBe(items[0]);
    expect(items[0]).toMatch(new RegExp(`^#${share.token}/VX-\\d+$`));
    await page.getByText('1 of 4').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('2 of 4').waitFor();
    await heading(page, second).waitFor();
    await page.goBack();
    await heading(page, first).waitFor();
    await page.goBack();
    await tiles.first().waitFor();
    await page.goForward();
    await page.reload();
    await heading(page, first).waitFor();
    await page.getByText('1 of 4').waitFor();
    await page.getByRole('link', { name: 'All' }).click();
    await tiles.nth(3).waitFor();
  });

  it('shows another link in the same tab, and both stay open side by side', async () => {
    const [one, two] = [
      await shared(`collection/${collection}`, { ...viewing, title: 'First link' }),
      await shared(`item/${film}`, { ...viewing, title: 'Second link' }),
    ];
    const page = await site.open({ at: addressOf(one) });
    await heading(page, 'First link').waitFor();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#${two.token}`);
    await heading(page, 'Second link').waitFor();
    await page.goBack();
    await heading(page, 'First link').waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => /-share-\d+$/.test(name))).toHaveLength(2);
    for (const { id } of [one, two]) expect(await site.api('GET', `/share/${id}`)).toMatchObject({ used: 1 });
  });

  it.each([
    [320, 640],
    [390, 844],
    [768, 1024],
    [1024, 768],
    [1366, 800],
    [1920, 1080],
  ])('is as wide as a window of %i by %i pixels, and controls of phones are 44 pixels high', async (width, height) => {
    const more = { ...viewing, comment: true, upload: { files: 1, bytes: 1000 } };
    const share = await shared(`collection/${collection}`, {
      ...more,
      title: 'AVeryLongTitleWithoutAnyBlank'.repeat(4),
    });
    const page = await site.open({ at: addressOf(share), viewport: { width, height }, hasTouch: width < 800 });
    const check = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await bringAxe(page);
      expect(await violationsInBothSchemes(page)).toEqual([]);
      if (width >= 768) return;
      const low = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main:not([hidden]) :is(a.button, button.button, .head a)')]
          .filter((each) => each.offsetHeight > 0 && each.offsetHeight < 44 && !each.closest('.comments'))
          .map((each) => each.outerHTML.slice(0, 80)),
      );
      expect(low).toEqual([]);
    };
    await tile(page, /Trailer 60s/).waitFor();
    await page.getByText(/Drop files here|Choose files/).waitFor();
    await check();
    await tile(page, /Trailer 60s/).click();
    await play(page).waitFor();
    await check();
  });

  it('says that a link is not open, in the language of the browser, and loads nothing of the other page', async () => {
    const page = await site.open({ at: `/s#${'A'.repeat(22)}`, locale: 'sv-SE' });
    await page.getByText('Länken är inte öppen.').waitFor();
    await page.evaluate(() => {
      location.hash = '#AAAA';
    });
    await page.getByText('Adressen är inte hel.').waitFor();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    const answer = await fetch(`${site.address}/ui/s`);
    const text = await answer.text();
    // The document names all of its files, and those of the first view are its own or shared.
    expect(
      loaded.filter((path) => path.startsWith('/ui/') && !text.includes(path) && !path.includes('/sprite-')),
    ).toEqual([]);
    expect(text).toContain('<meta property="og:title" content="Shared with you">');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    page.refused.splice(0);
  });
});
