import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { ItemListDocument } from 'portico/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic } from '../../test/support/matrix.ts';
import { type ClosableSite, hasFfmpeg, nameOf, openSite, passwordOf, still } from './support.ts';

/** `npm run docs:pictures`: the pictures of README and of the guide, of the sample library, and the film of README. */

/** Most bytes of a picture: all of them are in the repository. */
const max = 60 * 1024;
const maxOfFilm = 160 * 1024;

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
    if (bytes.length <= max) break;
  }
  expect(bytes.length).toBeLessThanOrEqual(max);
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

/** A film of stills, each of which says how long it is seen. A pointer shows where a person clicks. */
async function filming(folder: string) {
  const shots: string[] = [];
  let place = [size.width / 2, size.height / 2] as const;
  const pointer = ([x, y]: readonly [number, number]) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const style = { position: 'fixed', left: `${x}px`, top: `${y}px`, width: '26px', height: '36px', zIndex: '99999' };
    Object.assign(svg.style, style);
    svg.id = 'pointer';
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', 'M1 1v24l6-6 4 10 5-2-4-10h9z');
    Object.assign(path.style, { fill: '#111', stroke: '#fff', strokeWidth: '2px' });
    svg.append(path);
    // Above dialogs, too.
    (document.querySelector('dialog[open]') ?? document.body).append(svg);
  };
  return {
    shots,
    async shot(page: Page, seconds: number) {
      await still(page);
      await page.evaluate(pointer, place);
      const path = join(folder, `${String(shots.length).padStart(2, '0')}.png`);
      await page.screenshot({ path });
      await page.evaluate(() => document.querySelector('#pointer')?.remove());
      shots.push(`file '${path}'\nduration ${seconds}`);
    },
    async click(page: Page, locator: ReturnType<Page['locator']>) {
      const box = (await locator.boundingBox())!;
      place = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.click(...place);
    },
  };
}

it.runIf(hasFfmpeg)('a film from the library to the guest', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'film-'));
  const { shots, shot, click } = await filming(folder);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await site.open({ as: 'administrator', viewport: size, permissions });
  await expect.poll(() => page.locator('[role=gridcell] img').count()).toBeGreaterThan(5);
  await page.getByText('Approved').first().waitFor();
  await shot(page, 1.6);
  const own = join(folder, 'Ferry in the morning.mp4');
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', 'src/entry/sample/files/morning.mp4', '-vf', 'hflip', own]);
  await click(page, page.getByRole('link', { name: 'Uploads', exact: true }));
  await page.locator('input[type=file]').first().setInputFiles(own);
  await page.locator('.upload-row').getByRole('link', { name: 'Ferry in the morning' }).waitFor();
  await page.waitForFunction(() => document.querySelector('main[data-rests]') === null);
  await shot(page, 1.8);
  await click(page, page.getByRole('link', { name: 'Library', exact: true }));
  const search = page.locator('.search input');
  await click(page, search);
  await page.keyboard.type('harbour');
  const tile = page.locator('[role=gridcell]', { hasText: 'Harbour film' }).first();
  await page.locator('.toolbar .count', { hasText: /^3 / }).waitFor();
  await shot(page, 1.4);
  await click(page, tile.locator('.title'));
  await page.waitForSelector('canvas.strip');
  await page.waitForFunction(() => document.querySelector('main[data-rests]') === null);
  await shot(page, 1.2);
  const place = (await page.getByRole('slider', { name: 'Place in the film' }).boundingBox())!;
  await page.mouse.click(place.x + place.width * 0.6, place.y + 8);
  await click(page, page.getByRole('button', { name: 'Pen', exact: true }));
  const sheet = (await page.getByRole('button', { name: 'Drawing on the picture' }).boundingBox())!;
  const at = (x: number, y: number) => [sheet.x + sheet.width * x, sheet.y + sheet.height * y] as const;
  await page.mouse.move(...at(0.5, 0.64));
  await page.mouse.down();
  for (let turn = 0; turn <= 24; turn += 1) {
    const angle = (turn / 24) * Math.PI * 2;
    await page.mouse.move(...at(0.6 - 0.1 * Math.cos(angle), 0.64 - 0.14 * Math.sin(angle)));
  }
  await page.mouse.up();
  await page.getByLabel('Text of the comment').click();
  await page.keyboard.type('The boat is too far away');
  await shot(page, 1.8);
  await click(page, page.getByRole('button', { name: 'Send' }));
  await page.getByText('The boat is too far away').last().waitFor();
  await shot(page, 1.6);
  await click(page, page.getByRole('button', { name: 'Share', exact: true }));
  const make = page.getByRole('button', { name: 'Make and copy link' });
  await make.waitFor();
  await shot(page, 1.6);
  await click(page, make);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/\/ui\/s#/);
  await shot(page, 1.6);
  const context = await page.context().browser()!.newContext({ viewport: size, ignoreHTTPSErrors: true });
  const guest = await context.newPage();
  await guest.goto(await copied());
  await guest.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  await click(guest, guest.getByLabel('Text of the comment'));
  await guest.keyboard.type('Could the boat come closer?');
  await shot(guest, 2.4);
  await context.close();
  const list = join(folder, 'list.txt');
  await writeFile(list, `${shots.join('\n')}\n${shots.at(-1)!.split('\n')[0]}\n`);
  const film = 'docs/pictures/tour.webp';
  const scaled = ['-vf', 'scale=960:-2:flags=lanczos', '-c:v', 'libwebp_anim', '-loop', '0'];
  const written = ['-quality', '74', '-compression_level', '6', '-fps_mode', 'vfr', film];
  await promisify(execFile)('ffmpeg', [
    '-y',
    '-v',
    'error',
    '-f',
    'concat',
    '-safe',
    '0',
    '-i',
    list,
    ...scaled,
    ...written,
  ]);
  await rm(folder, { recursive: true });
  expect((await stat(film)).size).toBeLessThanOrEqual(maxOfFilm);
});
