import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import type { Wire, WireAnswer } from '../../../src/core/outbound/wire.ts';
import { fileScheme } from '../../../src/entry/native/file-storage/scheme.ts';
import { openImportSource } from '../../../src/production/ingest/sources/open.ts';
import {
  hasCredentials,
  nameIn,
  type SourceParts,
  shownAddress,
} from '../../../src/production/ingest/sources/source.ts';
import { JobFails } from '../../../src/room/jobs/job-type.ts';
import { testClock } from '../../support/clock.ts';

/** Web servers by their addresses: status, headers and bytes. */
type Web = Readonly<Record<string, { status?: number; headers?: Record<string, string>; body?: string }>>;

/** Names lead to the addresses that they begin with: `1.2.3.4.test`. */
function addressOf(name: string): string {
  if (name === 'localhost') return '127.0.0.1';
  return /^(?:\d+\.){4}/.test(name) ? name.split('.').slice(0, 4).join('.') : '93.184.216.34';
}

function wireOf(web: Web, asked: string[]): Wire {
  return {
    resolve: async (name: string) => [addressOf(name)],
    async send(_address, request) {
      asked.push(request.url.href);
      const { status = 200, headers = {}, body = '' } = web[request.url.href] ?? { status: 404 };
      const bytes = new TextEncoder().encode(body);
      const told = new Headers({ 'content-length': String(bytes.byteLength), ...headers });
      return {
        status,
        headers: told,
        address: undefined,
        body: new Blob([bytes]).stream(),
      } as unknown as WireAnswer;
    },
  } as Wire;
}

async function sources(web: Web = {}) {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'portico-imports-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, 'in');
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await writeFile(join(root, 'clip one.mov'), 'hello');
  await writeFile(join(base, 'outside', 'secret.txt'), 'secret');
  await symlink(join(base, 'outside'), join(root, 'link'));
  await symlink(join(base, 'outside', 'secret.txt'), join(root, 'linked.txt'));
  const settings = { root: base, storageRoots: [join(base, 'storages')], importRoots: [root], minFreeBytes: 0 };
  const scheme = fileScheme(settings, { randomBytes: (length) => new Uint8Array(length) });
  onTestFinished(async () => scheme.close?.());
  const asked: string[] = [];
  const outbound = createOutbound({ wire: wireOf(web, asked), allow: [], clock: testClock() });
  const parts = {
    store: { read: () => [] },
    security: { storages: () => [scheme] },
    sharesWork: true,
    stream: outbound.stream,
    places: undefined,
    settings: { maxTransferBytes: 1000 },
  } as unknown as SourceParts;
  const read = async (address: string) => {
    const source = await openImportSource(parts, async () => undefined, address);
    return { ...source, text: await new Response(await source.body()).text() };
  };
  return { base, root, asked, read };
}

it('reads a file below the folders of imports, by each spelling of its address', async () => {
  const { root, read } = await sources();
  const path = `${root}/clip%20one.mov`;
  for (const address of [`file://${path}`, `file:${path}`, `FILE://${path}`, `file://localhost${path}`]) {
    expect(await read(address)).toMatchObject({ name: 'clip one.mov', size: 5, text: 'hello' });
  }
  expect((await read(encodeURIComponent(`file://${path}`))).text).toBe('hello');
});

it.each([
  'file:///etc/passwd',
  'file:/etc/passwd',
  'FILE:///etc/passwd',
  'file://localhost/etc/passwd',
  'file%3A%2F%2F%2Fetc%2Fpasswd',
  'file:///etc/./passwd',
  'file:///proc/self/root/etc/passwd',
  'file:////etc/passwd',
  'file:///etc/passwd%00.mov',
  'file://other-host/etc/passwd',
  'file:///in/..%2f..%2fetc/passwd',
  '/etc/passwd',
  'file:etc/passwd',
  'ftp://host/etc/passwd',
  'gopher://host/x',
  'data:text/plain,x',
  'concat:/etc/passwd',
])('refuses %s, and tells nothing of what is there', async (address) => {
  const { read } = await sources();
  const error = await read(address).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(JobFails);
  expect((error as Error).message).not.toMatch(/root:|ENOENT|not a directory/);
});

it('refuses ways out of the folders of imports: parents, encoded parents, links', async () => {
  const { base, root, read } = await sources();
  const ways = [
    `file://${root}/../outside/secret.txt`,
    `file://${root}/%2e%2e/outside/secret.txt`,
    `file://${root}/sub/..%2f..%2foutside/secret.txt`,
    `file://${root}/link/secret.txt`,
    `file://${root}/linked.txt`,
    `file://${base}/outside/secret.txt`,
  ];
  for (const address of ways) {
    const error = await read(address).catch((thrown: unknown) => thrown);
    expect(error, address).toBeInstanceOf(JobFails);
    expect((error as Error).message, address).not.toContain('secret bytes');
  }
});

it('names the setting that would let a folder in', async () => {
  const { read } = await sources();
  await expect(read('file:///etc/passwd')).rejects.toThrow('PORTICO_IMPORT_ROOTS');
});

it('reads a file of a web server, through redirects to public addresses', async () => {
  const { read } = await sources({
    'https://a.test/clip.mov': { status: 302, headers: { location: 'https://b.test/real.mov?sig=1' } },
    'https://b.test/real.mov?sig=1': { headers: { 'content-type': 'video/quicktime' }, body: 'hello' },
  });
  expect(await read('https://a.test/clip.mov')).toMatchObject({
    name: 'clip.mov',
    size: 5,
    mimeType: 'video/quicktime',
    text: 'hello',
  });
});

it.each([
  ['a metadata service', 'http://169.254.169.254/latest/meta-data/'],
  ['this machine', 'http://127.0.0.1:8080/API/whoami'],
  ['this machine by its name', 'http://localhost/x'],
  ['this machine in IPv6', 'http://[::1]/x'],
  ['a private range', 'http://10.0.0.1/x'],
  ['a private range behind a name', 'http://10.0.0.1.test/x'],
  ['an address as one number', 'http://2130706433/x'],
])('never calls %s', async (_who, address) => {
  const { read, asked } = await sources();
  await expect(read(address)).rejects.toBeInstanceOf(JobFails);
  expect(asked).toEqual([]);
});

it.each([
  ['a metadata service', 'http://169.254.169.254/latest/', 'http'],
  ['a private address', 'http://192.168.0.1/x', 'http'],
  ['a file', 'file:///etc/passwd', 'http'],
  ['plain text from TLS', 'http://b.test/x', 'https'],
  ['an address with a password', 'http://ann:pw@b.test/x', 'http'],
])('follows no redirect to %s', async (_where, location, scheme) => {
  const from = `${scheme}://a.test/clip.mov`;
  const { read, asked } = await sources({ [from]: { status: 302, headers: { location } } });
  await expect(read(from)).rejects.toBeInstanceOf(JobFails);
  expect(asked).toEqual([from]);
});

it('follows no circle of redirects', async () => {
  const from = 'http://a.test/x';
  const { read, asked } = await sources({ [from]: { status: 307, headers: { location: from } } });
  await expect(read(from)).rejects.toThrow('Expected at most 5 redirects');
  expect(asked).toHaveLength(6);
});

it('a server that is busy may be asked again, one that has no such file may not', async () => {
  const { read } = await sources({ 'http://a.test/busy': { status: 503 }, 'http://a.test/none': { status: 404 } });
  await expect(read('http://a.test/busy')).rejects.not.toBeInstanceOf(JobFails);
  await expect(read('http://a.test/none')).rejects.toBeInstanceOf(JobFails);
});

it('an answer longer than uploads may be is cut off', async () => {
  const { read } = await sources({ 'http://a.test/long': { body: 'x'.repeat(2000) } });
  await expect(read('http://a.test/long')).rejects.toThrow();
});

it.each([
  ['http://ann:pw@host/a.mov', true],
  ['http:/ann:pw@host/a.mov', true],
  ['http:\\\\ann:pw@host/a.mov', true],
  ['s3://KEY:SECRET@bucket/a.mov', true],
  ['http%3A%2F%2Fann%3Apw@host/a', true],
  ['file:///in/a@b.mov', false],
  ['http://host/a@b.mov', false],
])('knows whether an address has a password: %s', (address, expected) => {
  expect(hasCredentials(address)).toBe(expected);
});

it('shows an address without what signs it, and finds its name', () => {
  expect(shownAddress('https://host/a%20b.mov?X-Signature=abc#x')).toBe('https://host/a%20b.mov');
  expect([nameIn('https://host/in/a%20b.mov?x=/y'), nameIn('https://host/')]).toEqual(['a b.mov', '']);
});
