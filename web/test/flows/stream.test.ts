import type { ShapeDocument } from 'portico/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import { basic } from '../../../test/support/matrix.ts';
import {
  type ClosableSite,
  endOfJob,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  nameOf,
  openSite,
  passwordOf,
  seedStorage,
} from '../support.ts';

let site: ClosableSite;
let item: string;

/** More than a browser reads ahead. Segments have six seconds. */
const seconds = 90;

/** The browser plays HLS by itself, or else hls.js does, as where a browser says that it cannot. */
const ways = [
  ['by the browser', undefined],
  [
    'by hls.js',
    () => {
      const { canPlayType } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.canPlayType = function (type) {
        return type.includes('mpegurl') ? '' : canPlayType.call(this, type);
      };
    },
  ],
] as const;

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

  it.each(ways)('is played %s, and a seek reads the segments from there', async (_how, lacks) => {
    const scripts: string[] = [];
    const starts: number[] = [];
    const masters: string[] = [];
    const page = await site.open({
      as: 'administrator',
      at: `/item/${item}`,
      async prepare(fresh) {
        if (lacks) await fresh.addInitScript(lacks);
        fresh.on('request', (request) => {
          const { pathname, search } = new URL(request.url());
          if (/\/hls-\w+\.js$/.test(pathname)) scripts.push(pathname);
          if (pathname.endsWith('/stream')) masters.push(search);
          const [, start] = /^bytes=(\d+)/.exec(request.headers()['range'] ?? '') ?? [];
          if (pathname.endsWith('/360p.mp4') && start !== undefined) starts.push(Number(start));
        });
      },
    });
    const video = page.locator('.player video');
    await video.waitFor();
    const isShown = ({ readyState, duration }: HTMLVideoElement) => [readyState >= 2, Math.ceil(duration)];
    await expect.poll(() => video.evaluate(isShown)).toEqual([true, seconds]);
    expect(masters[0]).toContain('format=hls');
    const headers = { authorization: basic([nameOf('administrator'), passwordOf('administrator')]) };
    const master = await fetch(`${site.address}/API/item/${item}/stream${masters[0]}`, { headers });
    // Players of the page pass over the sheets of thumbnails.
    expect(await master.text()).toMatch(/^#EXT-X-IMAGE-STREAM-INF:.*RESOLUTION=320x180/m);
    expect(await video.getAttribute('src')).toContain(
      lacks ? 'blob:' : `/API/item/${item}/stream?format=hls&subtitles=false&shape=`,
    );
    // A browser that plays HLS by itself does not load the script.
    expect(scripts).toHaveLength(lacks ? 1 : 0);
    const readBefore = starts.length;
    await video.evaluate((media: HTMLVideoElement) => {
      media.currentTime = 86.5;
    });
    await expect
      .poll(() =>
        video.evaluate((media: HTMLVideoElement) => [media.seeking, media.readyState >= 2, media.currentTime > 86]),
      )
      .toEqual([false, true, true]);
    await video.evaluate(async (media: HTMLVideoElement) => {
      media.muted = true;
      await media.play();
    });
    await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.currentTime)).toBeGreaterThan(86.6);
    const shape = new URLSearchParams(masters[0]).get('shape');
    const { videoComponent } = await site.api<ShapeDocument>('GET', `/item/${item}/shape/${shape}`);
    const { size = 0 } = videoComponent![0]!.file![0]!;
    expect(Math.max(...starts) / size).toBeGreaterThan(0.85);
    // The part between the start and the place is not read, but for a piece that was asked for meanwhile.
    const between = starts.slice(readBefore).filter((start) => start > 0 && start < size * 0.85);
    expect(between.length).toBeLessThanOrEqual(1);
  });
});
