import { describe, expect, it } from 'vitest';
import type { Wire } from '../../../src/core/outbound/wire.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, jsonOf, plain, send } from '../../support/requests.ts';
import { metadata, publicAddress } from './network.ts';

const secret = 'cAnArY-9c1d-sEcReT';
const user = 'sOmEbOdY-7f3a';

interface Asked {
  readonly address: string | undefined;
  readonly host: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Answers = (asked: Asked) => Response | Promise<Response>;

interface Network {
  /** Answers of the attacker's name server, look by look. The last one is repeated. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly answers?: Answers;
  readonly allow?: readonly string[];
}

/** A service before a network that is made up: nothing leaves, and what would have left is told. */
async function openNetwork({
  names = {},
  answers = () => new Response(null, { status: 404 }),
  allow = [],
}: Network = {}) {
  const asked: Asked[] = [];
  const looks = new Map<string, number>();
  const wire: Wire = {
    async resolve(host) {
      const look = looks.get(host) ?? 0;
      looks.set(host, look + 1);
      const found = names[host] ?? [[publicAddress]];
      return found[Math.min(look, found.length - 1)]!;
    },
    async send(address, { url, method, headers }) {
      const told = { address, host: url.host, method, headers };
      asked.push(told);
      const { status, headers: given, body } = await answers(told);
      return { status, headers: given, body };
    },
  };
  const world = await openWorld('fetch', { wire, settings: { outboundAllow: [...allow] } });
  return { world, asked };
}

/** A storage with that method and a file on it. Its bytes are asked for. */
async function readThrough(world: World, uri: string) {
  await send(world, by('POST /API/storage', { method: [{ uri }] }));
  await send(world, by('POST /API/storage/VX-1/file?path=a.mov&state=OPEN', undefined, plain));
  return world.send({ ...by('GET /API/file/VX-1/data'), headers: { accept: '*/*' } });
}

const credentials = `${user}:${secret}@`;
const bucket = (endpoint: string): string => `s3://${credentials}media/?endpoint=${endpoint}`;

/** All that stays of it: rows, log lines, and what callers are told. */
async function remains(world: World, ...answers: readonly { readonly body: string }[]): Promise<string> {
  const { store } = world.service;
  const tables = await store.read(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`);
  const rows = await Promise.all(
    tables
      .flat()
      .map((table) =>
        store.read(table === 'storage_method' ? 'SELECT uri FROM storage_method' : `SELECT * FROM "${table}"`),
      ),
  );
  return JSON.stringify([rows, world.printed, answers.map(({ body }) => body)]);
}

describe('addresses of storages that callers set', () => {
  it.each([
    `http://${credentials}${metadata}/latest/meta-data/`,
    `http://${credentials}[fd00:ec2::254]/latest/`,
    `http://${credentials}0xa9fea9fe/`,
    `http://${credentials}2852039166/`,
    bucket(`http://${metadata}`),
  ])('the address of a metadata service is reached by none of them, whatever the operator allows: %s', async (uri) => {
    const { world, asked } = await openNetwork({ allow: ['0.0.0.0/0', metadata] });
    const answer = await readThrough(world, uri);
    expect([answer.status, asked]).toEqual([403, []]);
    expect(await remains(world, answer)).not.toContain(secret);
  });

  it.each([
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'https://10.1.2.3/in/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://017700000001/',
    bucket('http://127.0.0.1:7480'),
    bucket('http://192.168.1.5'),
  ])('a private address is asked for nothing unless the operator lists it: %s', async (uri) => {
    const { world, asked } = await openNetwork({ names: { localhost: [['127.0.0.1']] } });
    const { status, body } = await readThrough(world, uri);
    expect([status, asked]).toEqual([403, []]);
    expect(body).toContain('PORTICO_OUTBOUND_ALLOW');
  });

  it.each([
    ['http://good.example@127.0.0.1/', 'http://***@127.0.0.1/'],
    ['http://good.example:80@127.0.0.1/', 'http://***@127.0.0.1/'],
    ['https://good.example%2F@127.0.0.1/', 'https://***@127.0.0.1/'],
    ['http://a@good.example@127.0.0.1/', 'http://***@127.0.0.1/'],
  ])('a host that stands where names do is none: %s', async (uri, shown) => {
    const { world, asked } = await openNetwork();
    expect([(await readThrough(world, uri)).status, asked]).toEqual([403, []]);
    const { method } = await jsonOf<{ method: { uri: string }[] }>(world, 'GET /API/storage/VX-1/method');
    expect(method[0]!.uri).toBe(shown);
  });

  it.each([
    'http://good.example\\@127.0.0.1/',
    's3://good@bad@media/',
    `s3://${credentials}media/?endpoint=http://good.example@127.0.0.1`,
    `s3://${credentials}media/?endpoint=http://good.example&endpoint=http://127.0.0.1`,
    `s3://${credentials}media/?endpoint=http://good.example%23@127.0.0.1`,
    `s3://${credentials}127.0.0.1/`,
  ])('an address that two programs could read in two ways is refused: %s', async (uri) => {
    const { world } = await openNetwork();
    const { status, body } = await world.send(by('POST /API/storage', { method: [{ uri }] }));
    expect([status, body]).toEqual([400, expect.not.stringContaining(secret)]);
  });

  it.each([301, 302, 303, 307, 308])(
    'a redirect into a private address is followed by none of them: %i',
    async (status) => {
      const location = `http://127.0.0.1/admin?${secret}`;
      for (const uri of [`https://${credentials}files.example/`, bucket('https://store.example')]) {
        const { world, asked } = await openNetwork({
          answers: () => new Response(null, { status, headers: { location } }),
        });
        const answer = await readThrough(world, uri);
        expect([403, 503]).toContain(answer.status);
        expect(new Set(asked.map(({ host }) => host)).size).toBe(1);
        expect(await remains(world, answer)).not.toContain(secret);
      }
    },
  );

  it('a name that leads inside at the second look: what was checked is what is connected to', async () => {
    const names = { 'rebind.example': [[publicAddress], ['127.0.0.1']] };
    const { world, asked } = await openNetwork({ names });
    await readThrough(world, 'http://rebind.example/');
    expect(asked.length).toBeGreaterThan(0);
    await world.clock.advance(11_000);
    const { status, body } = await world.send({ ...by('GET /API/file/VX-1/data'), headers: { accept: '*/*' } });
    expect([status, body]).toEqual([403, expect.stringContaining('127.0.0.1')]);
    expect(new Set(asked.map(({ address }) => address))).toEqual(new Set([publicAddress]));
  });

  it('metadata of a method leads its requests nowhere else', async () => {
    const { world, asked } = await openNetwork();
    const field = ['endpoint', 'region', 'uri', 'host', 'proxy'].map((key) => ({ key, value: 'http://evil.example' }));
    const method = [{ uri: bucket('https://store.example'), metadata: { field } }];
    await send(world, by('POST /API/storage', { method, metadata: { field } }));
    await send(world, by('POST /API/storage/VX-1/file?path=a.mov&state=OPEN', undefined, plain));
    await world.send({ ...by('GET /API/file/VX-1/data'), headers: { accept: '*/*' } });
    expect(new Set(asked.map(({ host }) => host))).toEqual(new Set(['store.example']));
  });

  it.each([
    's3://***@media/?endpoint=https://evil.example',
    's3://***@other/?endpoint=https://store.example',
    's3://***@media/?endpoint=https://store.example&pathStyle=false',
  ])('a mask stands for no secret at another endpoint or bucket: %s', async (url) => {
    const { world } = await openNetwork();
    await send(world, by('POST /API/storage', { method: [{ uri: bucket('https://store.example') }] }));
    const { status } = await world.send(
      by(`PUT /API/storage/VX-1/method/VX-1?url=${encodeURIComponent(url)}`, undefined, plain),
    );
    expect(status).toBe(400);
  });

  it('a store that quotes the request is repeated to nobody, in no log and in no row', async () => {
    const quoting: Answers = ({ headers, method }) => {
      const quoted = `${JSON.stringify(headers)} ${secret} ${user} ${atob(headers['authorization']?.replace(/^Basic /, '') ?? '').slice(0, 100)}`;
      const text = `<Error><Code>${secret}</Code><Message>${quoted}</Message></Error>`;
      return new Response(method === 'HEAD' ? null : text, {
        status: 403,
        headers: { 'x-amz-bucket-region': secret, 'x-error': secret },
      });
    };
    const plainly: Answers = (asked) =>
      asked.headers['authorization']?.startsWith('Basic ') ? quoting(asked) : quoting({ ...asked, headers: {} });
    for (const uri of [`https://${credentials}files.example/`, bucket('https://store.example')]) {
      const { world, asked } = await openNetwork({ answers: plainly });
      const answer = await readThrough(world, uri);
      const others = await Promise.all(
        ['/storage', '/storage/VX-1', '/storage/VX-1/method', '/storage/VX-1/file', '/log/audit'].map((path) =>
          world.send(by(`GET /API${path}`)),
        ),
      );
      expect([answer.status, asked.length > 0]).toEqual([403, true]);
      const found = await remains(world, answer, ...others);
      for (const text of [secret, user, btoa(`${user}:${secret}`)]) expect(found).not.toContain(text);
    }
  });

  it('without a secret key, the secret of a bucket is refused with the name of the setting', async () => {
    const world = await openWorld('fetch', { secretKey: null });
    const { status, body } = await world.send(
      by('POST /API/storage', { method: [{ uri: bucket('https://store.example') }] }),
    );
    expect([status, body]).toEqual([403, expect.stringContaining('PORTICO_SECRET_KEY')]);
    expect(body).not.toContain(secret);
  });
});
