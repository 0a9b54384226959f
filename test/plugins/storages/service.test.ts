import { describe, expect, it } from 'vitest';
import type { Wire } from '../../../src/core/outbound/wire.ts';
import { fetchWire } from '../../../src/core/outbound/wire.ts';
import { equalBytes, someBytes, toBytes } from '../../../src/kit/testing/storage/bytes.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, jsonOf, plain, send } from '../../support/requests.ts';
import { type FakeS3, fakeS3 } from '../../support/s3/fake.ts';
import { key, password, webServer } from './support.ts';

const octets = { accept: 'application/json', 'content-type': 'application/octet-stream' };
const anything = { accept: '*/*' };

/** A service before a bucket and a web server, which is all that it can reach. */
async function openBoth(): Promise<World & { readonly fake: FakeS3 }> {
  const clock = testClock();
  const fake = fakeS3({ key, bucket: 'media', host: 's3.example', now: clock.now });
  const files = new Map([['a film.mov', toBytes('bytes of the web')]]);
  const web = webServer({ files, login: `somebody:${password}` });
  const network = fetchWire(async (input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).host === 's3.example' ? fake.fetch(request) : web(request);
  });
  const wire: Wire = { ...network, resolve: async () => ['93.184.216.34'] };
  const world = await openWorld('fetch', { clock, wire });
  const uris = [
    `s3://${key.accessKey}:${encodeURIComponent(key.secret)}@media/in/?endpoint=https://s3.example&region=${key.region}`,
    `https://somebody:${encodeURIComponent(password)}@files.example/media/`,
  ];
  for (const uri of uris) await send(world, by('POST /API/storage', { method: [{ uri }] }));
  return { ...world, fake };
}

describe('storages that are elsewhere', () => {
  it('bytes come into a bucket in one go, and are read in ranges', async () => {
    const { fake, ...world } = await openBoth();
    const path = encodeURIComponent('in ü/a b.mov');
    await send(world, { ...by(`POST /API/storage/VX-1/file/data?path=${path}`, '0123456789'), headers: octets });
    expect([...fake.objects.keys()]).toEqual(['in/in ü/a b.mov']);
    const told = await jsonOf(world, 'GET /API/file/VX-1');
    const sha1 = '87acec17cd9dcd20a716cc2cf67417b71c8a7016';
    expect(told).toMatchObject({ path: 'in ü/a b.mov', size: 10, state: 'CLOSED', hash: sha1 });
    const answer = await world.send({ ...by('GET /API/file/VX-1/data'), headers: { ...anything, range: 'bytes=3-5' } });
    expect([answer.status, answer.body]).toEqual([206, '345']);
  });

  it('bytes come into a bucket in parts of any size and order', async () => {
    const { fake, ...world } = await openBoth();
    const bytes = someBytes(300_000);
    const part = (index: number, end: number) => ({
      ...by('POST /API/storage/VX-1/file/data?path=a.mov&transferId=t', bytes.slice(index, end)),
      headers: { ...octets, size: '300000', index: String(index) },
    });
    for (const [index, end] of [
      [200_000, 300_000],
      [0, 100_000],
      [100_000, 200_000],
    ] as const) {
      await send(world, part(index, end));
    }
    expect([...fake.objects.keys()]).toEqual(['in/a.mov']);
    expect(equalBytes(fake.objects.get('in/a.mov')!.bytes, bytes)).toBe(true);
  });

  it('a link to the bucket itself reads the file, and ends', async () => {
    const { fake, ...world } = await openBoth();
    await send(world, { ...by('POST /API/storage/VX-1/file/data?path=a.mov', 'abc'), headers: octets });
    const { body } = await send(world, by('POST /API/file/VX-1/uri?scheme=s3&duration=1', undefined, plain));
    const ask = async () => fake.fetch(new Request(body.trim()));
    expect(await (await ask()).text()).toBe('abc');
    expect(body).not.toContain(key.secret);
    await world.clock.advance(60_000);
    expect((await ask()).status).toBe(403);
  });

  it('files of a web server are read with a login, and written by nobody', async () => {
    const world = await openBoth();
    await send(world, by(`POST /API/storage/VX-2/file?path=${encodeURIComponent('a film.mov')}`, undefined, plain));
    const answer = await world.send({ ...by('GET /API/file/VX-1/data'), headers: { ...anything, range: 'bytes=9-' } });
    expect([answer.status, answer.body]).toEqual([206, 'the web']);
    const put = await world.send({ ...by('POST /API/storage/VX-2/file/data?path=b.mov', 'abc'), headers: octets });
    expect([put.status, put.body]).toEqual([400, expect.stringContaining('a method that writes')]);
  });

  it('names and secrets are answered as a mask', async () => {
    const world = await openBoth();
    const { storage } = await jsonOf<{ storage: { method: { uri: string }[] }[] }>(world, 'GET /API/storage');
    expect(storage.map(({ method }) => method[0]!.uri)).toEqual([
      's3://***@media/in/?endpoint=https://s3.example&region=eu-west-1',
      'https://***@files.example/media/',
    ]);
  });
});
