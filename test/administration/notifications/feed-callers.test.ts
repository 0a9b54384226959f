import { describe, expect, it } from 'vitest';
import { createEventStreams } from '../../../src/administration/notifications/feed/streams.ts';
import { createWatch } from '../../../src/administration/notifications/feed/watch.ts';
import { createWaker } from '../../../src/core/lib/clock.ts';
import { createLog } from '../../../src/core/lib/log.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { trusting } from '../../filters/support.ts';
import { newUser } from '../../support/cast.ts';
import { settle, testClock } from '../../support/clock.ts';
import { happened } from '../../support/declared.ts';
import { claims, pair, signed } from '../../support/keys.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import {
  browserAt,
  byToken,
  type How,
  logIn,
  newKey,
  newToken,
  ofPage,
  sendWell,
  setPassword,
  storeOAuth2,
  switchTo,
} from '../../support/ways.ts';

const eve: Credentials = ['eve', 'password of eve'];
const portal: Credentials = ['portal', 'password of portal'];
const second = 1_000;

async function open(settings = {}) {
  const world = await openWorld('fetch', { settings: { eventStreamSeconds: 86_400, ...settings } });
  await prepare(world, [newUser(eve, ['_administrator']), newUser(portal, ['_runas'], { runAs: true })]);
  return world;
}

/** A stream of the newest events, and what has come of it. */
async function streamOf(world: World, how: How & { readonly cookie?: string } = {}, query = '') {
  const headers = { ...how.headers, accept: 'text/event-stream' };
  const answer = await browserAt(world)({ ...how, request: `GET /API/event${query}`, headers });
  expect(answer.status).toBe(200);
  const reader = answer.body!.getReader();
  const seen = { text: '', ended: false };
  const read = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      seen.text += new TextDecoder().decode(value);
    }
    seen.ended = true;
  })();
  await passing(world, second);
  return { seen, end: async () => void (await Promise.all([reader.cancel(), read])) };
}

async function passing(world: World, milliseconds: number): Promise<void> {
  await settle();
  await world.clock.advance(milliseconds);
  await settle();
}

const tell = (world: World, id: string) =>
  world.service.store.commit(
    { changes: [], events: [happened('storage/create', id, { storageId: id })] },
    { user: 'x' },
  );

const all = (name: string) => ({ as: admin, request: `DELETE /API/user/${name}/tokens` });

/** Ways to end a login, by what came in. */
const ends: readonly (readonly [
  what: string,
  how: (world: World) => Promise<How & { cookie?: string }>,
  end: (world: World, how: How & { cookie?: string }) => Promise<unknown>,
])[] = [
  ['was disabled', async () => ({ as: eve }), (world) => switchTo(world, 'eve', false)],
  [
    'was deleted',
    async () => ({ as: eve }),
    (world) => sendWell(world, { as: admin, request: 'DELETE /API/user/eve' }),
  ],
  ['got another password', async () => ({ as: eve }), (world) => setPassword(world, 'eve', 'another password')],
  [
    'lost the role',
    async () => ({ as: eve }),
    (world) => sendWell(world, { as: admin, request: 'DELETE /API/group/_administrator/user/eve' }),
  ],
  [
    'was logged out everywhere',
    async (world) => byToken(await newToken(world, { as: eve })),
    (world) => sendWell(world, all('eve')),
  ],
  [
    'lost this token alone',
    async (world) => byToken(await newToken(world, { as: eve })),
    async (world) => {
      const [[id] = []] = await world.service.store.read('SELECT id FROM token', []);
      await sendWell(world, { as: admin, request: `DELETE /API/user/eve/tokens/${id}` });
    },
  ],
  [
    'logged out in the page',
    async (world) => ({ cookie: await logIn(browserAt(world), eve), headers: ofPage }),
    (world, { cookie }) => browserAt(world)({ request: 'DELETE /API/session', cookie, headers: ofPage }),
  ],
  [
    'lost the access key',
    async (world) => ({ as: (await newKey(world, 'eve')).pair }),
    async (world) => {
      const [[id] = []] = await world.service.store.read('SELECT id FROM access_key', []);
      await sendWell(world, { as: admin, request: `DELETE /API/user/eve/key/${id}` });
    },
  ],
  [
    'acts for somebody and may not any more',
    async () => ({ as: portal, headers: { runas: 'eve' } }),
    (world) => sendWell(world, { as: admin, request: 'DELETE /API/group/_runas/user/portal' }),
  ],
  [
    'acts for somebody who was disabled',
    async () => ({ as: portal, headers: { runas: 'eve' } }),
    (world) => switchTo(world, 'eve', false),
  ],
];

describe('an open stream of events does not outlive its caller', () => {
  it.each(ends)('who %s', async (_what, how, end) => {
    const world = await open();
    const login = await how(world);
    const stream = await streamOf(world, login);
    await tell(world, 'VX-901');
    await passing(world, second);
    expect([stream.seen.ended, stream.seen.text]).toEqual([false, expect.stringContaining('VX-901')]);
    await end(world, login);
    await passing(world, second);
    await tell(world, 'VX-902');
    await passing(world, second);
    expect(stream.seen.ended).toBe(true);
    expect(stream.seen.text).not.toContain('VX-902');
    await stream.end();
  });

  it('whose token expires, and not before', async () => {
    const world = await open();
    const stream = await streamOf(world, byToken(await newToken(world, { as: eve }, 'seconds=5')));
    await passing(world, 3 * second);
    expect(stream.seen.ended).toBe(false);
    await passing(world, second);
    expect(stream.seen.ended).toBe(true);
    await stream.end();
  });

  it('whose bearer token expires', async () => {
    const world = await open();
    const key = pair('P-256');
    await storeOAuth2(world, trusting(key));
    const exp = Math.floor(world.clock.now() / second) + 5;
    const authorization = `Bearer ${signed(key, { ...claims(), user: 'eve', exp })}`;
    const stream = await streamOf(world, { headers: { authorization } });
    await passing(world, 3 * second);
    expect(stream.seen.ended).toBe(false);
    await passing(world, second);
    expect(stream.seen.ended).toBe(true);
    await stream.end();
  });

  it('who logs out while nothing happens', async () => {
    const world = await open();
    const cookie = await logIn(browserAt(world), eve);
    const stream = await streamOf(world, { cookie, headers: ofPage });
    await passing(world, 5 * second);
    expect(stream.seen.ended).toBe(false);
    await browserAt(world)({ request: 'DELETE /API/session', cookie, headers: ofPage });
    await passing(world, second);
    expect(stream.seen.ended).toBe(true);
    await stream.end();
  });

  it('also where another instance ended it: with the next event', async () => {
    const world = await open();
    const stream = await streamOf(world, { as: eve });
    await passing(world, second);
    await elsewhere(world, "UPDATE user SET enabled = 0 WHERE name = 'eve'");
    await tell(world, 'VX-902');
    await passing(world, second);
    expect([stream.seen.ended, stream.seen.text]).toEqual([true, expect.not.stringContaining('VX-902')]);
    await stream.end();
  });

  it('also where another instance ended it: with the next heartbeat', async () => {
    const world = await open();
    const stream = await streamOf(world, { as: eve });
    await elsewhere(world, "UPDATE user SET enabled = 0 WHERE name = 'eve'");
    await passing(world, 16 * second);
    expect(stream.seen.ended).toBe(true);
    await stream.end();
  });
});

/** A change as another instance makes it: nothing wakes this one. */
const elsewhere = (world: World, sql: string) =>
  world.service.store.commit({ changes: [{ sql, args: [], writes: 'elsewhere' }], events: [] }, { user: 'test' });

it('a stream has the rights of now: an administrator who became a reader of events is told of jobs no more', async () => {
  const world = await open();
  await sendWell(world, { as: admin, request: 'PUT /API/group/_event_read/user/eve' });
  const stream = await streamOf(world, { as: eve });
  await sendWell(world, { as: admin, request: 'DELETE /API/group/_administrator/user/eve' });
  await passing(world, second);
  await tell(world, 'VX-902');
  await passing(world, second);
  expect([stream.seen.ended, stream.seen.text]).toEqual([false, expect.not.stringContaining('VX-902')]);
  await stream.end();
});

it('a flood of events asks for the caller of a stream once a second', async () => {
  const clock = testClock();
  let asked = 0;
  const ask = async () => {
    asked++;
    return { filter: undefined, ends: Number.POSITIVE_INFINITY };
  };
  const watch = createWatch({ clock, callers: createWaker(clock), ask });
  for (let page = 0; page < 40; page++) {
    expect(await watch.goesOn()).toBe(true);
    expect(watch.due - clock.now()).toBeLessThanOrEqual(page % 10 === 0 ? Number.POSITIVE_INFINITY : second);
    await clock.advance(100);
  }
  expect(asked).toBe(4);
});

it('an idle stream of an edge asks the database less and less often, and soon again behind news', async () => {
  const clock = testClock();
  let news: readonly (readonly (string | number | null)[])[] = [];
  let looks = 0;
  async function read() {
    looks++;
    const rows = news;
    news = [];
    return rows;
  }
  const streams = createEventStreams({
    ...{ store: { read } as unknown as Store, clock, waker: createWaker(clock), callers: createWaker(clock) },
    ...{ log: createLog(() => undefined, clock, 'error'), sharesWork: false },
    settings: { maxEventStreams: 9, maxUserEventStreams: 9, eventStreamSeconds: 3_600, maxPageValues: 1_000 },
  });
  const rightsNow = async () => ({ filter: undefined, ends: Number.POSITIVE_INFINITY });
  const reader = streams.start(0, { rightsNow, holder: { account: 'eve', isPage: false } }).getReader();
  const reading = (async () => {
    while (!(await reader.read()).done);
  })();
  /** Number of looks at the feed in a span of the test clock. */
  async function within(seconds: number): Promise<number> {
    looks = 0;
    for (let at = 0; at < seconds; at++) {
      await settle();
      await clock.advance(second);
    }
    await settle();
    return looks;
  }
  expect(await within(10)).toBeLessThanOrEqual(5);
  expect(await within(60)).toBeLessThanOrEqual(12);
  news = [[1, 'item/create', 'item', 'VX-1', '{}', null, 'eve', null, null, 0]];
  while (news.length > 0) await within(1);
  news = [[2, 'item/create', 'item', 'VX-2', '{}', null, 'eve', null, null, 0]];
  await within(2);
  expect(news, 'the next look comes soon').toEqual([]);
  streams.end();
  await Promise.all([reader.cancel(), reading]);
});
