import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { ItemListDocument } from 'portico/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic } from '../../test/support/matrix.ts';
import { type ClosableSite, nameOf, openSite, passwordOf, still } from './support.ts';

/** `npm run docs:pictures`: the pictures of README and of the guide, of the sample library. */

/** Most bytes of a picture: all of them are in the repository. */
const most = 60 * 1024;

let site: ClosableSite;
/** The film with comments, for the page of an item. */
let film = '';

beforeAll(async () => {
  site = await openSite();
  const headers = { authorization: basic([nameOf('administrator'), passwordOf('administrator')]) };
  const made = await fetch(`${site.address}/APIinit/sample`, { method: 'POST', headers });
  expect(made.status).toBe(200);
  const query = { field: [{ name: 'title', value: [{ value: 'Harbour film' }] }] };
  const { item = [] } = await site.api<ItemListDocument>('PUT', '/item', query);
  film = item[0]?.id ?? '';
});
afterAll(() => site.close());

/** Chromium writes WebP only by its protocol. The quality goes down until the picture is small enough. */
async function take(page: Page, name: string): Promise<void> {
  await still(page);
  const session = await page.context().newCDPSession(page);
  let bytes = Buffer.alloc(0);
  for (let quality = 90; quality >= 40; quality -= 5) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    bytes = Buffer.from(data, 'base64');
    if (bytes.length <= most) break;
  }
  expect(bytes.length).toBeLessThanOrEqual(most);
  await writeFile(`docs/pictures/${name}.webp`, bytes);
}

const size = { width: 1280, height: 800 };

it('the library', async () => {
  const page = await site.open({ as: 'administrator', viewport: size });
  await expect.poll(() => page.locator('[role=gridcell] img').count()).toBeGreaterThan(5);
  await page.getByText('Approved').first().waitFor();
  await page.mouse.move(0, 0);
  await take(page, 'library');
});

it('a review', async () => {
  const page = await site.open({ as: 'administrator', viewport: size, at: `/item/${film}?t=3`, colorScheme: 'dark' });
  await page.waitForSelector('.strip');
  await page.waitForSelector('.wave');
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  await take(page, 'item');
});

it('jobs', async () => {
  const page = await site.open({ as: 'administrator', viewport: size, at: '/jobs' });
  await page.waitForSelector('.table td');
  await take(page, 'jobs');
});

it('a narrow library', async () => {
  const page = await site.open({ as: 'administrator', viewport: { width: 390, height: 800 } });
  await expect.poll(() => page.locator('[role=gridcell] img').count()).toBeGreaterThan(2);
  await take(page, 'narrow');
});
