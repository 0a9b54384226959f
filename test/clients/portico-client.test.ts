import { type CallName, PorticoClient, Refusal } from 'portico/client';
import type { ItemDocument, UserListDocument } from 'portico/types';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { listenFor } from '../support/matrix.ts';
import { admin, withService } from '../support/service.ts';
import { uploader, worldOf } from '../support/world.ts';

const [name, password] = admin;
const url = 'http://portico.test/behind/a/proxy';

/** A client whose requests meet these answers, one after the other. */
function clientOf(answers: readonly (Response | Error)[]) {
  const left = [...answers];
  const requests: Request[] = [];
  const pauses: number[] = [];
  const client = new PorticoClient({
    url,
    token: 'T',
    fetch: async (input, init) => {
      requests.push(new Request(input, init));
      const answer = left.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  return { client, requests, pauses };
}

const busy = (status: number, retryAfter?: string) =>
  new Response('{}', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

async function inProcess() {
  const { service } = await withService();
  return new PorticoClient({
    url: 'http://portico.test',
    user: { name, password },
    fetch: async (input, init) => service.fetch(new Request(input, init)),
  });
}

describe('portico/client', () => {
  it('says what was not found, and why nothing answered, with the address and without its parameters', async () => {
    const failed = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 10.0.0.1:80') });
    const { client } = clientOf([Response.json({ notFound: { type: 'Item', id: 'VX-9' } }, { status: 404 }), failed]);
    const read = () => client.call('GET /item/:item', { path: { item: 'VX-9' } });
    await expect(read()).rejects.toThrow('Expected Item "VX-9" to be there');
    const write = client.call('PUT /item/:item/metadata', {
      path: { item: 'VX-9' },
      query: { revision: 'secret' },
      body: {},
    });
    await expect(write).rejects.toThrow(
      `Expected an answer of ${url}/API/item/VX-9/metadata: fetch failed: connect ECONNREFUSED 10.0.0.1:80`,
    );
  });

  it('types paths, queries, bodies and answers', () => {
    const typed = async (client: PorticoClient) => {
      expectTypeOf(await client.call('GET /user')).toEqualTypeOf<UserListDocument>();
      expectTypeOf(await client.call('GET /whoami')).toEqualTypeOf<string>();
      expectTypeOf(await client.call('DELETE /item/:item', { path: { item: 'VX-1' } })).toEqualTypeOf<undefined>();
      for await (const page of client.pages('GET /user')) expectTypeOf(page).toEqualTypeOf<UserListDocument>();
      // @ts-expect-error No such call.
      await client.call('GET /usr');
      // @ts-expect-error A segment is missing.
      await client.call('GET /item/:item');
      // @ts-expect-error A misspelt parameter.
      await client.call('GET /user', { query: { frist: 1 } });
      // @ts-expect-error A misspelt property of the body.
      await client.call('POST /user', { body: { userNam: 'ann' } });
      // @ts-expect-error Bytes come by `open`.
      await client.call('GET /export/zip', { query: { item: ['VX-1'] } });
      await client.call('PUT /user/:name/metadata/:key*', { path: { name: 'ann', key: 'a/b' }, body: 'v' });
    };
    expectTypeOf(typed).parameter(0).toEqualTypeOf<PorticoClient>();
    expectTypeOf<'GET /item/:item'>().toExtend<CallName>();
  });

  it('reads and writes documents and texts, and follows a list by pages and by a cursor', async () => {
    const client = await inProcess();
    for (const userName of ['ann', 'ben', 'cid'])
      await client.call('POST /user', { body: { userName, password: 'a pass phrase' } });
    const key = 'team/colour & size';
    await client.call('PUT /user/:name/metadata/:key*', { path: { name: 'ann', key }, body: 'green' });
    expect(await client.call('GET /user/:name/metadata/:key*', { path: { name: 'ann', key } })).toEqual({
      field: [{ key, value: 'green' }],
    });
    expect(await client.call('GET /whoami')).toBe('admin');

    const users: (readonly string[])[] = [];
    for await (const page of client.pages('GET /user', { query: { number: 2 } }))
      users.push((page.user ?? []).map(({ userName }) => userName!));
    expect(users.map(({ length }) => length)).toEqual([2, 2]);
    expect(users.flat().toSorted()).toEqual(['admin', 'ann', 'ben', 'cid']);

    for (let made = 0; made < 5; made++)
      await client.call('POST /import/placeholder', { query: { container: 1 }, body: {} });
    // Also a list whose last page is full, and one without entries.
    for (const [query, lengths] of [
      [{ number: 2 }, [2, 2, 1]],
      [{ number: 5 }, [5]],
      [{ q: '<ItemSearchDocument><text>nowhere</text></ItemSearchDocument>' }, [0]],
    ] as const) {
      const items: (readonly ItemDocument[])[] = [];
      for await (const page of client.pages('GET /item', { query })) items.push(page.item ?? []);
      expect(items.map(({ length }) => length)).toEqual(lengths);
      expect(new Set(items.flat().map(({ id }) => id)).size).toBe(lengths[0] === 0 ? 0 : 5);
    }
  });

  it('throws a refusal that names what is wrong', async () => {
    const client = await inProcess();
    const error = await client.call('GET /item/:item', { path: { item: 'VX-99' } }).catch((refusal) => refusal);
    expect(error).toBeInstanceOf(Refusal);
    expect([error.status, error.kind, error.id]).toEqual([404, 'notFound', 'VX-99']);
  });

  it.each(['.', '..', ''])('a segment "%s" leads to no other address', async (item) => {
    const { client, requests } = clientOf([]);
    await expect(client.call('GET /item/:item', { path: { item } })).rejects.toThrow('Expected the segment "item"');
    expect(requests).toEqual([]);
  });

  it('asks a busy service again, for as long as it says', async () => {
    const { client, requests, pauses } = clientOf([busy(429, '7'), busy(503), Response.json({ userName: 'ann' })]);
    expect(await client.call('GET /user/:name', { path: { name: 'a b/ü' } })).toEqual({ userName: 'ann' });
    expect(pauses).toEqual([7000, 2000]);
    expect(requests[0]!.url).toBe(`${url}/API/user/a%20b%2F%C3%BC`);
    expect(requests[0]!.headers.get('authorization')).toBe('token T');
  });

  it('reads again after a lost connection, and never makes a change twice', async () => {
    const lost = new TypeError('fetch failed');
    const reading = clientOf([lost, Response.json({})]);
    await reading.client.call('GET /user');
    expect(reading.requests).toHaveLength(2);
    const writing = clientOf([lost]);
    await expect(writing.client.call('POST /user', { body: { userName: 'ann' } })).rejects.toMatchObject({ status: 0 });
    expect(writing.requests).toHaveLength(1);
  });

  it('tells at once that a service is closed for long', async () => {
    const { client, pauses } = clientOf([busy(503, '3600')]);
    await expect(client.call('GET /user')).rejects.toMatchObject({ status: 503, retryAfter: 3600 });
    expect(pauses).toEqual([]);
  });

  it('waits for the end of a job', async () => {
    const job = (status: string) => Response.json({ jobId: 'VX-1', status, type: 'IMPORT', priority: 'MEDIUM' });
    const { client, pauses } = clientOf([job('READY'), job('STARTED'), job('FAILED_TOTAL')]);
    expect((await client.jobEnd('VX-1')).status).toBe('FAILED_TOTAL');
    expect(pauses).toEqual([500, 750]);
  });

  it('uploads a file by tus over a socket', async () => {
    const world = await worldOf('uploads');
    const [user, secret] = uploader;
    const client = new PorticoClient({
      url: `http://127.0.0.1:${await listenFor(world)}`,
      user: { name: user, password: secret },
    });
    const sent: number[] = [];
    const { file } = await client.upload(
      new Blob(['the words of a film']),
      { storage: 'VX-1', path: 'in/ü.txt' },
      { onProgress: (bytes) => sent.push(bytes) },
    );
    expect(sent.at(-1)).toBe(19);
    const answer = await client.open('GET /storage/file/:file/data', { path: { file: file! } });
    expect(await answer.text()).toBe('the words of a film');
  });
});
