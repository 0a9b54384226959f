import { AsyncLocalStorage } from 'node:async_hooks';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallCount } from '../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../src/core/store/remote/remote-database.ts';
import { at, notificationLoads } from '../security/loop/notifications.ts';
import { castFor } from '../security/roles/rule.ts';
import { served } from '../security/roles/rules.ts';
import { newUser } from '../support/cast.ts';
import { isLong } from '../support/long.ts';
import { openBehind, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { type Sqld, sqldBinary, startSqld } from '../support/sqld.ts';
import { calls } from './calls.ts';

/** Calls of each route to a remote database until its answer. Each call is a round trip, and an edge has few of them. */

const writes = process.env['PORTICO_WRITE_CALLS'] !== undefined;
const remedy = 'Remedy: fewer calls, or PORTICO_WRITE_CALLS=1 npm run test:long -- test/remote writes the table anew';

/** Calls of usual requests when the service has answered some like it. An edge has fewer: its reads and queries share calls. */
const defaultValue: Readonly<Record<string, number>> = {
  'GET /whoami': 1,
  'GET /item/:item': 1,
  'GET /item/:item/metadata': 1,
  'GET /collection/:collection': 2,
  'PUT /item': 2,
  'POST /user': 2,
  'PUT /item/:item/metadata': 2,
  'POST /import/placeholder': 2,
  'POST /import/raw': 6,
};

/** Routes of deliveries, secrets and replays, of which this world has none: their calls are those of a refusal. */
const absent: ReadonlySet<string> = new Set(
  [
    ...['DELETE :notification', 'DELETE :notification/external-id/:externalId', 'GET :notification/secret'],
    ...['GET :notification/delivery/:delivery', 'POST :notification/delivery/:delivery/retry'],
    ...['DELETE :notification/parked', 'DELETE :notification/parked/:sequence'],
    ...['POST :notification/parked/:sequence/retry', 'GET :notification/replay'],
  ].map((route) => route.replace(' ', ` ${at}/`)),
);

interface Question {
  readonly route: string;
  /** Makes what must be there before. */
  given(world: World, who: string): Promise<unknown>;
  ask(world: World, who: string): Promise<number>;
}

/** `allowed`: the status of the route where nothing is wrong. Refusals would tell too few calls. */
async function callsOf(world: World, send: () => ReturnType<World['send']>, allowed = 200): Promise<number> {
  const from = world.lines.length;
  const { status, body } = await send();
  expect(status < 300 ? 200 : status, body.slice(0, 300)).toBe(allowed);
  const line = world.lines.slice(from).find(({ event }) => event === 'request');
  return Number(line?.['calls']);
}

const questions: readonly Question[] = [
  ...served.map((rule) => ({
    route: rule.route,
    async given(world: World, who: string) {
      await prepare(world, [newUser([who, 'p'])]);
      await prepare(world, rule.given?.(who));
      await rule.rows?.(world, who, admin[0]);
    },
    ask: (world: World, who: string) =>
      callsOf(world, () => world.send({ as: admin, ...rule.request(who) }), rule.allowed),
  })),
  ...Object.entries(notificationLoads).map(([route, { request, body }]) => ({
    route,
    given: async () => undefined,
    ask: (world: World) =>
      callsOf(world, () => world.send({ as: admin, request: request(1), body }), absent.has(route) ? 404 : 200),
  })),
];

describe.skipIf(sqldBinary() === undefined)('calls to a remote database until the answer', () => {
  let server: Sqld;
  let world: World;
  const measured: Record<string, number> = {};
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startSqld();
    const scope = new AsyncLocalStorage<CallCount>();
    const database = openRemoteDatabase(server.url, { calls: scope });
    world = await openBehind('fetch', { database }, (end) => ends.push(end));
    await prepare(world, castFor(['_administrator'], []));
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await server.stop();
    if (!writes) return;
    const rows = Object.entries(measured).map(([route, count]) => `  '${route}': ${count},\n`);
    const head = '/** Calls to a remote database until the answer, by route: `calls.test.ts` writes them. */\n';
    const text = `${head}export const calls: Readonly<Record<string, number>> = {\n${rows.join('')}};\n`;
    await writeFile(new URL('calls.ts', import.meta.url), text);
  });

  it('are told for each route', () => {
    const routes = questions.map(({ route }) => route).toSorted();
    expect(writes ? routes : Object.keys(calls).toSorted(), remedy).toEqual(routes);
  });

  const often = questions
    .filter(({ route }) => Object.hasOwn(defaultValue, route))
    .map((each, index) => [each.route, index, each] as const);
  it.each(often)('are few for usual requests: %s', async (route, index, { given, ask }) => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => `${name}-${index}`) as [
      string,
      string,
      string,
    ];
    for (const who of [first, second, third]) await given(world, who);
    // The first one may mark fields as used, and the second one reads their definitions anew.
    for (const who of [first, second]) await ask(world, who);
    expect(await ask(world, third)).toBeLessThanOrEqual(defaultValue[route]!);
  });

  // In their order, in one service: caches and blocks of ids are as the routes before leave them.
  const all = isLong ? questions.map((each, index) => [each.route, index, each] as const) : [];
  it.each(all)('do not become more: %s', async (route, index, { given, ask }) => {
    await given(world, `who-${index}`);
    const found = await ask(world, `who-${index}`);
    measured[route] = found;
    if (!writes) expect(found, remedy).toBeLessThanOrEqual(calls[route] ?? 0);
  });

  it('are no more for a caller with an entry than for an administrator', async () => {
    const member: Credentials = ['reading member', 'p'];
    await prepare(world, [newUser(member, ['_item_read', '_metadata_read'])]);
    const ask = async (request: string, as = admin, body?: object) => {
      const headers = { accept: 'application/json' };
      return callsOf(world, () => world.send({ as, request, headers, body }));
    };
    const made = await world.send({
      as: admin,
      request: 'POST /API/import/placeholder',
      headers: { accept: 'text/plain' },
    });
    const id = made.body.trim();
    await ask(`POST /API/item/${id}/access`, admin, { user: member[0], permission: 'READ' });
    for (const path of [`/API/item/${id}`, `/API/item/${id}/metadata`]) {
      for (const as of [admin, member, member]) await ask(`GET ${path}`, as);
      expect(await ask(`GET ${path}`, member), path).toBeLessThanOrEqual(await ask(`GET ${path}`));
    }
  });
});
