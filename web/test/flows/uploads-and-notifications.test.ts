import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createLine, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ItemType } from 'portico/types';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type ClosableSite,
  expectSound,
  hasBrowser,
  hasFfmpeg,
  type OpenOptions,
  openPage,
  openSite,
  seedStorage,
} from '../support.ts';

const patience = { timeout: 90_000 };

let site: ClosableSite;
let receiver: Server;
/** Answer of the receiver of notifications. */
let answer = { status: 500, text: '<img src=x onerror=alert(1)> closed' };
const received: string[] = [];

interface Found {
  readonly hits: number;
  readonly item: readonly ItemType[];
}

interface Notification {
  readonly action: { readonly http: object };
  readonly trigger: unknown;
}

const open = (at: string, options: OpenOptions = {}) => site.open({ as: 'administrator', at, ...options });

/** A storage takes what a test brings in: made where no earlier test has made one. */
async function needStorage(): Promise<string> {
  const { storage = [] } = await site.api<{ readonly storage?: readonly { readonly id: string }[] }>('GET', '/storage');
  return storage[0]?.id ?? seedStorage(site);
}

/** A film of some 20 MB where ffmpeg is, and as many zeros otherwise. */
function largeFile(): string {
  if (hasFfmpeg) {
    const film = join(site.root, 'harbour.mp4');
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25:duration=26'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-c:v', 'libx264', '-preset', 'ultrafast', film]);
    return film;
  }
  const zeros = join(site.root, 'harbour.bin');
  writeFileSync(zeros, Buffer.alloc(20_000_000));
  return zeros;
}

/** A way to the service that holds each connection after so many bytes of the browser, and breaks when told. */
async function openLine() {
  const ends = new Set<Socket>();
  const line = {
    address: '',
    max: 7_000_000,
    break: () => {
      for (const end of ends) end.destroy();
    },
  };
  const server = createLine((socket) => {
    const service = connect(Number(new URL(site.address).port), '127.0.0.1');
    let passed = 0;
    for (const end of [socket, service]) {
      ends.add(end.on('error', () => undefined));
      end.on('close', () => {
        ends.delete(end);
        socket.destroy();
        service.destroy();
      });
    }
    service.pipe(socket);
    socket.on('data', (bytes) => {
      passed += bytes.length;
      if (passed > line.max) socket.pause();
      else if (!service.write(bytes)) socket.pause();
    });
    service.on('drain', () => socket.resume());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    line.break();
    server.close();
  });
  line.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}

describe.runIf(hasBrowser)('storages, uploads and notifications', () => {
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request
        .on('data', () => undefined)
        .on('end', () => {
          received.push(request.url ?? '');
          response.statusCode = answer.status;
          response.end(answer.text);
        });
    }).listen(0, '127.0.0.1');
    site = await openSite({ minFreeBytes: 0, outboundAllow: ['127.0.0.0/8'] });
  });

  afterAll(async () => {
    await site?.close();
    receiver?.close();
  });

  it('makes a storage in the folder that the service proposes, scans it, and finds a file', async () => {
    const page = await open('/storages');
    await page.getByRole('button', { name: 'Make a storage' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Address of the folder').inputValue()).toMatch(/^file:\/\/.*\/media\/$/);
    await dialog.getByRole('button', { name: 'Make a storage' }).click();
    await page.getByRole('link', { name: 'media' }).click();
    await page.getByText('This folder is empty.').waitFor(patience);
    writeFileSync(join(site.root, 'media/<img src=x onerror=alert(1)>.txt'), 'hello');
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
  });

  it('uploads 20 MB, goes on after the connection broke and after a reload, and makes one item', async () => {
    await needStorage();
    const file = largeFile();
    const rushes = await site.api<{ readonly id: string }>('POST', '/collection?name=Rushes');
    const line = await openLine();
    const page = await openPage(line, { as: 'administrator', at: '/uploads' });
    const row = page.locator('.upload-row');
    const percent = async () => Number(await row.getByRole('progressbar').getAttribute('aria-valuenow'));
    await page.getByLabel('Add to a collection').selectOption({ label: 'Rushes' });
    await page.locator('input[type=file]').first().setInputFiles(file);
    await expect.poll(percent, patience).toBeGreaterThan(5);
    line.break();
    await expect.poll(percent, patience).toBeGreaterThan(30);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await row.getByText('Not sent: choose the file again').waitFor(patience);
    const offsets: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
    });
    line.max = Number.POSITIVE_INFINITY;
    await page.locator('input[type=file]').first().setInputFiles(file);
    await row.getByText('In the library').waitFor({ timeout: 120_000 });
    // How much the service has kept of what was sent is a matter of buffers.
    expect(offsets[0]).toBeGreaterThan(0);
    const { hits, item } = await site.api<Found>('GET', '/item?content=metadata,thumbnail&field=originalFilename');
    expect([hits, JSON.stringify(item)]).toEqual([1, expect.stringContaining('harbour')]);
    const id = await row.getByRole('link').getAttribute('href');
    expect(id).toBe(`/ui/item/${item[0]!.id}`);
    if (file.endsWith('.mp4')) expect(item[0]!.thumbnails?.uri?.length).toBeGreaterThan(0);
    const { content } = await site.api<{ readonly content: unknown }>('GET', `/collection/${rushes.id}`);
    expect(content).toMatchObject([{ id: item[0]!.id }]);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.locator('tbody').getByText('Upload import').waitFor(patience);
  }, 240_000);

  it('names each file that was not sent when the page is loaded again, and goes on with those that are chosen', async () => {
    await needStorage();
    const page = await open('/uploads');
    await page.route('**/API/upload', (route) => route.abort());
    const files = Array.from({ length: 6 }, (_, at) => join(site.root, `rest ${at}.txt`));
    for (const file of files) writeFileSync(file, 'rest');
    const chooser = page.locator('input[type=file]').first();
    await chooser.setInputFiles(files);
    await page.locator('.upload-row').nth(5).waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('6 not sent', { exact: true }).waitFor();
    expect(await page.locator('.upload-name').allTextContents()).toEqual(
      expect.arrayContaining(files.map((_, at) => expect.stringContaining(`rest ${at}.txt`))),
    );
    await page.goto(page.url().replace('/uploads', '/'));
    await page.unroute('**/API/upload');
    const [opened] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.locator('.tile', { hasText: 'rest 5.txt' }).getByText('Not sent: choose the file again').click(),
    ]);
    await opened.setFiles(files.slice(5));
    await expect.poll(() => page.locator('.tile', { hasText: 'Not sent' }).count(), patience).toBe(5);
    await page.getByRole('link', { name: '5 not sent' }).click();
    await chooser.setInputFiles(files.slice(0, 5));
    await page.getByText('6 in the library', { exact: true }).waitFor(patience);
  });

  it('pauses an upload, goes on, and takes it off the list: the service forgets its bytes', async () => {
    await needStorage();
    const line = await openLine();
    const page = await openPage(line, { as: 'administrator', at: '/uploads' });
    const parts: URL[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') parts.push(new URL(request.url()));
    });
    const row = page.locator('.upload-row');
    const button = (name: RegExp) => row.getByRole('button', { name });
    await page.locator('input[type=file]').first().setInputFiles(largeFile());
    await expect.poll(() => parts.length, patience).toBe(1);
    await button(/^Pause/).click();
    await row.getByText('Paused').waitFor();
    await button(/^Go on/).click();
    await expect.poll(() => parts.length, patience).toBe(2);
    expect(parts[1]!.pathname).toBe(parts[0]!.pathname);
    const upload = parts[0]!.pathname.slice('/API'.length);
    await site.api('GET', upload);
    await button(/^Remove/).click();
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => site.api('GET', upload).catch(String), patience).toContain('404');
  });

  it('makes a notification that fails, shows what the receiver answered, and sends the parked event again', async () => {
    const page = await open('/notifications');
    await page.getByRole('button', { name: 'Make a notification' }).click();
    const dialog = page.getByRole('dialog');
    const { port } = receiver.address() as AddressInfo;
    await dialog.getByLabel('About').selectOption('item');
    await dialog.getByLabel('item create').check();
    expect(await dialog.getByLabel('item delete').isEnabled()).toBe(true);
    expect(await dialog.getByLabel('shape create').isEnabled()).toBe(false);
    await dialog.getByLabel('About').selectOption('group');
    await dialog.getByLabel('group create').check();
    await dialog.getByLabel('Address of the receiver').fill(`http://127.0.0.1:${port}/desk`);
    await dialog.getByRole('button', { name: 'Make a notification' }).click();
    await dialog.waitFor({ state: 'detached' });
    const at = 'group/notification/VX-1';
    const { action, trigger } = await site.api<Notification>('GET', `/${at}`);
    await site.api('PUT', `/${at}`, { action: { http: { ...action.http, retry: 1 } }, trigger });
    await site.api('PUT', '/group/desk');
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
    await page.locator('tbody').getByText('Delivered').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.page-head').getByText('Paused').waitFor(patience);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.page-head').getByText('Works').waitFor(patience);
    expect(received.length).toBeGreaterThan(1);
  }, 240_000);

  it('keeps the rules of WCAG 2.2 AA on each page', async () => {
    const storage = await needStorage();
    const { port } = receiver.address() as AddressInfo;
    const notification = await site.api<{ readonly uri: readonly string[] }>('POST', '/group/notification', {
      action: { http: { url: `http://127.0.0.1:${port}/desk`, contentType: 'application/json' } },
      trigger: { group: { delete: '' } },
    });
    const { id: item } = await site.api<{ readonly id: string }>('POST', '/import/placeholder?container=1');
    const { jobId } = await site.api<{ readonly jobId: string }>('POST', `/item/${item}/analyze?holdJob=true`);
    const page = await open('/uploads');
    const paths = [
      ...['uploads', 'jobs', `job/${jobId}`, 'storages', `storage/${storage}`],
      ...['notifications', `notification/group/${notification.uri[0]!.split('/').at(-1)}`],
    ];
    for (const path of paths) {
      await page.goto(`${site.address}/ui/${path}`);
      await page.locator('main h1').waitFor(patience);
      expect([path, await page.getByText('is not there').count()]).toEqual([path, 0]);
      await expectSound(page, path);
    }
  });

  it('marks the place of the bar whose page is shown', async () => {
    const page = await site.open({ as: 'administrator' });
    const places = await page.locator('.bar li a').all();
    expect(places.length).toBeGreaterThan(9);
    for (const place of places) {
      await place.click();
      await expect
        .poll(() => page.locator('.bar [aria-current=page]').allTextContents())
        .toEqual([await place.textContent()]);
    }
  });

  it('shows a viewer no control of operators, and says which role is missing', async () => {
    const page = await open('/uploads', { as: 'viewer' });
    await page.getByText('You may not do this. It needs “Import media”, the role _import.').waitFor(patience);
    for (const name of ['Uploads', 'Storages', 'Notifications'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0);
    await page.goto(`${site.address}/ui/jobs`);
    await page.getByText('There are no jobs yet.').waitFor(patience);
    expect(await page.getByLabel('Only mine').count()).toBe(0);
  });
});
