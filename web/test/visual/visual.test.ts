import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, type Kind, openSite, still } from '../support.ts';
import { compare, machine, shoot, small } from './compare.ts';
import { type Places, seed } from './seed.ts';

/**
 * How the pages look, against pictures that somebody has looked at. Another browser or other fonts draw texts another
 * way, so the pictures hold on machines such as the one that took them. `npm run test:visual -- --update` takes them.
 */
const expectedFolder = 'web/test/visual/expected';
const actualFolder = 'node_modules/.cache/portico-visual';
const isKeeping = process.env['KEEP_PICTURES'] !== undefined;
const max = 0.001;

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
type Size = keyof typeof sizes;
type Theme = 'light' | 'dark';

interface Look {
  /** User of the picture. Absent: the administrator. Nobody at all: the login page. */
  readonly as?: Kind | 'nobody at all';
  /** Answers of the API by their paths, instead of those of the service. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Actions before the picture is taken. */
  readonly before?: (page: Page) => Promise<void>;
}

const choose = async (page: Page) => {
  await page.locator('[role=gridcell]').nth(2).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('i');
  await page.waitForSelector('.panel dl');
};
const atFrame = (page: Page) =>
  page.waitForFunction(() => {
    const video = document.querySelector('video');
    // At its start a film may still have its poster.
    return video !== null && video.readyState >= 2 && !video.seeking && video.currentTime > 1;
  });
const film = { before: async (page: Page) => void (await atFrame(page)) };
const drawn =
  (path: string): ((places: Places) => string) =>
  (places) =>
    path.replace(/\{(\w+)\}/g, (_, name: keyof Places) => places[name]);

/** Limits of the host are those of a machine. */
const selfTest = {
  status: 'warning',
  test: [
    { name: 'database', description: 'The database is writable', status: 'ok' },
    {
      ...{ name: 'transcoding', description: 'Transcoding', status: 'warning' },
      message: ['No transcoder: jobs that need one wait'],
      test: [{ name: 'ffmpeg', status: 'warning', message: ['install ffmpeg, or name it in PORTICO_FFMPEG'] }],
    },
  ],
};

const looks: readonly (readonly [name: string, size: Size, theme: Theme, path: string, look?: Look])[] = [
  ['login', 'wide', 'light', '/', { as: 'nobody at all' }],
  ['login-narrow', 'narrow', 'dark', '/', { as: 'nobody at all' }],
  ['library', 'wide', 'light', '/', { before: choose }],
  ['library-dark', 'wide', 'dark', '/?q=harbour'],
  ['library-narrow', 'narrow', 'light', '/'],
  ['item', 'wide', 'light', '/item/{film}?t=2', film],
  ['item-dark', 'wide', 'dark', '/item/{film}?t=2&tab=files', film],
  ['item-narrow', 'narrow', 'light', '/item/{film}?t=2', film],
  ['collections', 'wide', 'light', '/collection/{collection}'],
  ['collections-narrow', 'narrow', 'light', '/collections'],
  ['upload', 'wide', 'light', '/uploads'],
  ['jobs', 'wide', 'light', '/jobs'],
  ['job-narrow', 'narrow', 'dark', '/job/{job}'],
  ['storages', 'wide', 'light', '/storages'],
  ['storage-narrow', 'narrow', 'light', '/storage/{storage}'],
  ['notifications', 'wide', 'dark', '/notifications'],
  ['notification', 'wide', 'light', '/notification/item/{notification}'],
  ['quota-narrow', 'narrow', 'light', '/quota'],
  ['exports', 'wide', 'dark', '/exports'],
  ['settings', 'wide', 'light', '/settings'],
  ['health', 'wide', 'light', '/health', { answers: { '/API/selftest': selfTest } }],
  ['people', 'wide', 'light', '/people'],
  ['user-narrow', 'narrow', 'light', '/user/librarian'],
  ['group', 'wide', 'dark', '/group/editor'],
  ['fields', 'wide', 'light', '/fields'],
  ['tag', 'wide', 'dark', '/tag/web'],
  ['first', 'wide', 'light', '/first', { answers: { '/API/storage': { hits: 0 } } }],
  ['me-narrow', 'narrow', 'light', '/me', { as: 'editor' }],
];

/** Fixes what differs between runs: times, the folder of the service, and news. */
function fixed(root: string, answers: Look['answers'] = {}) {
  return async (page: Page): Promise<void> => {
    await page.clock.setFixedTime('2026-03-05T12:00:00Z');
    await page.addInitScript(
      ([folder, parameters]) => {
        const ask = globalThis.fetch;
        const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:?\d\d)/g;
        globalThis.fetch = async (...words) => {
          const { pathname } = new URL(words[0] instanceof Request ? words[0].url : words[0], location.href);
          if (pathname === '/API/event') return new Response(null, { status: 403 });
          const answer = await ask(...words);
          if (!answer.headers.get('content-type')?.includes('json')) return answer;
          const text = Object.hasOwn(parameters, pathname) ? JSON.stringify(parameters[pathname]) : await answer.text();
          return new Response(
            text.replace(time, '2026-03-02T09:30:00.000Z').replaceAll(folder, '/srv/portico'),
            answer,
          );
        };
      },
      [root, answers] as const,
    );
  };
}

const readJson = async (path: string): Promise<unknown> =>
  existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : undefined;
const own = hasBrowser ? await machine() : undefined;
const theirs = await readJson(`${expectedFolder}/machine.json`);
const isComparable = own !== undefined && (isKeeping || JSON.stringify(own) === JSON.stringify(theirs));
if (own && !isComparable) {
  console.log(
    `Pictures of the page are not compared: they are of ${JSON.stringify(theirs)}, and this machine is ${JSON.stringify(own)}`,
  );
}

describe.runIf(isComparable)('the pages look as in their pictures', () => {
  let site: ClosableSite;
  let places: Places;

  beforeAll(async () => {
    // No transcoder, so that machines with one and without have the same pages.
    site = await openSite({ ffmpeg: '/none' });
    places = await seed(site);
    if (!isKeeping) return;
    await mkdir(expectedFolder, { recursive: true });
    await writeFile(`${expectedFolder}/machine.json`, `${JSON.stringify(own, null, 2)}\n`);
  });
  afterAll(() => site.close());

  it.each(looks.map(([name, size, theme, path, look]) => ({ ...look, name, size, theme, path })))(
    '$name',
    async ({ name, size, theme, path, as = 'administrator', answers, before }) => {
      const page = await site.open({
        ...(as !== 'nobody at all' && { as }),
        at: drawn(path)(places),
        viewport: sizes[size],
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
        prepare: fixed(site.root, answers),
      });
      await page.waitForLoadState('networkidle');
      await before?.(page);
      await page.mouse.move(0, 0);
      await still(page);
      const taken = await small(await shoot(page));
      const file = `${expectedFolder}/${name}.png`;
      if (isKeeping) {
        await writeFile(file, taken);
        return;
      }
      const { share, marked } = await compare(await readFile(file), taken);
      if (share > max) {
        await mkdir(actualFolder, { recursive: true });
        await writeFile(`${actualFolder}/${name}.png`, taken);
        await writeFile(`${actualFolder}/${name}-marked.png`, Buffer.from(marked, 'base64'));
      }
      expect(
        share,
        `${name} differs: ${actualFolder}/${name}.png, and what differs in ${name}-marked.png`,
      ).toBeLessThanOrEqual(max);
    },
  );
});
