import type { AnnotationListDocument, AnnotationType } from 'portico/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evil } from '../evil.ts';
import { atFrame, openFilm } from '../first-flows.ts';
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
  violationsInBothSchemes,
} from '../support.ts';

let site: ClosableSite;
let film: string;

const attack = evil('Too dark');
const commentsNow = async (): Promise<readonly AnnotationType[]> =>
  (await site.api<AnnotationListDocument>('GET', `/item/${film}/annotation`)).annotation ?? [];
const listOf = (page: Opened) => page.getByRole('region', { name: 'Comments' });
const rowWith = (page: Opened, text: string) => listOf(page).locator('ul:not(.replies) > li', { hasText: text });
const rowsOf = (page: Opened) => listOf(page).locator('ul:not(.replies) > li[data-id]');
async function sendMany(item: string, count: number, commentAt: (at: number) => AnnotationType): Promise<void> {
  for (let at = 0; at < count; at += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - at) }, (_, each) =>
        site.api('POST', `/item/${item}/annotation`, commentAt(at + each)),
      ),
    );
}
const composerOf = (page: Opened) => page.getByRole('form', { name: 'Comment' });
const textOf = (page: Opened) => composerOf(page).getByLabel('Text of the comment');
const chooseIn = async (row: ReturnType<typeof rowWith>, name: string) => {
  await row
    .getByRole('button', { name: /^Actions for the comment/ })
    .first()
    .click();
  await row.getByRole('menuitem', { name }).click();
};
const sendIn = (page: Opened) => composerOf(page).getByRole('button', { name: 'Send' }).click();

describe.runIf(hasBrowser && hasFfmpeg)('comments on an item', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    film = await importFile(site, (await makeFilm(site, { seconds: 4 }))!);
    for (const group of ['viewer', 'editor']) {
      await site.api('POST', `/item/${film}/access`, { group, permission: 'READ' });
    }
  });
  afterAll(() => site?.close());

  it('are seen at once in another browser, with replies and states', async () => {
    const editor = await openFilm(site, film, 'editor', '?t=1');
    const admin = await openFilm(site, film);
    await atFrame(editor, '00:00:01:00');
    await listOf(admin).getByText('No comments yet.').waitFor();

    await textOf(editor).fill(attack);
    await editor.keyboard.type(' @vie');
    await composerOf(editor).getByRole('option', { name: 'viewer person (viewer)' }).click();
    await expect.poll(() => textOf(editor).inputValue()).toBe(`${attack} @viewer`);
    await composerOf(editor).getByLabel('Assign to viewer person (viewer)').check();
    await composerOf(editor).getByText('At 00:00:01:00').waitFor();
    await sendIn(editor);

    const row = rowWith(admin, attack);
    await row.waitFor();
    await row.getByText('@viewer person', { exact: false }).waitFor();
    expect(await row.locator('img').count()).toBe(0);
    await row.getByText('For viewer').waitFor();
    expect(await commentsNow()).toMatchObject([
      { text: `${attack} @viewer`, start: '25@25', user: 'editor', assignedTo: 'viewer' },
    ]);
    await admin.getByRole('list', { name: 'Comments over time' }).getByRole('button').click();
    await atFrame(admin, '00:00:01:00');
    await admin.keyboard.press('.');
    await row.getByRole('button', { name: '00:00:01:00' }).click();
    await atFrame(admin, '00:00:01:00');

    await row.getByRole('button', { name: 'Reply' }).click();
    await admin.keyboard.type('Brighter now');
    await admin.keyboard.press('Control+Enter');
    const replies = rowWith(editor, attack).getByRole('list', { name: 'Replies' });
    await replies.getByText('Brighter now').waitFor();
    // The reply of another user goes with a comment only where WRITE allows that.
    await chooseIn(rowWith(editor, attack), 'Delete');
    await editor.getByRole('dialog').getByText('Others have replied, so it stays.').waitFor();
    expect(await editor.getByRole('dialog').getByRole('button').count()).toBe(1);
    await editor.keyboard.press('Escape');

    await row.getByLabel('Done').focus();
    await admin.keyboard.press('Space');
    await admin.getByText('The comment is done').waitFor();
    await admin.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await row.getByLabel('Done').check({ force: true });
    await listOf(editor).getByText('None of these.').waitFor();
    await listOf(editor).getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => rowWith(editor, attack).getByLabel('Done').isChecked()).toBe(true);
    await rowWith(editor, attack).getByLabel('Done').uncheck({ force: true });
    await expect.poll(() => row.getByLabel('Done').isChecked()).toBe(false);

    await chooseIn(row, 'Delete');
    await admin.getByRole('dialog').getByText('The reply goes, too.').waitFor();
    await admin.getByRole('dialog').getByText(attack).waitFor();
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await listOf(editor).getByText('No comments yet.').waitFor();
    expect(await commentsNow()).toEqual([]);
    expect(await editor.evaluate(() => 'bad' in globalThis)).toBe(false);
  });

  it('are changed and assigned later by their authors, and are Mine for whom they name', async () => {
    const { id } = await site.api<AnnotationType>('POST', `/item/${film}/annotation`, { text: 'Too drak, @editor' });
    const editor = await openFilm(site, film, 'editor');
    await listOf(editor).getByRole('button', { name: 'Mine' }).click();
    await rowWith(editor, 'Too drak').waitFor();
    expect(
      await rowWith(editor, 'Too drak')
        .getByRole('button', { name: /^Actions/ })
        .count(),
    ).toBe(0);
    const admin = await openFilm(site, film);
    await textOf(admin).fill('Half a thought');
    await chooseIn(rowWith(admin, 'Too drak'), 'Edit');
    await expect.poll(() => textOf(admin).inputValue()).toBe('Too drak, @editor');
    await textOf(admin).fill('Too dark, @editor');
    await composerOf(admin).getByLabel('Assign to editor person (editor)').check();
    await composerOf(admin).getByRole('button', { name: 'Save' }).click();
    await rowWith(editor, 'Too dark').getByText('For editor').waitFor();
    await expect.poll(() => textOf(admin).inputValue()).toBe('Half a thought');
    expect(await commentsNow()).toMatchObject([{ text: 'Too dark, @editor', assignedTo: 'editor', user: 'admin' }]);
    await site.api('DELETE', `/item/${film}/annotation/${id}`);
  });

  it('and the film lead to each other: a mark shows its comment, and a text its time, also once it is done', async () => {
    const path = `/item/${film}/annotation`;
    const ids: string[] = [];
    for (const content of [
      { text: 'Early', start: '25@25', state: 'done', rectangle: 'percent:10,20,30,40' },
      ...Array.from({ length: 12 }, (_, at) => ({ text: `Note ${at}` })),
      { text: 'Late', start: '75@25' },
    ])
      ids.push((await site.api<AnnotationType>('POST', path, content)).id!);
    const page = await openFilm(site, film);
    const marks = page.getByRole('list', { name: 'Comments over time' }).getByRole('button');
    await marks.last().click();
    await atFrame(page, '00:00:03:00');
    await expect.poll(() => rowWith(page, 'Late').getAttribute('aria-current')).toBe('true');
    const isSeen = (text: string) =>
      rowWith(page, text).evaluate((row) => {
        const pane = row.closest('.side-scroll')!.getBoundingClientRect();
        return row.getBoundingClientRect().top >= pane.top && row.getBoundingClientRect().top < pane.bottom;
      });
    await expect.poll(() => isSeen('Late')).toBe(true);
    // Comments that the filter hides are no stop of the keys.
    await page.keyboard.press('[');
    await atFrame(page, '00:00:03:00');
    await marks.first().click();
    await atFrame(page, '00:00:01:00');
    await rowWith(page, 'Early').waitFor();
    await expect.poll(() => page.locator('.picture-parts .part').count()).toBe(1);
    await listOf(page).getByRole('button', { name: 'Open' }).click();
    await rowWith(page, 'Late').getByText('Late').click();
    await atFrame(page, '00:00:03:00');
    await page.keyboard.press('c');
    await page.keyboard.type('New');
    await page.keyboard.press('Control+Enter');
    await rowWith(page, 'New').waitFor();
    await expect.poll(() => isSeen('New')).toBe(true);
    for (const { id } of await commentsNow()) await site.api('DELETE', `${path}/${id}`);
    expect(ids).toHaveLength(14);
  });

  it('mark a part of the picture that the pointer draws and keys move', async () => {
    const page = await openFilm(site, film, 'editor', '?t=2');
    await atFrame(page, '00:00:02:00');
    await composerOf(page).getByRole('button', { name: 'Box' }).click();
    const picture = page.locator('.picture-parts');
    const box = (await picture.boundingBox())!;
    expect(box.width / box.height).toBeCloseTo(640 / 360, 1);
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.75);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.25);
    await page.mouse.up();
    await picture.getByRole('button').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await sendIn(page);
    await expect.poll(async () => (await commentsNow()).length).toBe(1);
    const [made] = await commentsNow();
    const numbers = made!.rectangle!.replace('percent:', '').split(',').map(Number);
    for (const [at, wanted] of [26, 25, 25, 51].entries()) expect(numbers[at]).toBeCloseTo(wanted, 0);
    expect(made).toMatchObject({ start: '50@25', state: 'open' });
    await expect.poll(() => picture.locator('.part').count()).toBe(1);
    await page.keyboard.press('.');
    await expect.poll(() => picture.locator('.part').count()).toBe(0);
    await site.api('DELETE', `/item/${film}/annotation/${made!.id}`);
  });

  it('have drawings by pointer and by keys, which another browser shows at once', async () => {
    const editor = await openFilm(site, film, 'editor', '?t=2');
    const admin = await openFilm(site, film, 'administrator', '?t=2');
    await atFrame(editor, '00:00:02:00');
    await atFrame(admin, '00:00:02:00');
    await composerOf(editor).getByRole('button', { name: 'Pen' }).click();
    const pen = editor.getByRole('button', { name: 'Drawing on the picture' });
    const box = (await pen.boundingBox())!;
    await editor.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.25);
    await editor.mouse.down();
    await editor.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5, { steps: 4 });
    await editor.mouse.up();
    await pen.focus();
    for (const key of ['ArrowRight', 'Space', 'ArrowDown', 'ArrowDown', 'Space', 'Space', 'Backspace'])
      await editor.keyboard.press(key);
    await expect.poll(() => pen.locator('polyline').count()).toBe(2);
    await sendIn(editor);
    await expect.poll(() => admin.locator('.picture-parts > .drawing polyline').count()).toBe(2);
    const [made] = await commentsNow();
    const [first = [], second = []] = [...made!.drawing!.matchAll(/points="([^"]+)"/g)].map(([, points]) =>
      points!.split(' ').map((point) => point.split(',').map(Number)),
    );
    expect(made!.drawing).toContain('viewBox="0 0 640 360"');
    for (const [at, wanted] of [160, 90].entries()) expect(Math.abs(first[0]![at]! - wanted)).toBeLessThan(3);
    for (const [at, wanted] of [320, 180].entries()) expect(Math.abs(first.at(-1)![at]! - wanted)).toBeLessThan(3);
    expect(second).toHaveLength(3);
    expect(second[2]![1]! - second[0]![1]!).toBeCloseTo(13, 0);
    await admin.keyboard.press('.');
    await expect.poll(() => admin.locator('.picture-parts > .drawing').count()).toBe(0);
    // An editor who corrects the drawing is at its frame, and draws on as in a new one.
    await editor.keyboard.press('Escape');
    await editor.getByRole('slider', { name: 'Place in the film' }).press('Home');
    await chooseIn(listOf(editor).locator('li').first(), 'Edit');
    await atFrame(editor, '00:00:02:00');
    await composerOf(editor).getByText('Editing your comment').waitFor();
    await composerOf(editor).getByRole('button', { name: 'Pen' }).click();
    await composerOf(editor).getByRole('button', { name: 'Undo the last line' }).click();
    await composerOf(editor).getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await commentsNow())[0]!.drawing!.split('<polyline').length).toBe(2);
    await expect.poll(() => editor.locator('.picture-parts > .drawing polyline').count()).toBe(1);
    expect((await commentsNow())[0]).toMatchObject({ start: '50@25' });
    await site.api('DELETE', `/item/${film}/annotation/${made!.id}`);
  });

  it('stand beside the approval of the version in the head, which reviewers give and others see at once', async () => {
    const admin = await openFilm(site, film);
    const viewer = await openFilm(site, film, 'viewer');
    const approval = (page: Opened) => page.getByRole('group', { name: 'Approval' });
    const choose = async (page: Opened, name: string | RegExp) => {
      await approval(page)
        .getByRole('button', { name: /^Approval/ })
        .click();
      await page.getByRole('menuitem', { name }).click();
    };
    expect(await approval(viewer).count()).toBe(0);
    await approval(admin).getByText('Not reviewed').waitFor();
    await choose(admin, 'Ask for a review');
    await approval(viewer).getByText('In review').waitFor();
    await choose(admin, 'Reject');
    await admin.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await admin.getByRole('dialog').getByText('Say what is to change.').waitFor();
    await admin.getByRole('dialog').getByLabel('Reason').fill(attack);
    await admin.keyboard.press('Escape');
    // As near as its counterpart.
    await approval(admin).getByRole('button', { name: 'Reject', exact: true }).click();
    expect(await admin.getByRole('dialog').getByLabel('Reason').inputValue()).toBe(attack);
    await admin.keyboard.press('Control+Enter');
    await approval(viewer).getByText('Rejected').waitFor();
    await choose(viewer, 'Versions and reviews');
    await viewer.getByRole('dialog').getByText(attack).waitFor();
    await viewer.keyboard.press('Escape');
    expect(await approval(viewer).getByRole('button').count()).toBe(1);
    await approval(admin).getByRole('button', { name: 'Approve', exact: true }).click();
    await approval(viewer).getByText('Approved').waitFor();
    await choose(admin, 'Approve with a reason');
    await admin.getByRole('dialog').getByLabel('Reason').fill('Ready for the client');
    await admin.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await approval(viewer).getByText('Ready for the client').waitFor();
    await choose(admin, 'Ask for a review');
    await admin
      .getByRole('status')
      .getByText(/: In review$/)
      .waitFor();
    await choose(admin, 'Versions and reviews');
    for (const reason of [attack, 'Ready for the client']) await admin.getByRole('dialog').getByText(reason).waitFor();
    expect(await viewer.evaluate(() => 'bad' in globalThis)).toBe(false);
  });

  it('are all counted and marked, however many there are, and few are drawn', async () => {
    const item = await importFile(site, (await makeFilm(site, { name: 'many.mp4' }))!);
    const { id: parent } = await site.api<AnnotationType>('POST', `/item/${item}/annotation`, { text: 'Talked about' });
    await sendMany(item, 520, (at) => ({ text: `Number ${at}`, start: `${at % 50}@25` }));
    await sendMany(item, 60, (at) => ({ text: `Answer ${at}`, parent }));
    const page = await openFilm(site, item);
    await page.getByRole('tab', { name: 'Comments 521' }).waitFor();
    const [shown, marks] = [rowsOf(page), page.getByRole('list', { name: 'Comments over time' }).getByRole('button')];
    await expect.poll(() => shown.count()).toBeLessThan(60);
    const last = (await marks.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left))).at(-1)!;
    const bar = (await page.locator('.comment-marks').boundingBox())!;
    expect([last > bar.x + bar.width * 0.9, (await marks.count()) < 40]).toEqual([true, true]);
    const replies = rowWith(page, 'Talked about').getByRole('list', { name: 'Replies' }).getByRole('listitem');
    await expect.poll(() => replies.count()).toBe(50);
    await page.getByRole('button', { name: '10 earlier replies' }).click();
    await expect.poll(() => replies.count()).toBe(60);
    // The last mark shows a comment that was not drawn, and the list stays there.
    await marks.last().click();
    await rowWith(page, 'Number 49').first().waitFor();
    await expect.poll(() => shown.count()).toBeLessThan(60);
    await page.locator('.side-scroll').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await expect.poll(() => shown.last().textContent()).toContain('Number 499');
    await shown.last().getByRole('button', { name: 'Reply' }).focus();
    await page.locator('.side-scroll').evaluate((pane) => pane.scrollTo(0, 0));
    await rowWith(page, 'Talked about').waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest('li')?.textContent)).toContain('Number 499');
    await expect.poll(() => shown.count()).toBeLessThan(60);
  });

  it('are read, and not written, without the role', async () => {
    await site.api('POST', `/item/${film}/annotation`, { text: 'Of all of it', state: 'done' });
    const page = await openFilm(site, film, 'viewer');
    await listOf(page).getByRole('button', { name: 'Done' }).click();
    await rowWith(page, 'Of all of it').getByText('Done').waitFor();
    const names = await listOf(page).getByRole('button').allTextContents();
    expect(names).toEqual(['Open', 'Done', 'Mine']);
    expect(await composerOf(page).count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toContain('csv');
  });

  it('are there where nothing can be played, without a time', async () => {
    const [empty] = await seedItems(site, ['Nothing yet']);
    const page = await site.open({ as: 'administrator', at: `/item/${empty}` });
    await page.getByRole('tab', { name: 'Details', selected: true }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Where is it?');
    await page.keyboard.press('Control+Enter');
    await rowWith(page, 'Where is it?').waitFor();
  });

  it.each([1440, 390])('have no violation of WCAG 2.2 AA, %i pixels wide', async (width) => {
    const { id: parent } = await site.api<AnnotationType>('POST', `/item/${film}/annotation`, {
      ...{ text: 'Too dark', start: '25@25', end: '50@25', rectangle: 'percent:10,20,30,40', assignedTo: 'editor' },
    });
    await site.api('POST', `/item/${film}/annotation`, { text: 'Brighter now', parent });
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}?t=1`, viewport: { width, height: 900 } },
    });
    const row = rowWith(page, 'Too dark').first();
    await row.waitFor();
    await composerOf(page).getByRole('button', { name: 'Box' }).click();
    await textOf(page).fill('To @edi');
    await composerOf(page).getByRole('option').first().waitFor();
    // Nothing lies below the composer at the end of the page.
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await bringAxe(page);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await site.api('DELETE', `/item/${film}/annotation/${parent}`);
  });
});
