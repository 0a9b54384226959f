import { describe, expect, it } from 'vitest';
import { newGroup, newUser } from '../../support/cast.ts';
import { settle } from '../../support/clock.ts';
import { basic, describeMatrix, listenFor, openWorld, requestOf, type Sent, type World } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { nobody } from '../../support/store.ts';

const json = { accept: 'application/json' };
const ask = (request: string, headers: Readonly<Record<string, string>> = json): Sent => ({
  as: admin,
  request,
  headers,
});

interface Feed {
  readonly oldest?: number;
  readonly newest?: number;
  readonly event?: readonly { readonly sequence: number; readonly name: string; readonly data: readonly object[] }[];
}

const wrong: readonly Scenario[] = [
  { name: 'refuses a place that is none', ...ask('GET /API/event?since=x'), status: 400 },
  { name: 'refuses a number that is none', ...ask('GET /API/event?number=-1'), status: 400 },
  { name: 'does not speak text', ...ask('GET /API/event', { accept: 'text/plain' }), status: 406 },
];

const read = async (world: World, query = ''): Promise<Feed> =>
  JSON.parse((await world.send(ask(`GET /API/event${query}`))).body) as Feed;

describeMatrix('the feed of events', (entry) => {
  itHolds(entry, wrong);

  it('tells everything in commit order, after what is known already', async () => {
    const world = await entry.open();
    const { newest = 0 } = await read(world, '?number=0');
    await prepare(world, [newGroup('crew', { userList: { user: [{ userName: 'admin' }] } }), newGroup('other')]);
    const feed = await read(world, `?since=${newest}`);
    expect(feed).toMatchObject({ oldest: 1, newest: newest + 3 });
    expect(feed.event!.map(({ sequence, name }) => `${sequence - newest} ${name}`)).toEqual([
      '1 group/create',
      '2 group/modify',
      '3 group/create',
    ]);
    expect(feed.event![1]!).toEqual({
      sequence: newest + 2,
      name: 'group/modify',
      entityType: 'group',
      entityId: 'crew',
      timestamp: '2030-01-01T00:00:00.000+0000',
      user: 'admin',
      requestId: expect.any(String),
      data: [
        { key: 'group', value: 'crew' },
        { key: 'mode', value: 'ADD' },
        { key: 'affectedUser', value: 'admin' },
      ],
    });
    const page = await read(world, `?since=${newest}&number=1`);
    expect(page.event!.map(({ sequence }) => sequence)).toEqual([newest + 1]);
    expect((await read(world, `?since=${newest + 3}`)).event).toEqual([]);
  });

  it('tells several values of a key one by one, and what has parts as JSON', async () => {
    const world = await entry.open();
    const payload = { changed: ['a', 'b'], sample: { k: [1] }, none: [] };
    await world.service.store.commit(
      { changes: [], events: [{ name: 'x', entityType: 'x', entityId: '1', payload }] },
      nobody,
    );
    const { body } = await world.send(ask('GET /API/event?number=1000', { accept: 'application/xml' }));
    expect(body).toContain(
      '<data><key>changed</key><value>a</value></data><data><key>changed</key><value>b</value></data><data><key>sample</key><value>{"k":[1]}</value></data></event>',
    );
  });

  it('is for those who have its role', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(['reader', 'p'], ['_event_read']), newUser(['other', 'p'], ['_group_read'])]);
    expect((await world.send({ ...ask('GET /API/event'), as: ['reader', 'p'] })).status).toBe(200);
    expect((await world.send({ ...ask('GET /API/event'), as: ['other', 'p'] })).status).toBe(403);
  });
});

interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The next piece, or undefined at the end. */
  next(): Promise<string | undefined>;
  cancel(): Promise<void>;
}

async function stream(world: World, query = '', headers: Readonly<Record<string, string>> = {}): Promise<Stream> {
  const sent = ask(`GET /API/event${query}`, { accept: 'text/event-stream', ...headers });
  const response = await world.service.fetch(requestOf('http://portico.test', sent));
  const reader = response.body!.getReader();
  return {
    status: response.status,
    headers: response.headers,
    next: async () => {
      const { done, value } = await reader.read();
      return done ? undefined : new TextDecoder().decode(value);
    },
    cancel: () => reader.cancel(),
  };
}

/** Stream that has told everything and waits; `next` is what it tells then. */
async function waitingStream(world: World) {
  const { newest = 0 } = await read(world);
  const told = await stream(world, `?since=${newest}`);
  await told.next();
  const next = told.next();
  await settle();
  return { told, next };
}

describe('a stream of events', () => {
  it('begins with what is known to be missing, and tells each event as it is committed', async () => {
    const world = await openWorld('fetch');
    const { newest = 0 } = await read(world);
    await prepare(world, [newGroup('one')]);
    const told = await stream(world, `?since=${newest}`);
    expect([told.status, told.headers.get('content-type'), told.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    expect(await told.next()).toBe(`: connected\nid: ${newest}\n\n`);
    const first = (await told.next())!;
    expect(first).toMatch(new RegExp(`^id: ${newest + 1}\nevent: group/create\ndata: \\{.*"entityId":"one".*\\}\n\n$`));
    const next = told.next();
    await prepare(world, [newGroup('two')]);
    expect(await next).toContain('"entityId":"two"');
    await told.cancel();
  });

  it('goes on where the client says it was', async () => {
    const world = await openWorld('fetch');
    const { newest = 0 } = await read(world);
    await prepare(world, [newGroup('one'), newGroup('two')]);
    const told = await stream(world, '?since=0', { 'last-event-id': String(newest + 1) });
    await told.next();
    expect(await told.next()).toContain('"entityId":"two"');
    await told.cancel();
  });

  it('tells what another instance committed, and that it is still there', async () => {
    const world = await openWorld('fetch');
    const { told, next } = await waitingStream(world);
    await world.clock.advance(1_000);
    const sql = `INSERT INTO event (name, entity_type, entity_id, payload, user, at) VALUES ('x', 'x', 'elsewhere', '{}', 'u', 1)`;
    await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, nobody);
    await world.clock.advance(1_000);
    expect(await next).toContain('"entityId":"elsewhere"');
    const quiet = told.next();
    await settle();
    await world.clock.advance(15_000);
    expect(await quiet).toBe(':\n\n');
    await told.cancel();
  });

  it('ends after a while, so that nobody keeps a right that they have lost', async () => {
    const world = await openWorld('fetch', { settings: { eventStreamSeconds: 10 } });
    const { next } = await waitingStream(world);
    await world.clock.advance(10_000);
    expect(await next).toBeUndefined();
  });

  it('is refused when there are too many, and free again when one ends', async () => {
    const world = await openWorld('fetch', { settings: { maxEventStreams: 1 } });
    const told = await stream(world);
    const full = await world.send(ask('GET /API/event', { accept: 'text/event-stream' }));
    expect([full.status, full.headers.get('retry-after'), full.body]).toEqual([
      503,
      '10',
      expect.stringContaining('maxEventStreams'),
    ]);
    const head = await world.send(ask('HEAD /API/event', { accept: 'text/event-stream' }));
    expect(head.status).toBe(200);
    await told.cancel();
    await (await stream(world)).cancel();
  });

  it('ends when the service stops', async () => {
    const world = await openWorld('fetch');
    const { next } = await waitingStream(world);
    world.service.quiet();
    expect(await next).toBeUndefined();
    const late = await world.send(ask('GET /API/event', { accept: 'text/event-stream' }));
    expect(late.status).toBe(503);
  });

  it('reaches a client over a socket, and ends when it goes', async () => {
    const world = await openWorld('fetch', { settings: { maxEventStreams: 1 } });
    const port = await listenFor(world);
    const over = new AbortController();
    const connect = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/API/event?since=0`, {
        headers: { authorization: basic(admin), accept: 'text/event-stream' },
        ...(signal && { signal }),
      });
    const response = await connect(over.signal);
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('user/create')) text += new TextDecoder().decode((await reader.read()).value);
    over.abort();
    let again = await connect();
    while (again.status === 503) {
      await again.body?.cancel();
      await settle();
      again = await connect();
    }
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });
});
