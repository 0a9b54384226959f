import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { Call } from '../../src/http/call.ts';
import { acceptsGzip, createCompress } from '../../src/http/compress.ts';
import { notStored, plain, type Reply } from '../../src/http/reply.ts';
import { newUser, people } from '../support/cast.ts';
import { basic, describeMatrix, listenFor } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, withService } from '../support/service.ts';

const long = 'a user with a name, '.repeat(50_000);
const callWith = (
  headers: Record<string, string>,
  method = 'GET',
  given: Record<string, string> = {},
  audited = false,
): Call =>
  ({
    method,
    request: new Request('http://portico.test/', { headers }),
    trace: { headers: given, audited },
  }) as unknown as Call;
const gzip = { 'accept-encoding': 'gzip, deflate' };
const unpacked = ({ body }: Reply): string => gunzipSync(body as Uint8Array<ArrayBuffer>).toString();

describe('clients.md 3.65 gzip', () => {
  const compress = createCompress(1_000);

  it('makes a long answer to GET smaller, and says so', async () => {
    const reply = await compress(plain(long), callWith(gzip));
    expect(reply.headers).toEqual({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect((reply.body as Uint8Array).length).toBeLessThan(long.length / 50);
    expect(unpacked(reply)).toBe(long);
  });

  it('makes a long answer to a search by PUT smaller, too', async () => {
    const reply = await compress(plain(long), callWith(gzip, 'PUT'));
    expect(reply.headers).toEqual({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(unpacked(reply)).toBe(long);
  });

  it('keeps every character, whatever the pieces cut through', async () => {
    for (const text of ['é', '😀', '\u0000a']) {
      for (const shift of [0, 1, 2, 3]) {
        const body = 'x'.repeat(shift) + text.repeat(70_000);
        expect(unpacked(await compress(plain(body), callWith(gzip))) === body).toBe(true);
      }
    }
  });

  it.each([
    ['a caller who does not ask', plain(long), callWith({})],
    ['a caller who refuses it', plain(long), callWith({ 'accept-encoding': 'gzip;q=0, *' })],
  ])('sends %s the text, and says that others may get something else', (_who, reply, call) => {
    expect(compress(reply, call)).toEqual({ ...reply, headers: { vary: 'Accept-Encoding' } });
  });

  it.each([
    ['a short answer', plain('x'.repeat(999)), callWith(gzip)],
    ['an answer with a credential', notStored(plain(long)), callWith(gzip)],
    ['an answer to a PUT that changed something', plain(long), callWith(gzip, 'PUT', {}, true)],
    ['an answer to POST', plain(long), callWith(gzip, 'POST')],
    ['an answer to HEAD', plain(long), callWith(gzip, 'HEAD')],
    ['an answer without a body', { status: 200 }, callWith(gzip)],
    ['bytes', { status: 200, body: new TextEncoder().encode(long) }, callWith(gzip)],
    ['a refusal', { ...plain(long), status: 404 }, callWith(gzip)],
  ])('leaves %s as it is', (_what, reply: Reply, call) => {
    expect(compress(reply, call)).toBe(reply);
  });

  it('is off where the setting says so, or the runtime cannot', () => {
    const reply = plain(long);
    expect(createCompress(0)(reply, callWith(gzip))).toBe(reply);
    vi.stubGlobal('CompressionStream', undefined);
    expect(createCompress(1)(reply, callWith(gzip))).toBe(reply);
    vi.unstubAllGlobals();
  });

  it('keeps what else the answer varies by', async () => {
    const { headers } = await compress(plain(long), callWith(gzip, 'GET', { vary: 'Origin' }));
    expect(headers).toMatchObject({ vary: 'Origin, Accept-Encoding' });
  });

  it.each([
    ['gzip', true],
    ['GZIP ; q=0.5', true],
    ['x-gzip', true],
    ['*', true],
    ['br, deflate', false],
    ['identity', false],
    ['', false],
    ['gzip;q=0', false],
    ['*;q=0', false],
    ['gzip;q=0, *', false],
    ['gzip;q=x', false],
  ])('reads Accept-Encoding: %s', (header, accepted) => expect(acceptsGzip(header)).toBe(accepted));
});

describeMatrix('clients.md 3.65 gzip of a list', (entry) => {
  it('comes out as the same document', async () => {
    const world = await entry.open({ settings: { gzipFrom: 500 } });
    await prepare(world, [...people, ...Array.from({ length: 20 }, (_, index) => newUser([`user-${index}`, 'p']))]);
    const ask = (encoding: string) =>
      world.service.fetch(
        new Request('http://portico.test/API/user', {
          headers: { authorization: basic(admin), accept: 'application/json', 'accept-encoding': encoding },
        }),
      );
    const [packed, whole] = [await ask('gzip'), await ask('identity')];
    expect([packed.headers.get('content-encoding'), whole.headers.get('content-encoding')]).toEqual(['gzip', null]);
    const text = await whole.text();
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(text);
    // A client unpacks it by itself.
    const { body } = await world.send({
      as: admin,
      request: 'GET /API/user',
      headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
    });
    expect(entry.name === 'fetch' || body === text).toBe(true);
  });
});

it('clients.md 3.65 gzip tells the length of what is sent', async () => {
  const world = await withService({ settings: { gzipFrom: 100 } });
  const port = await listenFor(world);
  const answer = await fetch(`http://127.0.0.1:${port}/API/group`, {
    headers: { authorization: basic(admin), 'accept-encoding': 'gzip' },
  });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  const length = Number(answer.headers.get('content-length'));
  const text = await answer.text();
  expect(text).toContain('<groupName>_administrator</groupName>');
  expect([length > 100, length < text.length / 5]).toEqual([true, true]);
});
