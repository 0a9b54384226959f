import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atFrame, attack, itPlays, openFilm, timecode } from '../first-flows.ts';
import {
  bringAxe,
  type ClosableSite,
  endOfJob,
  hasBrowser,
  hasFfmpeg,
  importFile,
  type Kind,
  makeFilm,
  metadataOf,
  openSite,
  seedItems,
  seedStorage,
  violations,
  violationsInBothSchemes,
} from '../support.ts';

let site: ClosableSite;
let film: string;

const open = (as?: Kind, at?: string) => openFilm(site, film, as, at);
const titleNow = async (): Promise<string> => {
  const answer = await site.api<{ item: { metadata: { timespan: { field: { value: { value: string }[] }[] }[] } }[] }>(
    'GET',
    `/item/${film}/metadata?field=title&interval=generic`,
  );
  return answer.item[0]!.metadata.timespan[0]!.field[0]!.value.map(({ value }) => value).join();
};
const spansNow = async (): Promise<readonly (string | undefined)[]> => {
  const answer = await site.api<{ item: { metadata: { timespan: { start: string; end: string }[] } }[] }>(
    'GET',
    `/item/${film}/metadata`,
  );
  return answer.item[0]!.metadata.timespan.filter(({ start }) => start !== '-INF').map(
    ({ start, end }) => `${start} ${end}`,
  );
};

describe.runIf(hasBrowser && hasFfmpeg)('the page of an item', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    film = await importFile(site, (await makeFilm(site, { seconds: 4 }))!, { title: attack });
    await site.api('PUT', '/metadata-field/film_year', {
      ...{ name: 'film_year', type: 'integer' },
      integerRestriction: { minInclusive: 1888, maxInclusive: 2100 },
    });
    await site.api('PUT', '/metadata-field/field-group/film', {
      name: 'film',
      field: [{ name: 'film_year' }, { name: 'title' }],
    });
    await site.api('PUT', `/item/${film}/field-group/film`);
  });
  afterAll(() => site.close());

  it('plays in the list at the first press of Space, and stops at the next', async () => {
    const page = await site.open({ as: 'administrator', at: '/?sort=created' });
    await page.locator('#entry-0 .tile').waitFor();
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /later-/.test(name)));
    await page.getByRole('grid').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('.panel video')?.paused === false);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('.panel video')?.paused);
  });

  itPlays(
    () => site,
    () => film,
  );

  it('runs backwards by J and faster by L, and marks a part', async () => {
    const page = await open('administrator', '?t=3');
    await page.keyboard.press('j');
    await expect.poll(() => timecode(page)).toMatch(/^00:00:0[012]/);
    await page.keyboard.press('k');
    await page.keyboard.press('l');
    await page.keyboard.press('l');
    expect(await page.evaluate(() => document.querySelector('video')!.playbackRate)).toBe(2);
    await page.keyboard.press('k');
    await page.keyboard.press('i');
    await page.keyboard.press('.');
    await page.keyboard.press('o');
    await page.locator('.marks', { hasText: '0.08 s' }).waitFor();
  });

  it.each([
    ['25', '00:00:01:00', '00:00:01:10'],
    ['30000/1001', '00:00:00:29', '00:00:01:09'],
  ])(
    'takes the in and the out of the player as the first and the last frame of an entry, at %s frames',
    async (rate, first, last) => {
      const own = await importFile(site, (await makeFilm(site, { name: 'own.mp4', rate }))!);
      const page = await openFilm(site, own, 'administrator', '?t=1');
      await atFrame(page, first);
      await page.keyboard.press('i');
      for (let step = 0; step < 10; step += 1) await page.keyboard.press('.');
      await atFrame(page, last);
      await page.keyboard.press('o');
      await page.locator('.marks').getByTitle(last).waitFor();
      await page.keyboard.press('n');
      const dialog = page.locator('dialog');
      const ends = async () => [
        await dialog.getByLabel('From').inputValue(),
        await dialog.getByLabel('To', { exact: true }).inputValue(),
      ];
      expect(await ends()).toEqual([first, last]);
      await dialog.locator('textarea').fill('From in to out');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: /^From in to out, / }).press('Enter');
      await dialog.waitFor();
      expect(await ends()).toEqual([first, last]);
    },
  );

  it('stands still while a timed entry is written', async () => {
    const page = await open('administrator');
    const video = page.locator('video');
    await page.keyboard.press('k');
    await page.keyboard.press(' ');
    await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.paused)).toBe(false);
    await page.keyboard.press('n');
    await page.locator('dialog textarea').waitFor();
    expect(await video.evaluate((film: HTMLVideoElement) => film.paused)).toBe(true);
  });

  it('makes, moves, edits and removes timed entries by keys, shows them as captions, and takes a change back', async () => {
    const page = await open('administrator', '?t=1');
    await atFrame(page, '00:00:01:00');
    await page.keyboard.press('n');
    await page.locator('dialog textarea').fill('Hello <b>there</b>');
    await page.keyboard.press('Control+Enter');
    const bar = page.getByRole('button', { name: /^Hello <b>there<\/b>, / });
    await bar.waitFor();
    expect(await spansNow()).toEqual(['25@25 75@25']);
    await bar.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(spansNow).toEqual(['27@25 76@25']);
    await page.locator('.toast', { hasText: 'moved' }).waitFor();
    await page.getByRole('button', { name: 'Captions' }).click();
    await expect.poll(() => page.evaluate(() => document.querySelector('video')!.textTracks[0]?.cues?.length)).toBe(1);
    await page.keyboard.press('Home');
    await page.locator('.seek').focus();
    await page.keyboard.press('Home');
    await atFrame(page, '00:00:00:00');
    await page.keyboard.press(']');
    await atFrame(page, '00:00:01:02');
    await bar.focus();
    await page.keyboard.press('Delete');
    await expect.poll(spansNow).toEqual([]);
    await page.locator('.toast', { hasText: 'removed' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(spansNow).toEqual(['27@25 76@25']);
  });

  it('edits metadata by the definitions, tells what is wrong beside the field, and takes a change back', async () => {
    const page = await open('administrator', '?tab=metadata');
    const year = page.getByRole('textbox', { name: 'Film year' });
    await year.fill('1700');
    await page.getByText('Expected at least 1,888').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await year.fill('1999');
    await page.getByText('One change', { exact: true }).waitFor();
    await year.press('Control+Enter');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(await year.inputValue()).toBe('1999');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Film year' }).inputValue()).toBe('');
  });

  it('has stars, chips, buttons, a list, a switch and a day, and saves them together', async () => {
    const choices = (...keys: string[]) => ({
      values: { field: keys.map((key) => ({ key, value: key.toUpperCase() })) },
    });
    const single = { schema: { min: 0, max: 1 } };
    const fields = {
      a_stars: { type: 'integer', ...single, integerRestriction: { minInclusive: 1, maxInclusive: 5 } },
      a_words: { type: 'string-exact', data: [{ key: 'facet', value: 'true' }] },
      a_few: { type: 'string-exact', ...single, ...choices('red', 'green') },
      a_many: { type: 'string-exact', ...single, ...choices(...'abcdefgh') },
      a_flag: { type: 'boolean', ...single },
      a_day: { type: 'date', ...single },
    };
    for (const [name, field] of Object.entries(fields))
      await site.api('PUT', `/metadata-field/${name}`, { name, ...field });
    const members = Object.entries(fields).map(([name, field]) => ({ name, ...('schema' in field && single) }));
    const group = { name: 'all', field: members };
    await site.api('PUT', '/metadata-field/field-group/all', group);
    const [other, item] = await seedItems(site, ['Other', 'Described']);
    await site.api('PUT', `/item/${other}/metadata`, metadataOf({ a_words: 'harbour' }));
    await site.api('PUT', `/item/${item}/field-group/all`);
    const page = await site.open({ as: 'administrator', at: `/item/${item}`, viewport: { width: 390, height: 844 } });
    await page.getByRole('radiogroup', { name: 'A stars' }).getByLabel('4 stars').check();
    const words = page.getByRole('combobox', { name: 'A words' });
    await words.click();
    await expect.poll(() => page.locator('datalist option').first().getAttribute('value')).toBe('harbour');
    // A browser without a window shows no list: the event is that of a choice.
    await words.evaluate((field: HTMLInputElement) => {
      field.value = 'harbour';
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
    });
    await expect.poll(() => words.inputValue()).toBe('');
    // A word that is there is typed on.
    await words.pressSequentially('harbour wall');
    await words.press('Enter');
    await words.fill('night, fog');
    await words.press('Enter');
    await page.getByRole('radiogroup', { name: 'A few' }).getByText('GREEN').click();
    await page.getByRole('combobox', { name: 'A many' }).selectOption('H');
    await page.getByRole('switch', { name: 'A flag' }).check();
    await page.getByLabel('A day').fill('2026-11-25');
    await page.getByText('6 changes', { exact: true }).waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.querySelector('main')!.scrollWidth <= innerWidth)).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    const { terse } = await site.api<{ terse: Record<string, { value: string }[]> }>(
      'GET',
      `/item/${item}?content=metadata&terse=true`,
    );
    const written = Object.keys(fields).map((name) => terse[name]!.map(({ value }) => String(value)).join());
    expect(written).toEqual(['4', 'harbour,harbour wall,night,fog', 'green', 'h', 'true', '2026-11-25']);
  });

  it('shows what a second person has written meanwhile, beside what was typed', async () => {
    const page = await open('administrator', '?tab=metadata');
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Mine');
    await site.api('PUT', `/item/${film}/metadata`, metadataOf({ title: 'Theirs' }), 'administrator');
    await title.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this, too' });
    await dialog.getByText('From Administrator: Theirs').waitFor();
    expect(await titleNow()).toBe('Theirs');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(await titleNow()).toBe('Mine');
    await site.api('PUT', `/item/${film}/metadata`, metadataOf({ title: attack }));
  });

  it('lets a viewer in who was given access: the film plays, and no control of editors is there', async () => {
    const admin = await open('administrator', '?tab=access');
    await admin.getByLabel('To a').selectOption('user');
    await admin.getByLabel('Name', { exact: true }).fill('viewer');
    await admin.getByRole('button', { name: 'Give', exact: true }).click();
    await admin.getByRole('cell', { name: 'viewer person', exact: true }).waitFor();
    await admin.getByRole('textbox', { name: 'User' }).fill('viewer');
    await admin.getByRole('button', { name: 'Explain' }).click();
    await admin.getByRole('status').getByText('READ').first().waitFor();
    const page = await open('viewer');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('video')!.currentTime > 0.1);
    await page.keyboard.press('k');
    // Space presses the focused button, and the film stays paused.
    const frame = () => page.getByRole('textbox', { name: 'Time code' }).inputValue();
    const before = await frame();
    await page.getByRole('button', { name: 'One frame on' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(frame).not.toBe(before);
    expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).paused)).toBe(true);
    for (const name of ['Timed entry', 'Save', 'Delete']) {
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    }
    expect(await page.getByRole('tab').allTextContents()).not.toContain('Access');
    expect(await page.locator('.form .input').count()).toBe(0);
    // The sound of this film has not been measured.
    expect(page.refused.filter((each) => !each.includes('/waveform/'))).toEqual([]);
  });

  it('gives the item to another owner, for who owns it', async () => {
    const page = await open('administrator', '?tab=access');
    const ownerNow = async () => {
      const { access } = await site.api<{ access: { permission: string; username: string; superUser: boolean }[] }>(
        'GET',
        `/item/${film}/merged-access`,
      );
      return access.filter((each) => each.permission === 'OWNER' && !each.superUser).map(({ username }) => username);
    };
    const form = page.getByRole('form', { name: 'Owner' });
    await form.getByLabel('New owner').fill('editor');
    await form.getByRole('button').click();
    await expect.poll(ownerNow).toEqual(['editor']);
    await expect.poll(() => form.getByLabel('New owner').inputValue()).toBe('');
    await form.getByLabel('New owner').fill('admin');
    await form.getByRole('button').click();
    await expect.poll(ownerNow).toEqual(['admin']);
  });

  it('makes another form and shows how far it is', async () => {
    await site.api('PUT', '/shape-tag/small', {
      ...{ format: 'mp4', name: 'small' },
      video: { codec: 'h264', scaling: { width: 160, height: 90 } },
      audio: { codec: 'aac' },
    });
    const page = await open('administrator', '?tab=files');
    await page.getByRole('button', { name: 'Make a format' }).click();
    await page.locator('dialog select').selectOption('small');
    await page.locator('dialog button[type=submit]').click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Jobs' }).click();
    const { job } = await site.api<{ job: { jobId: string }[] }>('GET', '/job?user=false&sort=jobId%20desc&number=1');
    await page
      .getByRole('link', { name: /transcode/i })
      .first()
      .waitFor();
    await endOfJob(site, job[0]!.jobId);
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('region', { name: 'small' }).waitFor();
  });

  it('shows two versions side by side: they run together by frames, and what differs is told', async () => {
    const path = (await makeFilm(site, { seconds: 3, name: 'shorter.mp4' }))!;
    const { jobId } = await site.api<{ readonly jobId: string }>(
      ...(['POST', `/item/${film}/shape/essence/raw?filename=shorter.mp4&tag=original`, await readFile(path)] as const),
    );
    await endOfJob(site, jobId);
    const page = await site.open({ as: 'administrator', at: `/item/${film}?tab=files` });
    await page.getByRole('button', { name: 'Compare versions' }).click();
    const films = () =>
      page.evaluate(() => [...document.querySelectorAll('video')].map((each) => [each.readyState, each.currentTime]));
    const stand = async (at: number) => {
      const shown = [expect.anything(), expect.closeTo(at, 3)];
      await expect.poll(films).toEqual([shown, shown]);
    };
    await expect.poll(async () => (await films()).every(([ready]) => ready! >= 2)).toBe(true);
    await stand(0.02);
    await page.keyboard.press('.');
    await stand(0.06);
    await page.keyboard.press('Space');
    await expect.poll(async () => (await films())[0]![1]).toBeGreaterThan(1);
    const [[, one], [, other]] = (await films()) as [number[], number[]];
    expect(Math.abs(one! - other!)).toBeLessThan(0.2);
    await page.keyboard.press('k');
    await expect.poll(async () => new Set((await films()).map(([, at]) => at)).size).toBe(1);
    await page.getByRole('row', { name: /^Length differs 0:03 .* 0:04/ }).waitFor();
    expect(await page.getByRole('row', { name: /^Frames per second 25 25/ }).count()).toBe(1);
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    const address = new URL(page.url()).searchParams.get('compare')!;
    await page.getByLabel('Side 2').selectOption({ index: 0 });
    expect(new URL(page.url()).searchParams.get('compare')).not.toBe(address);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.locator('video').count()).toBe(1);
    await page.getByRole('button', { name: /^Approval/ }).click();
    await page.getByRole('menuitem', { name: 'Versions and reviews' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Compare versions' }).click();
    await page.getByLabel('Side 2').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows a tab of the menu beside the others while it is chosen, also on a phone', async () => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}?tab=raw` },
      viewport: { width: 320, height: 640 },
    });
    const edges = (name: string) =>
      page.getByRole('tab', { name }).evaluate((tab) => {
        const [own, row] = [tab, tab.parentElement!].map((each) => each.getBoundingClientRect());
        return own!.left >= row!.left - 1 && own!.right <= row!.right + 1;
      });
    await expect.poll(() => edges('All data')).toBe(true);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Comments', 'Details', 'Files', 'All data']);
    await page.getByRole('tab', { name: 'All data' }).press('Home');
    await expect.poll(() => edges('Comments')).toBe(true);
    await expect.poll(() => page.getByRole('tab').count()).toBe(3);
  });

  it('sound has the picture of its waveform as its tile, and on its page while it is too long to measure', async () => {
    const path = join(site.root, 'long.mp3');
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=1900', '-ar', '8000', '-b:a', '8k'];
    execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...tone, path]);
    const sound = await importFile(site, path, { title: 'Longest tone' });
    const page = await site.open({ as: 'administrator', at: '/?q=Longest' });
    const isDrawn = ({ complete, naturalWidth, naturalHeight }: HTMLImageElement) =>
      complete && naturalWidth === 320 && naturalHeight === 180;
    const tile = page.locator('.picture img').first();
    await tile.waitFor();
    await expect.poll(() => tile.evaluate(isDrawn)).toBe(true);
    await page.goto(`${site.address}/ui/item/${sound}`);
    const picture = page.locator('.player .stage:not(.sound) img');
    await picture.waitFor();
    await expect.poll(() => picture.evaluate(isDrawn)).toBe(true);
  });

  it('says what is missing where nothing can be played', async () => {
    const [empty] = await seedItems(site, ['Nothing yet']);
    const page = await site.open({ as: 'administrator', at: `/item/${empty}` });
    await page.getByText('No media has been imported yet').waitFor();
    await page.close();
    const gone = await site.open({ as: 'administrator', at: '/item/VX-999' });
    await gone.getByText('VX-999 is not there.').waitFor();
  });

  it.each(['comments', 'metadata', 'files', 'collections', 'history', 'access', 'jobs', 'raw'])(
    'the tab %s has no violation of WCAG 2.2 AA',
    async (tab) => {
      const page = await site.open({ as: 'administrator', at: `/item/${film}?tab=${tab}` });
      await page.locator('[role=tabpanel] > *').first().waitFor();
      await expect.poll(() => page.locator('[role=tabpanel] .skeleton').count()).toBe(0);
      await bringAxe(page);
      expect(await violationsInBothSchemes(page)).toEqual([]);
      expect(page.refused.filter((each) => !each.includes('/waveform/'))).toEqual([]);
    },
  );
});
