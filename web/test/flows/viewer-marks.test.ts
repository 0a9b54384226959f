import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import {
  type ClosableSite,
  endOfJob,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  metadataOf,
  type Opened,
  openSite,
  seedStorage,
  shoot,
} from '../support.ts';

let site: ClosableSite;
let item: string;
const seconds = 13;
const sizes = [
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const;

/** A guest who has typed a name. */
async function guestOf(document: object, options: object = {}, prepare?: (page: Opened) => Promise<unknown>) {
  const { token } = await site.api<{ token: string }>('POST', `/item/${item}/share`, { asksName: true, ...document });
  const page = await site.open({ at: `/s#${token}`, ...options, ...(prepare && { prepare: prepare as never }) });
  await page.getByLabel('Your name').fill('Ann Berg');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.locator('.player video').waitFor();
  return page;
}

/** Text of the marks in an element, once each. */
const marksIn = (page: Opened, place: string) =>
  page
    .locator(`${place} > [aria-hidden]`, { hasText: 'Ann' })
    .allTextContents()
    .then((all) =>
      all.map((text) =>
        text
          .split(' \u2003 ')[0]!
          .replace(/[\u2068\u2069]/g, '')
          .replaceAll('\u00a0', ' '),
      ),
    );

const isMark = /^Ann Berg \d{4}-\d\d-\d\d #\d+$/;
const isMarked = (page: Opened, place: string) =>
  expect.poll(() => marksIn(page, place)).toEqual([expect.stringMatching(isMark)]);

describe.runIf(hasBrowser && hasFfmpeg)('the mark of a viewer', () => {
  beforeAll(async () => {
    site = await openSite({ secretKey: new Secret(Buffer.alloc(32, 7).toString('base64')) });
    await seedStorage(site);
    item = await importFile(site, (await makeFilm(site, { seconds, rate: '5' }))!, { title: 'Trailer' });
    await site.api('PUT', '/shape-tag/stream', { format: 'cmaf', video: { preset: ['ultrafast'] } });
    const { jobId } = await site.api<{ readonly jobId: string }>('POST', `/item/${item}/transcode?tag=stream`);
    await endOfJob(site, jobId);
  }, 300_000);
  afterAll(() => site?.close());

  it.each(sizes)(
    'lies over the film, on the whole screen too, and comes back when it is removed, on a %s',
    async (name, options) => {
      const page = await guestOf({ allow: ['play'], mark: { strength: 50 } }, options);
      await isMarked(page, '.stage');
      await shoot(page, `viewer-mark-${name}`);
      const mark = page.locator('.stage > div[aria-hidden]', { hasText: 'Ann' });
      await mark.evaluate((own) => own.remove());
      await isMarked(page, '.stage');
      for (const change of ['display: none !important', 'opacity: 0 !important']) {
        await mark.evaluate((own, style) => {
          own.style.cssText = style;
        }, change);
        await expect.poll(() => mark.evaluate((own) => getComputedStyle(own).opacity)).toBe('0.5');
      }
      await mark.evaluate((own) => {
        own.textContent = 'Ann';
      });
      await isMarked(page, '.stage');
      // The element of the whole screen is one around the mark, and a press goes through it.
      await page.evaluate(() => document.querySelector('.player')!.requestFullscreen());
      expect(
        await page.evaluate(() => document.fullscreenElement!.querySelector('.stage > [aria-hidden]') !== null),
      ).toBe(true);
      await shoot(page, `viewer-mark-full-${name}`);
      await page.evaluate(() => document.exitFullscreen());
      await page.locator('.player video').click();
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    },
  );

  it('lies over the tiles of a list, and over a picture that fills the window', async () => {
    const { id: storage } = await site
      .api<{ storage: { id: string }[] }>('GET', '/storage')
      .then(({ storage: [one] }) => one!);
    const { id: picture } = await site.api<{ id: string }>(
      'POST',
      '/import/placeholder',
      metadataOf({ title: 'Poster' }),
    );
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
      'base64',
    );
    const { id: file } = await site.api<{ id: string }>('POST', `/storage/${storage}/file/data?path=a.png`, png);
    const shape = { tag: ['original'], mimeType: ['image/png'], containerComponent: { file: [{ id: file }] } };
    await site.api('POST', `/item/${picture}/shape/create`, shape);
    const { id } = await site.api<{ id: string }>('POST', '/collection?name=Both');
    for (const each of [item, picture]) await site.api('PUT', `/collection/${id}/${each}`);
    const document = { allow: ['play'], asksName: true, mark: {} };
    const { token } = await site.api<{ token: string }>('POST', `/collection/${id}/share`, document);
    const page = await site.open({ at: `/s#${token}` });
    await page.getByLabel('Your name').fill('Ann Berg');
    await page.getByRole('button', { name: 'Open' }).click();
    await expect.poll(() => marksIn(page, '.tile .picture')).toHaveLength(2);
    await shoot(page, 'viewer-mark-list');
    await page.getByRole('link', { name: 'Poster' }).click();
    await isMarked(page, '.stage');
    await page.locator('.stage img').click();
    await isMarked(page, 'dialog.large');
    await shoot(page, 'viewer-mark-large');
  });

  it('follows the maker in an open session, and ends with the setting', async () => {
    const terms = { allow: ['play'], asksName: true, mark: {} };
    const { id, token } = await site.api<{ id: string; token: string }>('POST', `/item/${item}/share`, terms);
    const page = await site.open({ at: `/s#${token}` });
    await page.getByLabel('Your name').fill('Ann Berg');
    await page.getByRole('button', { name: 'Open' }).click();
    await isMarked(page, '.stage');
    await site.api('PUT', `/share/${id}`, { allow: ['play'], asksName: true });
    // The page asks at once when it is seen again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => marksIn(page, '.stage')).toEqual([]);
  });

  it.each([
    ['the browser', false],
    ['hls.js', true],
  ] as const)(
    'is part of the film that %s plays, and a seek shows the last segment',
    { timeout: 120_000 },
    async (how, isFed) => {
      const asked: string[] = [];
      const page = await guestOf({ play: ['stream'], mark: { burn: true, strength: 80 } }, {}, async (fresh) => {
        if (isFed)
          await fresh.addInitScript(() => {
            const { canPlayType } = HTMLMediaElement.prototype;
            HTMLMediaElement.prototype.canPlayType = function (type) {
              return type.includes('mpegurl') ? '' : canPlayType.call(this, type);
            };
          });
        fresh.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!));
      });
      const video = page.locator('.player video');
      await expect
        .poll(() => video.evaluate((media: HTMLVideoElement) => [media.readyState >= 2, Math.ceil(media.duration)]))
        .toEqual([true, seconds]);
      await shoot(page, `viewer-mark-burnt-${isFed ? 'fed' : 'own'}`);
      await video.evaluate(async (media: HTMLVideoElement) => {
        media.muted = true;
        media.currentTime = 12;
        await media.play();
      });
      await expect
        .poll(() => video.evaluate((media: HTMLVideoElement) => media.currentTime))
        .toBeGreaterThan(seconds - 0.8);
      expect(asked).toEqual(expect.arrayContaining(['film.m3u8', 'head.mp4', '0.m4s', '2.m4s']));
      expect(await marksIn(page, '.stage')).toEqual([]);
      expect([how, page.refused]).toEqual([how, []]);
    },
  );

  it('is switched on in the dialog, with how it looks', async () => {
    await site.api('POST', `/item/${item}/access`, { group: 'editor', permission: 'READ' });
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await site.open({ as: 'editor', at: `/item/${item}`, permissions });
    await page.getByRole('button', { name: 'Share', exact: true }).first().click();
    await page.getByLabel('Show the viewer’s name over pictures and films').check();
    await page.getByText(/^Ann Berg \d{4}-\d\d-\d\d #17$/).waitFor();
    await page.getByLabel('Make it part of pictures and films').check();
    expect(await page.getByLabel('download', { exact: true }).count()).toBe(0);
    await shoot(page, 'viewer-mark-dialog');
    await page.getByRole('button', { name: 'Make and copy link' }).click();
    const shares = () => site.api<{ share?: readonly object[] }>('GET', '/share', undefined, 'editor');
    await expect
      .poll(async () => (await shares()).share?.[0])
      .toMatchObject({
        asksName: true,
        allow: ['play'],
        mark: { text: '{name} {date}', burn: true },
      });
  });
});
