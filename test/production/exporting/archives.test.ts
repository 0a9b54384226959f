import { describe, expect, it } from 'vitest';
import type { World } from '../../support/matrix.ts';
import { ask, bodyOf, done } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { openExports, titled } from '../../support/transfers.ts';
import { exporter } from '../../support/world.ts';
import { hasPython, unzipped } from '../../support/zips.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what an answer has.
type Read = any;

const order = (world: World, item: readonly string[], more: object = {}, as: Credentials = admin): Promise<Read> =>
  done(world, ask('POST /API/item/archive', { item, ...more }, as));

const fetched = async (world: World, { uri }: Read, headers: Record<string, string> = {}, method = 'GET') =>
  world.service.fetch(new Request(uri, { method, headers }));
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('an archive of chosen items', () => {
  it.runIf(hasPython)(
    'is one download from an address without credentials, and goes on where it broke off',
    async () => {
      const world = await openExports();
      const items = [await titled(world, 'Harbour'), await titled(world, 'harbour')];
      const made = await order(world, items, { tag: ['original', 'lowres'], title: 'For Ann' });
      expect(made).toMatchObject({
        files: 4,
        leftOut: 0,
        uri: expect.stringMatching(/\/APInoauth\/archive\/VX-\d+\?secret=[\w-]{22}$/),
      });
      const head = await fetched(world, made, {}, 'HEAD');
      const response = await fetched(world, made);
      const [bytes, etag] = [await bytesOf(response), response.headers.get('etag')!];
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      expect(response.headers.get('content-disposition')).toContain('"For Ann.zip"');
      expect(unzipped(bytes).map(({ name, text }) => [name, text])).toEqual([
        ['Harbour.mov', 'hello'],
        ['Harbour (Preview (small MP4)).mp4', 'low'],
        ['harbour (2).mov', 'hello'],
        ['harbour (Preview (small MP4)) (2).mp4', 'low'],
      ]);
      const rest = await fetched(world, made, { range: 'bytes=40-', 'if-range': etag });
      expect([rest.status, await bytesOf(rest)]).toEqual([206, bytes.subarray(40)]);
    },
  );

  it('is refused without items, with too many, and with a wrong title', async () => {
    const world = await openExports();
    const item = await titled(world);
    for (const [body, context] of [
      [{}, '/ArchiveDocument/item'],
      [{ item: Array.from({ length: 1001 }, (_, at) => `VX-${at}`) }, '/ArchiveDocument/item[1001]'],
      [{ item: [item], title: 'x'.repeat(201) }, '/ArchiveDocument/title'],
    ] as const) {
      const answer = await world.send(ask('POST /API/item/archive', body));
      expect([answer.status, bodyOf<Read>(answer).invalidInput.context]).toEqual([400, context]);
    }
    expect((await world.send(ask('POST /API/item/archive', { item: ['VX-999'] }))).status).toBe(404);
  });
});

describe('somebody who has the address of an archive', () => {
  it('uses it twice, guesses its secret, or comes too late', async () => {
    const world = await openExports();
    const item = await titled(world);
    const made = await order(world, [item]);
    const status = async (headers: Record<string, string> = {}, { uri } = made) =>
      (await fetched(world, { uri }, headers)).status;
    for (const uri of [`${made.uri}x`, made.uri.replace(/\?.*/, ''), made.uri.replace(/secret=.*/, 'secret=')])
      expect(await status({}, { ...made, uri })).toBe(404);
    const first = await fetched(world, made);
    await bytesOf(first);
    const etag = first.headers.get('etag')!;
    for (const headers of [
      {},
      { range: 'bytes=1-' },
      { range: 'bytes=1-', 'if-range': '"other"' },
      { 'if-range': etag },
    ])
      expect(await status(headers as Record<string, string>)).toBe(404);
    const late = await order(world, [item]);
    await world.clock.advance(15 * 60_000);
    expect(await status({}, late)).toBe(404);
    await world.clock.advance(24 * 3_600_000);
    expect(await status({ range: 'bytes=1-', 'if-range': etag })).toBe(404);
  });

  it('two at once: one of them gets it', async () => {
    const world = await openExports();
    const made = await order(world, [await titled(world)]);
    const answers = await Promise.all([fetched(world, made), fetched(world, made)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it('gets nothing that its user may no longer read, or once the logins of the user are revoked', async () => {
    const world = await openExports();
    const item = await titled(world);
    const allow = (permission: string) =>
      done(
        world,
        ask(`POST /API/item/${item}/access`, {
          permission,
          user: exporter[0],
          priority: permission === 'NONE' ? 1 : 0,
        }),
      );
    await allow('READ');
    await done(world, ask(`PUT /API/group/_item_shape_read/user/${exporter[0]}`));
    const [made, later] = [await order(world, [item], {}, exporter), await order(world, [item], {}, exporter)];
    await allow('NONE');
    const text = new TextDecoder('latin1').decode(await bytesOf(await fetched(world, made)));
    expect([text.includes('hello'), text.includes('not-included.txt')]).toEqual([false, true]);
    await done(world, ask(`DELETE /API/user/${exporter[0]}/tokens`));
    expect((await fetched(world, later)).status).toBe(404);
  });

  it('makes them without end: the oldest of one user go', async () => {
    const world = await openExports();
    const item = await titled(world);
    const first = await order(world, [item]);
    for (let count = 0; count < 20; count++) {
      await world.clock.advance(1);
      await order(world, [item]);
    }
    expect((await fetched(world, first)).status).toBe(404);
    expect(await world.service.store.read('SELECT count(*) FROM archive_order')).toEqual([[20]]);
  });
});
