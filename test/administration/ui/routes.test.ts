import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toBase64 } from '../../../src/core/lib/bytes.ts';
import { assetName, type PageLoan, pageOf } from '../../../src/entry/page-forms.ts';
import type { PageFiles } from '../../../src/room/context.ts';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { basic } from '../../support/matrix.ts';
import { admin, openService, type ServiceOptions, type TestService, testPage } from '../../support/service.ts';
import { browserAt, logIn } from '../../support/ways.ts';

type Headers = Readonly<Record<string, string>>;

const asks =
  (world: TestService) =>
  async (target: string, headers: Headers = {}, method = 'GET'): Promise<Response> =>
    world.service.fetch(new Request(`http://portico.test${target}`, { method, headers, redirect: 'manual' }), {
      rawTarget: target,
    });

async function other(options: ServiceOptions): Promise<ReturnType<typeof asks>> {
  const opened = await openService(options);
  onTestFinished(() => opened.close());
  return asks(opened);
}

const iniWithout = (line: string): ServiceOptions => ({
  security: { text: defaultIni.replace(`${line}\n`, ''), file: 'security.ini', plugins: [] },
});
const ownIni = iniWithout('/ui/** = anon');
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const script = '/ui/main-AAAAAAAA.js';

/** Bytes of the page in Brotli by the names of its files. */
const packed = Object.entries(testPage).map(([name, { type, etag, br }]) => ({
  name,
  type,
  etag,
  bytes: br!.read() as Uint8Array<ArrayBuffer>,
}));

/** A binding with the files of the page, and what the service asks it for. */
function openAssets(bytesOf = (bytes: Uint8Array<ArrayBuffer>) => bytes) {
  const asked: string[] = [];
  const files = new Map(packed.map(({ etag, bytes }) => [`/${assetName(etag)}`, bytesOf(bytes)]));
  const fetch = async (address: string) => {
    const { pathname } = new URL(address);
    asked.push(pathname);
    return files.has(pathname) ? new Response(files.get(pathname)!) : new Response('Not Found', { status: 404 });
  };
  return { ASSETS: { fetch }, asked, files };
}

const assets = Object.fromEntries(packed.map(({ name, bytes, ...file }) => [name, { ...file, size: bytes.length }]));
const unbrotli = async (bytes: Uint8Array) => new Uint8Array(brotliDecompressSync(bytes));
const edge = (loan: PageLoan, environment: Readonly<Record<string, unknown>> = {}): ServiceOptions => ({
  ...pageOf(loan, environment),
  unbrotli,
});
const inside = Object.fromEntries(packed.map(({ name, bytes, ...file }) => [name, { ...file, br: toBase64(bytes) }]));

/** Where a service has its page, and the forms that it sends as they are. */
const places: readonly (readonly [string, ServiceOptions, readonly string[]])[] = [
  ['of a server', {}, ['br', 'gzip']],
  ['inside the module of an edge', edge({ page: async () => inside }), ['br']],
  ['beside the module of an edge', edge({ assets }, openAssets()), ['br']],
];

describe.each(places)('the files of the page %s', (_place, options, forms) => {
  let ask: ReturnType<typeof asks>;
  let world: TestService;
  beforeAll(async () => {
    world = await openService(options);
    ask = asks(world);
  });
  afterAll(() => world.close());

  it.each([
    ['/ui', '/ui'],
    ['/ui/', '/ui/'],
    ['an item', '/ui/item/VX-1'],
    ['a user with a dot in the name', '/ui/user/anna.berg'],
    ['a user whose name looks like a script', '/ui/user/main-AAAAAAAA.js'],
    ['a name with an escaped slash', '/ui/user/a%2Fb'],
    ['an address below /API', '/API/ui/item/VX-1'],
    ['an address with a search', '/ui/?q=a%26b'],
  ])('answers the document for %s, without a login', async (_name, target) => {
    const answer = await ask(target, html);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(await answer.text()).toContain('<title>The page</title>');
    expect(answer.headers.has('set-cookie')).toBe(false);
  });

  it('lets browsers keep a file whose name has a hash for good', async () => {
    const answer = await ask(script);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it.each(['/ui/none.js', '/ui/index.htm', '/ui/__proto__.js', '/ui/constructor.name', '/ui/..%2fpackage.json'])(
    'has no file %s, and tells no cache to keep that',
    async (target) => {
      const answer = await ask(target);
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers.get('cache-control')).toBeNull();
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s', async (method) => {
    expect((await ask('/ui/', { authorization: basic(admin) }, method)).status).toBe(405);
  });

  it.each([
    ['nothing', undefined, null],
    ['gzip', 'gzip, deflate', 'gzip'],
    ['Brotli', 'gzip, deflate, br, zstd', 'br'],
    ['Brotli refused', 'br;q=0, gzip', 'gzip'],
    ['all of them refused', 'identity;q=1, *;q=0', null],
    ['anything', '*', 'br'],
  ])('sends the form that the caller takes: %s', async (_name, accepted, best) => {
    const encoding = best !== null && forms.includes(best) ? best : null;
    const answer = await ask(script, accepted === undefined ? {} : { 'accept-encoding': accepted });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary'), text.toString()]).toEqual([
      encoding,
      'Accept-Encoding',
      'export const a = "a program of the page";',
    ]);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  });

  it('answers 304 for what the browser has, and only in the form that it has', async () => {
    const inGzip = await ask('/ui/', { 'accept-encoding': 'gzip' });
    const etag = inGzip.headers.get('etag')!;
    const again = await ask('/ui/item/VX-9', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('content-security-policy')).not.toBeNull();
    expect((await ask('/ui/', { 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(200);
    expect((await ask('/ui/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD as GET, without the bytes', async () => {
    const answer = await ask(script, {}, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
  });

  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

  it.each(['/ui/', script, '/ui/none.js'])('allow nothing from elsewhere: %s', async (target) => {
    const { headers } = await ask(target);
    expect({
      policy: headers.get('content-security-policy'),
      sniff: headers.get('x-content-type-options'),
      referrer: headers.get('referrer-policy'),
      opener: headers.get('cross-origin-opener-policy'),
      resource: headers.get('cross-origin-resource-policy'),
      permissions: headers.get('permissions-policy'),
    }).toEqual({
      policy,
      sniff: 'nosniff',
      referrer: 'same-origin',
      opener: 'same-origin',
      resource: 'same-origin',
      permissions: 'camera=(), microphone=(), geolocation=()',
    });
  });
});

describe('the page', () => {
  it('reads the files for the first request, and once a request', async () => {
    let read = 0;
    const page: PageFiles = new Proxy(testPage, {
      get(files, name) {
        if (name === 'index.html') read++;
        return Reflect.get(files, name);
      },
    });
    const lazy = await other({ page });
    expect(read).toBe(0);
    await lazy('/ui/');
    expect(read).toBe(1);
  });

  it('with Brotli alone, on a platform that cannot unpack it, says so to others', async () => {
    const { gzip: _, ...file } = testPage['index.html'];
    const edge = await other({ page: { 'index.html': file } });
    expect((await edge('/ui/', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br');
    const refused = await edge('/ui/', { 'accept-encoding': 'gzip', accept: 'application/json, */*;q=0.1' });
    expect([refused.status, await refused.text()]).toEqual([406, expect.stringContaining('br')]);
  });

  it('beside a module is read when its bytes are sent, and neither for HEAD nor for 304', async () => {
    const binding = openAssets();
    const beside = await other(edge({ assets }, binding));
    const head = await beside(script, { 'accept-encoding': 'br' }, 'HEAD');
    const etag = head.headers.get('etag')!;
    expect((await beside(script, { 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(304);
    expect(binding.asked).toEqual([]);
    const answer = await beside(script, { 'accept-encoding': 'br', range: 'bytes=0-2' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([206, etag]);
    expect(binding.asked).toHaveLength(1);
    expect((await answer.arrayBuffer()).byteLength).toBe(3);
  });

  const without = openAssets();
  without.files.clear();
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['without the binding', {}, 'Expected the binding ASSETS with the web page: name the folder'],
    [
      'with a text in its place',
      { ASSETS: 'a text' },
      'Expected the binding ASSETS with the web page: name the folder',
    ],
    ['without the files', without, `in the binding ASSETS, as portico bundle wrote it: status 404 with 9 bytes`],
    ['with a part of a file', openAssets((bytes) => bytes.slice(1)), 'wrote it: status 200 with'],
  ])(
    'beside a module, %s: 501 with the way out, which no cache keeps, and the API works',
    async (_what, env, reason) => {
      const beside = await other(edge({ assets }, env));
      const answer = await beside('/ui/', html);
      expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining(reason)]);
      expect(answer.headers.get('cache-control')).toBeNull();
      expect((await beside('/API/whoami', { authorization: basic(admin) })).status).toBe(200);
    },
  );

  it('without the binding is named by the self-test', async () => {
    const beside = await other(edge({ assets }));
    const answer = await beside('/API/selftest', { authorization: basic(admin), accept: 'application/json' });
    expect(await answer.text()).toContain('Expected the binding ASSETS');
  });

  it('names the buckets that the operator names, for media and nothing else', async () => {
    const bucket = 'https://bucket.example.com';
    const withBucket = await other({ settings: { uiMediaOrigins: [bucket] } });
    const told = (await withBucket('/ui/')).headers.get('content-security-policy')!;
    const naming = told.split('; ').filter((part) => part.includes(bucket));
    expect(naming.map((part) => part.split(' ')[0])).toEqual(['img-src', 'media-src', 'connect-src']);
  });
});

describe('whether there is a page', () => {
  it('a file of the operator without a line for it keeps it closed: 404 after the login, 401 before', async () => {
    const closed = await other(ownIni);
    for (const target of ['/ui', '/ui/', script, '/ui/item/VX-1']) {
      expect([target, (await closed(target)).status]).toEqual([target, 401]);
      expect([target, (await closed(target, { authorization: basic(admin) })).status]).toEqual([target, 404]);
    }
    expect((await closed('/', html)).status).toBe(401);
  });

  it('a line of the operator for it decides who may see it', async () => {
    const text = defaultIni.replace('/ui/** = anon', '/ui/** = authcBasic');
    const guarded = await other({ security: { text, file: 'security.ini', plugins: [] } });
    expect((await guarded('/ui/')).status).toBe(401);
    expect((await guarded('/ui/', { authorization: basic(admin) })).status).toBe(200);
  });

  it.each<[string, ServiceOptions]>([['PORTICO_UI=false', { settings: { ui: false } }]])(
    '%s: 404, and the root stays as it is',
    async (_name, options) => {
      const without = await other(options);
      expect((await without('/ui/')).status).toBe(404);
      expect((await without(script)).status).toBe(404);
      expect((await without('/', html)).status).toBe(401);
    },
  );

  it('a build without its files: 501 with the reason, and the root stays as it is', async () => {
    const without = await other({ page: null });
    const answer = await without('/ui/', html);
    const reason = 'Expected a build with the web page: this one has none';
    expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining(reason)]);
    expect((await without('/', html)).status).toBe(401);
  });
});

describe('the root', () => {
  let ask: ReturnType<typeof asks>;
  let world: TestService;
  beforeAll(async () => {
    world = await openService();
    ask = asks(world);
  });
  afterAll(() => world.close());
  const login = { authorization: basic(admin) };
  it.each<[string, Headers, number, string?]>([
    ['a browser', html, 302],
    ['a browser that asks with HEAD', html, 302, 'HEAD'],
    ['a program', {}, 401],
    ['a program that takes anything', { accept: '*/*' }, 401],
    ['a program that takes JSON', { accept: 'application/json' }, 401],
    ['a program that prefers XML to HTML', { accept: 'application/xml, text/html;q=0.5' }, 401],
    ['a browser that logs in', { ...html, ...login }, 404],
    ['a browser with a wrong password', { ...html, authorization: basic(['admin', 'wrong']) }, 401],
    ['a form of a browser', html, 401, 'POST'],
  ])('%s', async (_name, headers, status, method) => {
    const answer = await ask('/', headers, method);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, status === 302 ? '/ui/' : null]);
    if (status === 302) expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('sends a person with a session to the page, too', async () => {
    const browser = browserAt(world);
    const cookie = await logIn(browser, admin);
    const answer = await browser({ request: 'GET /', cookie, headers: { ...html, 'sec-fetch-site': 'none' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/ui/']);
  });

  it('sends nobody from any other address to the page', async () => {
    for (const target of ['/API/item', '/item', '/whoami', '/nothing']) {
      expect([target, (await ask(target, html)).status]).toEqual([target, 401]);
    }
  });
});
