import type { ShapeDocument } from 'portico/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import {
  type ClosableSite,
  endOfJob,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  openSite,
  seedStorage,
} from '../support.ts';

let site: ClosableSite;
let item: string;

/** More than a browser reads ahead. Segments have six seconds. */
const seconds = 90;

describe.runIf(hasBrowser && hasFfmpeg)('a film with a stream', () => {
  beforeAll(async () => {
    site = await openSite({ secretKey: new Secret(Buffer.alloc(32, 7).toString('base64')) });
    await seedStorage(site);
    item = await importFile(site, (await makeFilm(site, { seconds, rate: '5' }))!);
    await site.api('PUT', '/shape-tag/stream', { format: 'cmaf', video: { preset: ['ultrafast'] } });
    const { jobId } = await site.api<{ readonly jobId: string }>('POST', `/item/${item}/transcode?tag=stream`);
    await endOfJob(site, jobId);
  }, 300_000);
  afterAll(() => site?.close());

  it('is played by it where the browser plays HLS, and a seek reads the segments from there', {
    timeout: 120_000,
  }, async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${item}` });
    const video = page.locator('.player video');
    await video.waitFor();
    const playsHls = await video.evaluate((media: HTMLVideoElement) =>
      media.canPlayType('application/vnd.apple.mpegurl'),
    );
    const source = (await video.getAttribute('src'))!;
    if (playsHls === '') {
      expect(source).toMatch(/\/shape\/[^/]+\/data$/);
      return;
    }
    expect(source).toContain(`/API/item/${item}/stream?format=hls&shape=`);
    await expect
      .poll(() => video.evaluate((media: HTMLVideoElement) => media.duration), { timeout: 30_000 })
      .toBeGreaterThan(seconds - 1);
    const starts: number[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/360p.mp4'))
        starts.push(Number(/^bytes=(\d+)/.exec(request.headers()['range']!)![1]));
    });
    await video.evaluate((media: HTMLVideoElement) => {
      media.currentTime = 86.5;
    });
    await expect
      .poll(
        () =>
          video.evaluate((media: HTMLVideoElement) => [media.seeking, media.readyState >= 2, media.currentTime > 86]),
        { timeout: 30_000 },
      )
      .toEqual([false, true, true]);
    await video.evaluate(async (media: HTMLVideoElement) => {
      media.muted = true;
      await media.play();
    });
    await expect
      .poll(() => video.evaluate((media: HTMLVideoElement) => media.currentTime), { timeout: 30_000 })
      .toBeGreaterThan(86.6);
    const { videoComponent } = await site.api<ShapeDocument>('GET', `/item/${item}/shape/${source.split('=').at(-1)}`);
    const { size = 0 } = videoComponent![0]!.file![0]!;
    // The part between the start and the place is not read.
    expect(Math.max(...starts) / size).toBeGreaterThan(0.85);
    expect(starts.filter((start) => start > size / 2 && start < size * 0.85)).toEqual([]);
  });
});
