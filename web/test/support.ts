import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { readSettings, type Settings } from '../../src/composition/settings.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { type Running, startServer } from '../../src/entry/start-server.ts';
import { currentParameters, type HashParameters } from '../../src/identity/passwords/hash.ts';
import { basic } from '../../test/support/matrix.ts';
import { bearerIni } from '../../test/support/ways.ts';

/** Debian's Chromium, or the one that `CHROMIUM_PATH` names. */
const browserPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
export const hasBrowser = existsSync(browserPath);
export const hasFfmpeg = succeeds('ffmpeg', '-version');

/** Six kinds of persons: the ready-made groups, an administrator, and a user without any role. */
export const kinds = ['viewer', 'editor', 'librarian', 'operator', 'administrator', 'nobody'] as const;
export type Kind = (typeof kinds)[number];
export const passwordOf = (kind: Kind): string => `password of ${nameOf(kind)}`;
export const nameOf = (kind: Kind): string => (kind === 'administrator' ? 'admin' : kind);

export interface Site {
  readonly address: string;
  /** Folder of the database and of the storage. */
  readonly root: string;
  /** A call of the API, as `admin` unless said otherwise. Fails unless it is answered well. */
  api<T = unknown>(method: string, path: string, body?: unknown, as?: Kind): Promise<T>;
  /** A page of a fresh context. It is closed with the test, and whatever it did wrong fails the test. */
  open(options?: OpenOptions): Promise<Opened>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** User who is logged in. Absent: nobody. */
  readonly as?: Kind;
  /** Address below `/ui`. */
  readonly at?: string;
  /** Before the page is asked for. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface Opened extends Page {
  /** Errors of the console, of scripts, of the policy, and requests to other origins. Those that a test expects it takes out. */
  readonly wrong: string[];
  /** Status and path of answers of the API with 4xx or 5xx. */
  readonly refused: string[];
}

/** Passwords of tests need no hash that takes a sixth of a second. */
Object.assign(currentParameters, { cost: 4, parallel: 1 } satisfies Partial<HashParameters>);

/** Browser shared by all pages of a process. */
let browser: Promise<Browser> | undefined;
export const browserOf = (): Promise<Browser> => {
  // Without a process for each site, none is started ahead for every page.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-site-isolation-trials'];
  browser ??= chromium.launch({ executablePath: browserPath, args });
  return browser;
};

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

/** A service on a free port with a database of its own, and one user of each kind. For all tests of a file. */
export async function openSite(
  settings: Partial<Settings> = {},
  /** Statements of `[main]`, behind those of the built-in security.ini. */
  statements: readonly string[] = [],
): Promise<ClosableSite & Pick<Running, 'service'>> {
  const root = await mkdtemp(join(tmpdir(), 'portico-page-'));
  if (statements.length > 0) await writeFile(join(root, 'security.ini'), bearerIni(statements).text);
  const defaultValue = {
    ...readSettings({}),
    root,
    port: 0,
    logLevel: 'error',
    adminPassword: new Secret(passwordOf('administrator')),
  };
  const running = await startServer({ ...defaultValue, ...settings } as Settings, () => undefined);
  const site = siteAt(running.address, root);
  await addPeople(site);
  return {
    ...site,
    service: running.service,
    async close() {
      await running.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export type ClosableSite = Site & { close(): Promise<void> };

/** A service that runs at an address already. */
export function siteAt(address: string, root: string): Site {
  async function api<T>(method: string, path: string, body?: unknown, as: Kind = 'administrator'): Promise<T> {
    const isPlain = typeof body === 'string' || body instanceof Uint8Array;
    const type = body instanceof Uint8Array ? 'application/octet-stream' : isPlain ? 'text/plain' : 'application/json';
    const response = await fetch(`${address}/API${path}`, {
      method,
      headers: {
        authorization: basic([nameOf(as), passwordOf(as)]),
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: isPlain ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : text) as T;
  }
  const site: Site = { address, root, api, open: (options) => openPage(site, options) };
  return site;
}

/** The ready-made groups, and one user of each kind. */
export async function addPeople({ address, api }: Site): Promise<void> {
  const authorization = basic([nameOf('administrator'), passwordOf('administrator')]);
  const groupsAnswer = await fetch(`${address}/APIinit/groups`, { method: 'PUT', headers: { authorization } });
  expect(groupsAnswer.status).toBe(200);
  for (const kind of kinds) {
    if (kind === 'administrator') continue;
    const groupList = kind === 'nobody' ? {} : { groupList: { group: [{ groupName: kind }] } };
    await api('POST', '/user', {
      userName: kind,
      realName: `${kind} person`,
      password: passwordOf(kind),
      ...groupList,
    });
  }
}

export async function openPage(
  site: Pick<Site, 'address'>,
  { as, at = '/', prepare, ...options }: OpenOptions = {},
): Promise<Opened> {
  const context = await (await browserOf()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  // A busy machine is no fault.
  context.setDefaultTimeout(90_000);
  const page = Object.assign(await context.newPage(), { wrong: [] as string[], refused: [] as string[] });
  const { wrong, refused } = page;
  page.on('pageerror', ({ message }) => wrong.push(`script: ${message}`));
  page.on('console', (message) => {
    // A refusal of the API is told in `refused`.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) wrong.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    // A browser reads documents with parts of its own.
    const isOfBrowser = ['blob:', 'data:', 'chrome:', 'chrome-extension:'].includes(url.protocol);
    if (!isOfBrowser && url.origin !== site.address) wrong.push(`asks ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    const { pathname, search } = new URL(response.url());
    refused.push(`${response.status()} ${response.request().method()} ${pathname}${search}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong, 'Errors of the page').toEqual([]);
  });
  if (as) await logIn(page, site, as);
  await prepare?.(page);
  await page.goto(`${site.address}/ui${at}`);
  await page.waitForSelector('main:not([hidden])');
  return page;
}

/** The cookie of a login, without the form. */
export async function logIn(page: Page, site: Pick<Site, 'address'>, kind: Kind): Promise<void> {
  const response = await page.request.post(`${site.address}/API/session`, {
    headers: { authorization: basic([nameOf(kind), passwordOf(kind)]), 'portico-ui': '1' },
  });
  expect(response.status()).toBe(204);
}

/** All pictures of the page are drawn, and nothing moves. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('.skeleton') === null && document.getAnimations().length === 0,
  );
  // The grid may draw other tiles meanwhile.
  await page.waitForFunction(() =>
    Promise.all([...document.images].map((image) => image.decode())).then(
      () => true,
      () => false,
    ),
  );
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Rules of axe that look at colours. A scheme of colours changes nothing for the others. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** Violations of WCAG 2.2 AA, in light and in dark colours. The page stays dark. */
export async function violationsInBothSchemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await violations(page, rulesOfColours)).map((line) => `dark: ${line}`)];
}

/** A page wide and light, and then narrow and dark: it keeps WCAG 2.2 AA, and nothing is wider than the window. */
export async function expectSound(page: Page, state: string): Promise<void> {
  await bringAxe(page);
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    expect([state, width, await violations(page)]).toEqual([state, width, []]);
    const wider = () => page.evaluate(() => document.querySelector('main')!.scrollWidth - innerWidth);
    await expect.poll(wider, { message: `${state} is wider than ${width} pixels` }).toBeLessThanOrEqual(0);
  }
}

/** Violations of WCAG 2.2 AA, or of these rules alone, each with its elements. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Colours that are on their way from one scheme to the other belong to neither.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Infinity),
  );
  const results = await page.evaluate(
    // Within a function of the browser: trusted types refuse to run a text.
    async (only) => {
      const { axe } = globalThis as unknown as { readonly axe: typeof import('axe-core') };
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
      const runOnly = only ? { type: 'rule' as const, values: only } : { type: 'tag' as const, values: tags };
      const { violations } = await axe.run(document, { runOnly });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    },
    rules && [...rules],
  );
  return results;
}

/** Makes axe known to a page. It is a part of its test, so the policy of the page does not bind it. */
export async function bringAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  await session.detach();
}

/** A picture of the page in the folder that `PORTICO_SHOTS` names. Without that name there is none. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['PORTICO_SHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** A storage for files, in the root unless told. Gives its id. */
export async function seedStorage(
  { api, root }: Site,
  uri = `${pathToFileURL(join(root, 'media'))}/`,
): Promise<string> {
  const method = [{ uri, read: true, write: true, browse: true }];
  const { id } = await api<{ readonly id: string }>('POST', '/storage', { type: 'LOCAL', capacity: 1e9, method });
  return id;
}

type Fields = Readonly<Record<string, string>>;

export const metadataOf = (fields: Fields) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] })),
    },
  ],
});

/** Items without media, as many as wanted. Gives their ids. */
export async function seedItems({ api }: Site, titles: readonly string[], fields: Fields = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) {
    const { id } = await api<{ readonly id: string }>('POST', '/import/placeholder', metadataOf({ title, ...fields }));
    ids.push(id);
  }
  return ids;
}

/** A film of two seconds with a clock, and a tone. Undefined without ffmpeg. */
export async function makeFilm(
  { root }: Site,
  { seconds = 2, name = 'film.mp4', rate = '25' } = {},
): Promise<string | undefined> {
  if (!hasFfmpeg) return undefined;
  const path = join(root, name);
  const sources = [
    ...['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=${rate}:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
  ];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac'];
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...sources, ...codecs, '-movflags', '+faststart', path]);
  return path;
}

/** An item of a file with thumbnails, after its job has ended. Needs a storage. */
export async function importFile(site: Site, path: string, fields: Fields = {}): Promise<string> {
  const filename = path.split('/').at(-1)!;
  const query = new URLSearchParams({ filename, tag: 'original', createThumbnails: 'true' });
  const { jobId } = await site.api<{ readonly jobId: string }>('POST', `/import/raw?${query}`, await readFile(path));
  const item = await endOfJob(site, jobId);
  if (Object.keys(fields).length > 0) await site.api('PUT', `/item/${item}/metadata`, metadataOf(fields));
  return item;
}

interface Job {
  readonly status: string;
  readonly data?: readonly { readonly key: string; readonly value: string }[];
}

/** Waits until a job has finished. Gives the item of its data. */
export async function endOfJob({ api }: Site, id: string): Promise<string> {
  // Also in `beforeAll`, where a poll of `expect` is refused.
  const job = await vi.waitFor(
    async () => {
      const now = await api<Job>('GET', `/job/${id}?metadata=true`);
      expect(now.status).toMatch(/^(?:FINISHED|FAILED|ABORTED)/);
      return now;
    },
    { timeout: 120_000 },
  );
  expect(job.status).toMatch(/^FINISHED/);
  return job.data!.find(({ key }) => key === 'itemId')!.value;
}

function succeeds(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
