import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClosableSite, endOfJob, importFile, metadataOf, openSite, seedStorage, still } from './support.ts';

/** `npm run docs:pictures`: the pictures of the guide, of a service with films that ffmpeg makes. */
const titles = [
  ...['Northern lights', 'Morning fog', 'Harbour at night', 'The old lighthouse', 'Market day', 'River from above'],
  ...['Interview, part 1', 'Interview, part 2', 'Snow on the pass', 'Tram line 7', 'Storm warning', 'City council'],
  ...['Ferry to the island', 'Midsummer', 'Bakery at dawn', 'Ice hockey final', 'Bridge works', 'Choir rehearsal'],
];

/** Colours of the films, so that each looks like another place. */
const palettes = [
  ['0x04151f', '0x1de9b6', '0x0f4c5c', '0x5e60ce'],
  ['0xcfd8dc', '0x90a4ae', '0x546e7a', '0xeceff1'],
  ['0x0b1d3a', '0x23527c', '0xf2a65a', '0x1b2a41'],
  ['0x264653', '0xe9c46a', '0xe76f51', '0x2a9d8f'],
  ['0x606c38', '0xdda15e', '0xfefae0', '0xbc6c25'],
  ['0x1d3557', '0x457b9d', '0xa8dadc', '0x2b2d42'],
];

/** Most bytes of a picture: all of them are in the repository. */
const most = 60 * 1024;

let site: ClosableSite;
/** The film of the page of an item: the first and the longest. */
let film = '';

beforeAll(async () => {
  site = await openSite();
  await seedStorage(site);
  for (const [index, title] of titles.entries()) {
    const path = join(site.root, `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.mp4`);
    const seconds = index === 0 ? 48 : 4 + (index % 5);
    const colours = palettes[index % palettes.length]!.map((colour, n) => `c${n}=${colour}`).join(':');
    const kind = index % 3 === 1 ? 'radial' : 'linear';
    const picture = `gradients=s=640x360:r=25:d=${seconds}:n=4:${colours}:seed=${index + 1}:speed=0.02:type=${kind}`;
    const sound = `aevalsrc=sin(880*t)*sin(1.3*t)*sin(0.37*t)*(0.4+0.4*random(0)):d=${seconds}`;
    const sources = [picture, sound].flatMap((source) => ['-f', 'lavfi', '-i', source]);
    const codecs = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac -movflags +faststart'.split(' ');
    execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...sources, ...codecs, path]);
    const id = await importFile(site, path, { title });
    if (index === 0) film = id;
  }
  await describe();
});
afterAll(() => site.close());

/** Fields with labels, timed entries and a waveform for the film. */
async function describe(): Promise<void> {
  const fields = [
    ...[['film_place', 'Place', 'string', 'Abisko'] as const, ['film_season', 'Season', 'string', 'Winter'] as const],
    ...[
      ['film_year', 'Year', 'integer', '2025'] as const,
      ['film_rights', 'Rights until', 'date', '2031-12-31'] as const,
    ],
  ];
  for (const [name, label, type] of fields) {
    await site.api('PUT', `/metadata-field/${name}`, { name, type, data: [{ key: 'label_en', value: label }] });
  }
  await site.api('PUT', '/metadata-field/field-group/film', {
    name: 'film',
    field: ['title', ...fields.map(([name]) => name)].map((name) => ({ name })),
  });
  await site.api('PUT', `/item/${film}/field-group/film`);
  const own = metadataOf(Object.fromEntries(fields.map(([name, , , value]) => [name, value])));
  const spans = [
    ...[[0, 9, 'First light above the lake'] as const, [12, 21, 'The curtain moves to the east'] as const],
    ...[[24, 33, 'A camp, and a fire'] as const, [36, 47, 'Stars'] as const],
  ];
  const timed = spans.map(([start, end, value]) => ({
    ...{ start: `${start * 25}@25`, end: `${end * 25}@25` },
    field: [{ name: 'title', value: [{ value }] }],
  }));
  await site.api('PUT', `/item/${film}/metadata`, { timespan: [...own.timespan, ...timed] });
  const { jobId } = await site.api<{ readonly jobId: string }>('POST', `/item/${film}/analyze`);
  await endOfJob(site, jobId);
}

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
  await expect.poll(() => page.locator('[role=gridcell] img').count()).toBeGreaterThan(8);
  await page.locator('[role=gridcell]').first().click();
  await page.locator('aside video').evaluate(async (video: HTMLVideoElement) => {
    // Until it has been played, its own controls turn a ring.
    video.muted = true;
    await video.play();
    video.pause();
    video.muted = false;
    const seeked = new Promise((done) => video.addEventListener('seeked', done));
    video.currentTime = 0;
    await seeked;
  });
  await page.mouse.move(0, 0);
  await take(page, 'library');
});

it('an item', async () => {
  const page = await site.open({ as: 'administrator', viewport: size, at: `/item/${film}?t=14`, colorScheme: 'dark' });
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
