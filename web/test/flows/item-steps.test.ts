import type { AnnotationListDocument, ApprovalDocument } from 'portico/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOfRows } from '../../../test/support/long.ts';
import { ready } from '../first-flows.ts';
import {
  type ClosableSite,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  type Opened,
  openSite,
  seedStorage,
} from '../support.ts';

let site: ClosableSite;
let films: string[];

type Way = 'mouse' | 'touch' | 'keys';

/** Sizes at which layouts differ, each with a way to go there. The short form takes each way once. */
const sizes = shareOfRows<readonly [width: number, height: number, way: Way]>(3, [
  [320, 640, 'touch'],
  [390, 844, 'touch'],
  [768, 1024, 'touch'],
  [1024, 768, 'mouse'],
  [1366, 800, 'mouse'],
  [1920, 1080, 'mouse'],
  [1366, 800, 'keys'],
]);

const longName = `Harbour ${'unbroken'.repeat(20)} take 3`;

/** Counts what a person does: a click, tap, key command, stroke or typed text is a step. */
function steps(page: Opened, way: Way) {
  let count = 0;
  /** Without a key, those who use keys have the button alone. */
  const by = async (locator: ReturnType<Opened['locator']>, key?: string) => {
    count += 1;
    if (way === 'keys' && key !== undefined) await page.keyboard.press(key);
    else if (way === 'touch') await locator.tap();
    else await locator.click();
  };
  return {
    by,
    taken: () => count,
    async open(at: number) {
      count += 1;
      await page.locator(`#entry-${at}`).focus();
      await page.keyboard.press('Enter');
      await ready(page);
    },
    async seek() {
      const place = page.getByRole('slider', { name: 'Place in the film' });
      const box = (await place.boundingBox())!;
      count += 1;
      const to = [box.x + box.width / 2, box.y + 8] as const;
      if (way === 'keys') await page.keyboard.press('.');
      else if (way === 'touch') await page.touchscreen.tap(...to);
      else await page.mouse.click(...to);
    },
    async stroke() {
      count += 1;
      const pen = page.getByRole('button', { name: 'Drawing on the picture' });
      const box = (await pen.boundingBox())!;
      if (way === 'keys')
        for (const key of ['Space', 'ArrowRight', 'ArrowDown', 'Space']) await page.keyboard.press(key);
      else if (way === 'touch') await page.touchscreen.tap(box.x + box.width / 4, box.y + box.height / 4);
      else {
        await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
        await page.mouse.up();
      }
    },
    async type(text: string) {
      count += 1;
      if (way === 'keys') await page.keyboard.press('c');
      else await page.getByLabel('Text of the comment').click();
      await page.keyboard.type(text);
    },
  };
}

/** Nothing is wider than the window, and nothing is cut at its side. */
async function fits(page: Opened): Promise<void> {
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.querySelector('main')!.scrollWidth - document.querySelector('main')!.clientWidth,
  ]);
  expect(widths).toEqual([page.viewportSize()!.width, 0]);
}

describe.runIf(hasBrowser && hasFfmpeg)('steps on the page of an item', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    const path = (await makeFilm(site, { seconds: 4 }))!;
    films = [];
    for (const title of ['First', longName]) films.push(await importFile(site, path, { title }));
  });
  afterAll(() => site.close());

  it.each(sizes)('are few at %i x %i by %s, and nothing is wider than the window', async (width, height, way) => {
    const film = films[1]!;
    const page = await site.open({
      ...{ as: 'administrator', at: '/', viewport: { width, height } },
      hasTouch: way === 'touch',
    });
    await page.locator('#entry-1').waitFor();

    const comment = steps(page, way);
    await comment.open(0);
    await fits(page);
    if (width >= 1000) {
      const heights = await page.evaluate(() => {
        const { scrollHeight, clientHeight } = document.querySelector('main')!;
        return scrollHeight - clientHeight;
      });
      expect(heights).toBe(0);
    }
    await comment.seek();
    await comment.by(page.getByRole('button', { name: 'Pen', exact: true }), 'd');
    await comment.stroke();
    await comment.type('Horizon tilts');
    await comment.by(page.getByRole('button', { name: 'Send' }), 'Control+Enter');
    const path = `/item/${film}/annotation`;
    const now = async () => (await site.api<AnnotationListDocument>('GET', path)).annotation ?? [];
    await expect.poll(now).toMatchObject([{ text: 'Horizon tilts', start: way === 'keys' ? '1@25' : '50@25' }]);
    expect((await now())[0]!.drawing).toContain('<polyline');
    expect(await page.evaluate(() => document.querySelector('video')!.paused)).toBe(true);
    expect(comment.taken()).toBe(6);
    await fits(page);
    await site.api('DELETE', `${path}/${(await now())[0]!.id}`);

    const next = steps(page, way);
    await next.by(page.getByRole('button', { name: 'Next item' }), 'Shift+PageDown');
    await page.getByRole('heading', { name: 'First' }).waitFor();
    expect(next.taken()).toBe(1);
    const position = await page.locator('.item-head .beside').innerText();
    await page.reload();
    await page.locator('.item-head .beside').waitFor();
    expect(await page.locator('.item-head .beside').innerText()).toBe(position);
    const back = steps(page, way);
    if (way === 'keys') await page.goBack();
    else await back.by(page.locator('.item-head').getByRole('link', { name: 'Library' }));
    await page.locator('#entry-1').waitFor();
    expect(back.taken()).toBeLessThanOrEqual(1);

    const approve = steps(page, way);
    await approve.open(0);
    await approve.by(page.getByRole('button', { name: 'Approve', exact: true }));
    const approval = `/item/${film}/shape/version/0/approval`;
    const stateNow = async () => (await site.api<ApprovalDocument>('GET', approval)).state;
    await expect.poll(stateNow).toBe('approved');
    expect(approve.taken()).toBe(2);
    await site.api('PUT', approval, { state: 'in-review' });
  });

  it('a state is given with a notice that names the item, takes it back, and ends with the next item', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('.cell', { hasText: 'First' }).dblclick();
    const notice = page.locator('.toasts');
    await page.getByRole('button', { name: /^Approval/ }).click();
    await page.getByRole('menuitem', { name: 'Reject' }).click();
    await page.getByLabel('Reason').fill('Too dark');
    await page.keyboard.press('Control+Enter');
    await notice.getByText('First: Rejected').waitFor();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Approval: In review' }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await notice.getByText('First: Approved').waitFor();
    await page.getByRole('button', { name: 'Previous item' }).click();
    await page.getByRole('heading', { name: 'Harbour unbroken' }).waitFor();
    expect(await notice.innerText()).toBe('');
  });

  it('the key c gives the focus to the text before another key can come', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${films[0]}` });
    await ready(page);
    await page.getByLabel('Text of the comment').waitFor();
    const focused = await page.evaluate(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }));
      return document.activeElement?.getAttribute('aria-label');
    });
    expect(focused).toBe('Text of the comment');
  });

  it('Escape leaves the text with its draft, and the key after g is of no page', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${films[0]}` });
    await ready(page);
    const text = page.getByLabel('Text of the comment');
    await text.fill('Later');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/collections');
    await page.goBack();
    await expect.poll(() => text.inputValue()).toBe('Later');
    await page.getByRole('link', { name: 'Library' }).first().click();
    await page.locator('#entry-0').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/collections');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('a draft is there after a reload, with its time and drawing, and ends when it is sent', async () => {
    const page = await site.open({
      as: 'administrator',
      at: `/item/${films[0]}?t=2`,
      viewport: { width: 390, height: 844 },
    });
    await ready(page);
    const { seek, stroke } = steps(page, 'mouse');
    await seek();
    await page.getByRole('button', { name: 'Pen', exact: true }).click();
    await stroke();
    const text = page.getByLabel('Text of the comment');
    await text.fill('Too dark');
    await page.reload();
    await ready(page);
    await expect.poll(() => text.inputValue()).toBe('Too dark');
    await page.getByRole('button', { name: 'At 00:00:02:00' }).waitFor();
    await expect.poll(() => page.locator('.pen polyline').count()).toBe(1);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'Comments' }).getByText('Too dark').waitFor();
    const drafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('portico.draft')));
    expect(await drafts()).toEqual([]);
    await text.fill('Not sent');
    expect(await drafts()).toHaveLength(1);
    await page.getByRole('button', { name: /^You: / }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await drafts()).toEqual([]);
  });
});
