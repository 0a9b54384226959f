import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { openWorld } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import { browserAt, byToken, logIn, newToken, ofPage } from '../../support/ways.ts';

const mallory: Credentials = ['mallory', 'password of mallory'];
const vera: Credentials = ['vera', 'password of vera'];

/** A service with few places, and a way to open streams, all of which end with the test. */
async function open(maxEventStreams: number, settings: { readonly maxUserEventStreams?: number } = {}) {
  const world = await openWorld('fetch', { settings: { maxEventStreams, ...settings } });
  const names = Array.from({ length: 10 }, (_, index): Credentials => [`user${index}`, `password of user${index}`]);
  await prepare(
    world,
    [mallory, vera, ...names].map((each) => newUser(each, ['_event_read', '_event_read_all', '_runas'])),
  );
  const browser = browserAt(world);
  const open: Response[] = [];
  return {
    world,
    names,
    page: (as: Credentials) => logIn(browser, as),
    async stream(how: { readonly as?: Credentials; readonly cookie?: string; readonly token?: string }, query = '') {
      const headers = {
        ...(how.cookie === undefined ? {} : ofPage),
        ...(how.token === undefined ? {} : byToken(how.token).headers),
        accept: 'text/event-stream',
      };
      const answer = await browser({ ...how, request: `GET /API/event${query}`, headers });
      if (answer.status === 200) open.push(answer);
      return answer;
    },
    end: () => Promise.all(open.map(({ body }) => body?.cancel())),
  };
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;

it('one user takes all connections that wait for events: with roles, and by any login', async () => {
  const { world, page, stream, end } = await open(100);
  const token = await newToken(world, { as: mallory });
  const cookie = await page(mallory);
  const ways = [{ as: mallory }, { token }, { cookie }];
  for (let number = 0; number < 8; number++)
    expect(await statusOf(stream(ways[number % 3]!, number % 2 === 0 ? '' : '?mine=true')), String(number)).toBe(200);
  for (const way of ways) {
    const more = await stream(way);
    expect([more.status, more.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await more.text()).toContain('maxUserEventStreams');
  }
  expect(await statusOf(stream({ as: vera }))).toBe(200);
  expect(await statusOf(stream({ cookie: await page(vera) }))).toBe(200);
  await end();
});

it('programs take the connections of the web page: the last fifth is for its sessions', async () => {
  const { names, page, stream, end } = await open(10);
  for (const as of names.slice(0, 8)) expect(await statusOf(stream({ as }))).toBe(200);
  const refused = await stream({ as: names[8]! });
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('maxEventStreams')]);
  const [first, second] = [await page(vera), await page(names[0]!)];
  for (const cookie of [first, second]) expect(await statusOf(stream({ cookie }))).toBe(200);
  expect(await statusOf(stream({ cookie: first }))).toBe(503);
  await end();
});

it('sessions of the web page also get connections that programs leave free', async () => {
  const { page, stream, end } = await open(5, { maxUserEventStreams: 3 });
  const cookie = await page(vera);
  for (const expected of [200, 200, 200, 503]) expect(await statusOf(stream({ cookie }))).toBe(expected);
  for (const expected of [200, 200, 503]) expect(await statusOf(stream({ as: mallory }))).toBe(expected);
  await end();
});

it('a connection that has ended leaves its place to the next', async () => {
  const { stream, end } = await open(1);
  const first = await stream({ as: vera });
  expect(await statusOf(stream({ as: mallory }))).toBe(503);
  await first.body!.cancel();
  expect(await statusOf(stream({ as: mallory }))).toBe(200);
  await end();
});
