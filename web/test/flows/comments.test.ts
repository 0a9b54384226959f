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
  violations,
} from '../support.ts';

let site: ClosableSite;
let film: string;

const attack = evil('Too dark');
const commentsNow = async (): Promise<readonly AnnotationType[]> =>
  (await site.api<AnnotationListDocument>('GET', `/item/${film}/annotation`)).annotation ?? [];
const listOf = (page: Opened) => page.getByRole('region', { name: 'Comments' });
const rowWith = (page: Opened, text: string) => listOf(page).locator('ul:not(.replies) > li', { hasText: text });

describe.runIf(hasBrowser && hasFfmpeg)('comments on an item', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    film = await importFile(site, (await makeFilm(site, { seconds: 4 }))!);
    for (const group of ['viewer', 'editor']) {
      await site.api('POST', `/item/${film}/access`, { group, permission: 'READ' });
    }
  }, 120_000);
  afterAll(() => site?.close());

  it('are seen at once in another browser, with replies and states', async () => {
    const editor = await openFilm(site, film, 'editor', '?t=1');
    const admin = await openFilm(site, film);
    await atFrame(editor, '00:00:01:00');
    await listOf(admin).getByText('Nobody has commented yet.').waitFor();

    await listOf(editor).getByRole('button', { name: 'Comment', exact: true }).click();
    await editor.keyboard.type(attack);
    await listOf(editor).getByLabel('Assigned to').fill('viewer');
    await listOf(editor).getByLabel('At 00:00:01:00').waitFor();
    await listOf(editor).getByRole('button', { name: 'Comment', exact: true }).click();

    const row = rowWith(admin, attack);
    await row.waitFor({ timeout: 5000 });
    expect(await row.locator('img').count()).toBe(0);
    await row.getByText('For viewer').waitFor();
    expect(await commentsNow()).toMatchObject([{ text: attack, start: '25@25', user: 'editor', assignedTo: 'viewer' }]);
    await admin.getByRole('list', { name: 'Comments over time' }).getByRole('button').click();
    await atFrame(admin, '00:00:01:00');
    await admin.keyboard.press('.');
    await row.getByRole('button', { name: '00:00:01:00' }).click();
    await atFrame(admin, '00:00:01:00');

    await row.getByRole('button', { name: 'Reply' }).click();
    await admin.keyboard.type('Brighter now');
    await row.getByRole('button', { name: 'Reply' }).click();
    const replies = rowWith(editor, attack).getByRole('list', { name: 'Replies' });
    await replies.getByText('Brighter now').waitFor({ timeout: 5000 });
    // The reply of another user goes with a comment only where WRITE allows that.
    expect(
      await rowWith(editor, attack)
        .getByRole('button', { name: /^Delete/ })
        .count(),
    ).toBe(0);

    await row.getByLabel('Done').focus();
    await admin.keyboard.press('Space');
    await expect.poll(() => rowWith(editor, attack).getByLabel('Done').isChecked()).toBe(true);
    await rowWith(editor, attack).getByLabel('Done').uncheck();
    await expect.poll(() => row.getByLabel('Done').isChecked()).toBe(false);

    await row.getByRole('button', { name: 'Delete the comment of editor' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await listOf(editor).getByText('Nobody has commented yet.').waitFor({ timeout: 5000 });
    expect(await commentsNow()).toEqual([]);
    expect(await editor.evaluate(() => 'bad' in globalThis)).toBe(false);
  });

  it('mark a part of the picture that the pointer draws and keys move', async () => {
    const page = await openFilm(site, film, 'editor', '?t=2');
    await atFrame(page, '00:00:02:00');
    await listOf(page).getByRole('button', { name: 'Comment', exact: true }).click();
    await listOf(page).getByRole('button', { name: 'Part of the picture' }).click();
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
    await listOf(page).getByRole('button', { name: 'Comment', exact: true }).click();
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
    await listOf(editor).getByRole('button', { name: 'Comment', exact: true }).click();
    await listOf(editor).getByRole('button', { name: 'Draw', exact: true }).click();
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
    await listOf(editor).getByRole('button', { name: 'Comment', exact: true }).click();
    await expect.poll(() => admin.locator('.picture-parts > .drawing polyline').count(), { timeout: 5000 }).toBe(2);
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
    await site.api('DELETE', `/item/${film}/annotation/${made!.id}`);
  });

  it('stand below the approval of the version, which reviewers give and others see at once', async () => {
    const admin = await openFilm(site, film);
    const viewer = await openFilm(site, film, 'viewer');
    const approval = (page: Opened) => page.getByRole('region', { name: 'Approval' });
    expect(await approval(viewer).count()).toBe(0);
    await approval(admin).getByText('Not reviewed').waitFor();
    await approval(admin).getByRole('button', { name: 'Ask for a review' }).click();
    await approval(viewer).getByText('In review').first().waitFor({ timeout: 5000 });
    await approval(admin).getByRole('button', { name: 'Reject' }).click();
    await admin.keyboard.type(attack);
    await approval(admin).getByRole('button', { name: 'Reject' }).click();
    await approval(viewer).getByText('Rejected').first().waitFor({ timeout: 5000 });
    await approval(viewer).getByText('2 states so far').click();
    await approval(viewer).getByText(attack).waitFor();
    expect(await approval(viewer).getByRole('button').count()).toBe(0);
    await approval(admin).getByRole('button', { name: 'Approve', exact: true }).click();
    await approval(viewer).getByText('Approved').first().waitFor({ timeout: 5000 });
    expect(await viewer.evaluate(() => 'bad' in globalThis)).toBe(false);
  });

  it('are read, and not written, without the role', async () => {
    await site.api('POST', `/item/${film}/annotation`, { text: 'Of all of it', state: 'done' });
    const page = await openFilm(site, film, 'viewer');
    await rowWith(page, 'Of all of it').getByText('Done').waitFor();
    const names = await listOf(page).getByRole('button').allTextContents();
    expect(names).toEqual([]);
    const download = page.waitForEvent('download');
    await listOf(page).getByRole('link', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toContain('csv');
  });

  it('are there where nothing can be played, without a time', async () => {
    const [empty] = await seedItems(site, ['Nothing yet']);
    const page = await site.open({ as: 'administrator', at: `/item/${empty}` });
    await listOf(page).getByRole('button', { name: 'Comment', exact: true }).click();
    await page.keyboard.type('Where is it?');
    await listOf(page).getByRole('button', { name: 'Comment', exact: true }).click();
    await rowWith(page, 'Where is it?').waitFor();
  });

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
  ] as const)('have no violation of WCAG 2.2 AA in %s, %i pixels wide', async (colorScheme, width) => {
    const { id: parent } = await site.api<AnnotationType>('POST', `/item/${film}/annotation`, {
      ...{ text: 'Too dark', start: '25@25', end: '50@25', rectangle: 'percent:10,20,30,40', assignedTo: 'editor' },
    });
    await site.api('POST', `/item/${film}/annotation`, { text: 'Brighter now', parent });
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}?t=1` },
      ...{ colorScheme, viewport: { width, height: 900 } },
    });
    const row = rowWith(page, 'Too dark').first();
    await row.getByRole('button', { name: 'Reply' }).click();
    await listOf(page).getByRole('button', { name: 'Comment', exact: true }).click();
    await listOf(page).getByRole('button', { name: 'Part of the picture' }).click();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await site.api('DELETE', `/item/${film}/annotation/${parent}`);
  });
});
