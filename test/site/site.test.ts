import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  bringAxe,
  browserOf,
  type ClosableSite,
  hasBrowser,
  openSite,
  passwordOf,
  shoot,
  violations,
} from '../../web/test/support.ts';
import { basic } from '../support/matrix.ts';

/** `npm run test:site`: the site that `npm run docs:site` wrote, as files and in Chromium. */

const out = 'dist-site';
const [version] = JSON.parse(await readFile(`${out}/versions.json`, 'utf8'));
const names = readdirSync(out, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.startsWith(`${version}/`) || !name.includes('/'))
  .sort();
const pages = new Map<string, string>();
for (const name of names) if (name.endsWith('.html')) pages.set(name, await readFile(join(out, name), 'utf8'));

const attributesOf = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value]) => value!.replaceAll('&amp;', '&'));
const isForeign = (address: string) => /^(?:\w+:|\/\/)/.test(address);
const resourcesOf = (html: string) =>
  attributesOf(html, /<(?:script|link|img|source|video|iframe)\b[^>]*? (?:src|href)="([^"]*)"/g);
const linksOf = (html: string) => attributesOf(html, /<a\b[^>]*? href="([^"]*)"/g);
/** Files that links of a page lead to, without anchors. */
const filesOf = (name: string, links: readonly string[]) =>
  links
    .filter((link) => !isForeign(link))
    .map((link) => [link, posix.join(posix.dirname(name), link.split('#')[0]!)] as const);

describe('the files of the site', () => {
  it('ask for nothing elsewhere', async () => {
    const foreign = [...pages].flatMap(([name, html]) =>
      resourcesOf(html)
        .filter(isForeign)
        .map((to) => [name, to]),
    );
    expect(foreign).toEqual([]);
    const code = names.filter((name) => /assets\/[\w.]+\.(?:css|js)$/.test(name));
    expect(code.length).toBeGreaterThan(4);
    for (const name of code)
      expect(await readFile(join(out, name), 'utf8'), name).not.toMatch(
        /(?:url\(|import|fetch\()\s*\(?["'`]?(?:https?:)?\/\//,
      );
  });

  it('have links that lead to files and headings', () => {
    const broken = [...pages].flatMap(([name, html]) =>
      filesOf(name, [...resourcesOf(html), ...linksOf(html)]).flatMap(([link, file]) => {
        const to = link.startsWith('#') ? name : file;
        const anchor = link.split('#')[1];
        const isThere =
          names.includes(to) && (!anchor || pages.get(to)?.includes(` id="${decodeURIComponent(anchor)}"`));
        return isThere ? [] : [`${name}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('are two clicks from each other', () => {
    const reached = new Map(
      [...pages].map(([name, html]) => [name, filesOf(name, linksOf(html)).map(([, file]) => file)]),
    );
    const docs = [...pages.keys()].filter((name) => name.startsWith(`${version}/`));
    expect(docs.length).toBeGreaterThan(100);
    for (const name of docs) {
      const first = reached.get(name)!;
      const second = new Set([name, ...first, ...first.flatMap((file) => reached.get(file) ?? [])]);
      expect(
        docs.filter((each) => !second.has(each)),
        `from ${name}`,
      ).toEqual([]);
    }
  });

  it('have every page of the docs once, and list none twice', async () => {
    const markdown = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    const paths = markdown.map(
      (name) => `${version}/docs/${name.replace(/README\.md$/, 'index.md').replace(/md$/, 'html')}`,
    );
    expect(paths.filter((path) => !pages.has(path))).toEqual([]);
    const html = pages.get(`${version}/index.html`)!;
    const listed = linksOf(html.slice(html.indexOf('<nav'), html.indexOf('</nav>')));
    expect(listed.filter((link, index) => listed.indexOf(link) !== index)).toEqual([]);
  });
});

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const types = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
]);

/** A plain server of files, below a path. */
const files = createServer(async ({ url }, answer) => {
  const { pathname } = new URL(url!, 'http://here');
  const name = pathname.replace(/^\/below\//, '');
  const bytes = names.includes(name) ? await readFile(join(out, name)).catch(() => undefined) : undefined;
  answer
    .writeHead(bytes ? 200 : 404, { 'content-type': types.get(name.split('.').at(-1)!) ?? 'text/plain' })
    .end(bytes);
});

describe.runIf(hasBrowser)('the site in a browser', () => {
  let origin: string;
  let service: ClosableSite;

  beforeAll(async () => {
    await new Promise<void>((listening) => files.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    service = await openSite({ corsOrigins: [origin] });
  });
  afterAll(async () => {
    files.close();
    await service.close();
  });

  /** A page of the site. Errors, and requests to any other origin, fail its test. */
  async function open(path: string, options: BrowserContextOptions = {}, also: readonly string[] = []) {
    const context = await (await browserOf()).newContext({ viewport: desktop, ...options });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) wrong.push(message.text());
    });
    page.on('request', (request) => {
      if (![origin, ...also].includes(new URL(request.url()).origin)) wrong.push(`asks ${request.url()}`);
    });
    onTestFinished(async () => {
      await context.close();
      expect(wrong).toEqual([]);
    });
    await page.goto(`${origin}/below/${path}`);
    return page;
  }

  async function expectSound(page: Page, state: string) {
    await shoot(page, state.replace(/\W+/g, '-'));
    await bringAxe(page);
    expect(await violations(page), state).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), state).toBeLessThanOrEqual(0);
  }

  it('begins at the newest version, and offers all', async () => {
    const page = await open('index.html');
    await page.waitForURL(`**/${version}/index.html`);
    await expect.poll(() => page.getByLabel('Version').locator('option').allTextContents()).toContain(version);
  });

  it('leads to the same page of another version, or to its first page', async () => {
    const page = await open(`${version}/docs/guide/web.html`);
    const isThere = (url: URL) => /9\.9\.9\/(?:index|docs\/guide\/mail)\.html$/.test(url.pathname);
    await page.route('**/versions.json', (route) => route.fulfill({ json: ['9.9.9', version] }));
    await page.route(isThere, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    for (const [path, other] of [
      ['web', 'index'],
      ['mail', 'docs/guide/mail'],
    ]) {
      await page.goto(`${origin}/below/${version}/docs/guide/${path}.html`);
      await page.getByLabel('Version').selectOption('9.9.9');
      await page.waitForURL(`**/below/9.9.9/${other}.html`);
    }
  });

  it('finds sections by words and by beginnings of words', async () => {
    const page = await open(`${version}/docs/index.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('trusted prox');
    const first = page.locator('#results a').first();
    await expect.poll(() => first.textContent()).toContain('Trusted proxies');
    await shoot(page, 'search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/operate/proxies.html#trusted-proxies');
    await page.getByLabel('Search').fill('xqzvwk');
    await page.getByText('Nothing has these words').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#results').isVisible()).toBe(false);
  });

  it('turns dark, and stays so', async () => {
    const page = await open(`${version}/index.html`);
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await ground()).toBe(dark);
    await page.getByRole('button', { name: 'Light' }).waitFor();
  });

  describe.each([
    ['a desktop, light', { viewport: desktop, colorScheme: 'light' as const }],
    ['a phone, dark', { viewport: phone, colorScheme: 'dark' as const }],
  ])('on %s', (device, options) => {
    it.each(['index', 'docs/index', 'docs/guide/why-portico', 'docs/operate/figures', 'docs/reference/api/identity'])(
      'keeps WCAG 2.2 AA, and is not too wide: %s',
      async (path) => expectSound(await open(`${version}/${path}.html`, options), `${path} on ${device}`),
    );
  });

  it('has its pages behind a button on a phone, and room for a search, and prints the page alone', async () => {
    const page = await open(`${version}/docs/reference/api/identity.html`);
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    expect(await navigation.isVisible()).toBe(true);
    await page.setViewportSize(phone);
    expect(await navigation.isVisible()).toBe(false);
    const search = page.getByLabel('Search');
    const width = async () => (await search.boundingBox())!.width;
    expect(await width()).toBeGreaterThan(110);
    await search.click();
    expect(await width()).toBeGreaterThan(phone.width * 0.6);
    await page.getByRole('button', { name: 'Pages' }).click();
    await navigation.getByText('Operate').click();
    await shoot(page, 'menu-phone-light');
    await navigation.getByRole('link', { name: 'Sizing' }).click();
    await page.waitForURL('**/sizing.html');
    await page.goBack();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    expect(await page.getByText('Maximum number of entries').first().isVisible()).toBe(true);
  });

  it('tries a route on a server of the reader, and says why a browser gets no answer', async () => {
    const headers = { authorization: basic(['admin', passwordOf('administrator')]), accept: 'text/plain' };
    const token = await (await fetch(`${service.address}/API/token?seconds=600`, { headers })).text();
    const page = await open(`${version}/docs/reference/api/identity.html#get-user`, {}, [
      service.address,
      'http://127.0.0.1:9',
    ]);
    const route = page.locator('#get-user');
    const answer = route.locator('output');
    await route.getByRole('button', { name: 'Try it' }).click();
    await route.getByLabel('server', { exact: true }).fill('http://127.0.0.1:9');
    await route.getByRole('button', { name: 'Send GET' }).click();
    await answer.getByText(`PORTICO_CORS_ORIGINS=${origin}`).waitFor();
    await route.getByLabel('server', { exact: true }).fill(service.address);
    await route.getByRole('button', { name: 'Send GET' }).click();
    await answer.getByText(/^401/).waitFor();
    await route.getByLabel('token', { exact: true }).fill(token);
    await route.getByText('more parameters').click();
    await route.getByLabel('number', { exact: true }).fill('2');
    await route.getByRole('button', { name: 'Send GET' }).click();
    await answer.getByText(/^200/).waitFor();
    expect(await answer.textContent()).toContain('/API/user?number=2');
    await expectSound(page, 'a tried route');

    // The tab remembers server and token on the next page. A path takes its parameters, and a body is sent.
    await page.goto(`${origin}/below/${version}/docs/reference/api/many-entities.html`);
    const row = page.locator('[data-route="PUT {entity}/metadata/{key}"]').first();
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Try it' }).click();
    expect(await row.getByLabel('path').locator('option').allTextContents()).not.toContain(
      '/item/{item}/metadata/{key}',
    );
    await row.getByLabel('path').selectOption('/user/{name}/metadata/{key}');
    await row.getByLabel('name', { exact: true }).fill('editor');
    await row.getByLabel('key', { exact: true }).fill('a/b');
    await row.getByLabel('form of the body').selectOption('text/plain');
    await row.getByLabel('body', { exact: true }).fill('tried');
    await row.getByRole('button', { name: 'Send PUT' }).click();
    await row.locator('output').getByText(/^200/).waitFor();
    expect(await service.api('GET', '/user/editor/metadata/a/b')).toEqual({ field: [{ key: 'a/b', value: 'tried' }] });
  });
});
