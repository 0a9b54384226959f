import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Served, startCli } from '../../../test/support/cli.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const password = 'password of the administrator';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = { timeout: 30_000 };

let served: Served;
let browser: Browser;
let receiver: Server;
/** Answer of the receiver of notifications. */
let answer = { status: 500, text: '<img src=x onerror=alert(1)> closed' };
const received: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'portico-flows-'));
const problems: string[] = [];

const api = async (request: string, body?: unknown) => {
  const [method, path] = request.split(' ');
  const headers = {
    authorization: `Basic ${btoa(`admin:${password}`)}`,
    accept: 'application/json',
    'content-type': 'application/json',
  };
  const response = await fetch(`http://127.0.0.1:${served.port}/API${path}`, {
    method: method!,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, request).toBeLessThan(300);
  const text = await response.text();
  return text.startsWith('{') ? JSON.parse(text) : text;
};

/** A page of the person, logged in. What goes wrong in it fails the test. */
async function open(
  path: string,
  { name = 'admin', word = password, ...options }: BrowserContextOptions & { name?: string; word?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !/401|ERR_INTERNET_DISCONNECTED/.test(text)) problems.push(text);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`http://127.0.0.1:${served.port}/`) && !request.url().startsWith('blob:'))
      problems.push(request.url());
  });
  await page.goto(`http://127.0.0.1:${served.port}/ui${path}`);
  await page.locator('input[autocomplete=username]').fill(name);
  await page.locator('input[type=password]').fill(word);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.shell');
  return page;
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run(root: Element, options: object): Promise<AxeResult> } }).axe;
    const found = await run(document.querySelector('main')!, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

describe.runIf(existsSync(executablePath))('the house in a browser', () => {
  beforeAll(async () => {
    const root = join(folder, 'instance');
    execFileSync('mkdir', ['-p', root]);
    receiver = createServer((request, response) => {
      request
        .on('data', () => undefined)
        .on('end', () => {
          received.push(request.url ?? '');
          response.statusCode = answer.status;
          response.end(answer.text);
        });
    }).listen(0, '127.0.0.1');
    const environment = {
      PORTICO_ADMIN_PASSWORD: password,
      PORTICO_MIN_FREE_BYTES: '0',
      PORTICO_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    [served, browser] = await Promise.all([
      startCli({ root, environment }),
      chromium.launch({ executablePath, args: ['--no-sandbox'] }),
    ]);
  });

  afterEach(() => {
    expect(problems.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    served?.child.kill('SIGKILL');
    receiver?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes a storage in the folder that the service proposes, scans it, and finds a file', async () => {
    const page = await open('/storages');
    await page.getByRole('button', { name: 'Make a storage' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Address of the folder').inputValue()).toMatch(/^file:\/\/.*\/media\/$/);
    await dialog.getByRole('button', { name: 'Make a storage' }).click();
    await page.getByRole('link', { name: 'VX-1' }).click();
    await page.getByText('This folder is empty.').waitFor(patience);
    writeFileSync(join(folder, 'instance/media/<img src=x onerror=alert(1)>.txt'), 'hello');
    await page.getByRole('button', { name: 'Scan now' }).click();
    await expect
      .poll(async () => {
        await page.reload();
        return page
          .locator('tbody')
          .innerText({ timeout: 2_000 })
          .catch(() => '');
      }, patience)
      .toContain('<img src=x onerror=alert(1)>.txt');
    await page.context().close();
  });

  it('makes a notification that fails, shows what the receiver answered, and sends the parked event again', async () => {
    const page = await open('/notifications');
    await page.getByRole('button', { name: 'Make a notification' }).click();
    const dialog = page.getByRole('dialog');
    const { port } = receiver.address() as AddressInfo;
    await dialog.getByLabel('About').selectOption('group');
    await dialog.getByLabel('group create').check();
    await dialog.getByLabel('Address of the receiver').fill(`http://127.0.0.1:${port}/desk`);
    await dialog.getByRole('button', { name: 'Make a notification' }).click();
    await dialog.waitFor({ state: 'detached' });
    const at = 'group/notification/VX-1';
    const { action, trigger } = await api(`GET /${at}`);
    await api(`PUT /${at}`, { action: { http: { ...action.http, retry: 1 } }, trigger });
    await api('PUT /group/desk');
    await page.locator('tbody a').first().click();
    await page.getByText('One event is parked').waitFor({ timeout: 90_000 });
    await page
      .getByRole('button', { name: /^Look at attempt/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText(answer.text).waitFor(patience);
    await page.keyboard.press('Escape');
    answer = { status: 200, text: '' };
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.locator('tbody').getByText('Delivered').first().waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.page-head').getByText('Paused').waitFor(patience);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.page-head').getByText('Works').waitFor(patience);
    expect(received.length).toBeGreaterThan(1);
    await page.context().close();
  }, 240_000);

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('keeps the rules of WCAG 2.2 AA on each page, %s, at a width of %s', async (colorScheme, width) => {
    const page = await open('/upload', { colorScheme, viewport: { width, height: 844 }, bypassCSP: true });
    const paths = [
      'upload',
      'jobs',
      'job/VX-1',
      'storages',
      'storage/VX-1',
      'notifications',
      'notification/group/VX-1',
    ];
    for (const path of paths) {
      await page.goto(`http://127.0.0.1:${served.port}/ui/${path}`);
      await page.locator('main h1').waitFor(patience);
      expect([path, await violations(page)]).toEqual([path, []]);
      const wider = await page.evaluate(() => document.querySelector('main')!.scrollWidth - innerWidth);
      expect([path, wider <= 0]).toEqual([path, true]);
    }
    await page.context().close();
  });

  it('shows a viewer no control of operators, and says which role is missing', async () => {
    await api('PUT /group/lookers');
    for (const role of ['_item_read', '_item_search']) await api(`PUT /group/${role}/group/lookers`);
    await api('POST /user', {
      userName: 'viewer',
      password: 'password of viewer',
      groupList: { group: [{ groupName: 'lookers' }] },
    });
    const page = await open('/upload', { name: 'viewer', word: 'password of viewer' });
    await page.getByText('This needs the role _import.').waitFor(patience);
    for (const name of ['Uploads', 'Storages', 'Notifications'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0);
    await page.goto(`http://127.0.0.1:${served.port}/ui/jobs`);
    await page.getByText('No jobs fit this filter.').waitFor(patience);
    expect(await page.getByLabel('Only mine').count()).toBe(0);
    await page.context().close();
  });
});
