import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Statement } from '../../src/core/store/contract.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { type DirectorySize, fillDirectory } from '../support/many-rows.ts';
import { openWorld, type Sent, type World } from '../support/matrix.ts';
import { admin, type ServiceOptions } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';
import { maxTurnLength } from '../support/turns.ts';

/** Milliseconds for which no single request may hold the loop. */
const maxTurn = 50;
const whoami: Sent = { as: admin, request: 'GET /API/whoami' };

async function fileWorld(options: ServiceOptions = {}): Promise<World> {
  const directory = await temporaryDirectory();
  const database = await openDatabase(`file:${join(directory.path, 'portico.db')}`);
  onTestFinished(() => directory.remove());
  return openWorld('fetch', { ...options, database });
}

async function fill(world: World, size: DirectorySize, more: readonly string[] = []): Promise<void> {
  await fillDirectory(world.service.store, size);
  await run(world, more);
}

async function run(world: World, more: readonly string[]): Promise<void> {
  const changes: Statement[] = more.map((sql) => ({ sql, args: [] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const upTo = (count: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** A thousand users with twenty values each, a group with all users, and a long audit log. */
const crowd = [
  `${upTo(20)} INSERT INTO key_value (entity_type, entity_id, key, position, value)
    SELECT 'user', user.id, 'key-' || i, 0, 'value ' || i FROM n, user WHERE user.name < 'user-001000'`,
  `INSERT INTO group_user (group_id, user_id) SELECT 'L-7', id FROM user WHERE id LIKE 'L-%' ON CONFLICT DO NOTHING`,
  `${upTo(20_000)} INSERT INTO audit (at, method, path, status, count) SELECT i, 'GET', '/user/' || i, 200, 1 FROM n`,
  `${upTo(2_000)} INSERT INTO event (name, entity_type, entity_id, payload, user, at)
    SELECT 'user/modify', 'user', 'L-1', '{"user":"user-000001","fields":[]}', 'admin', i FROM n`,
];

const search = (request: string, ...field: (readonly [name: string, value: string])[]): Sent => ({
  as: admin,
  request,
  body: { field: field.map(([name, value]) => ({ name, value })) },
});
const read = (target: string): Sent => ({ as: admin, request: `GET /API${target}` });

/** Lists and searches, each at its largest size. */
const largest: readonly Sent[] = [
  read('/user?number=1000'),
  read('/user?first=49000&number=1000'),
  read('/user?disabled=true&first=4000&number=1000'),
  read('/group?number=1000'),
  read('/group/group-00007'),
  read('/group/group-00007/users?traverse=true&number=1000'),
  read('/group/group-00010/children?traverse=true&number=1000'),
  read('/user/user-000001/allgroups'),
  read('/user/user-000001/groups?allgroups=true&traverse=true'),
  { ...read('/user/user-000001/graph'), headers: { accept: 'text/plain' } },
  read('/log?rows=1000&performCount=true&path=/user/1*'),
  read('/event?number=1000'),
  search('PUT /API/user?number=1000', ['username', '*9*']),
  search('PUT /API/user?number=1000', ['city', '*9*']),
  search('PUT /API/user?ignoreCase=true&number=1000', ['realname', '*name*'], ['username', '*1*'], ['city', '*t*']),
  search('PUT /API/group?number=1000', ['groupname', '*1*']),
];

/** Sends what is measured, and asks `whoami` until it is answered. */
async function beside(world: World, sent: Sent): Promise<{ status: number; body: string; answers: number }> {
  let isDone = false;
  let answers = 0;
  const asking = (async () => {
    while (!isDone) {
      expect((await world.send(whoami)).status).toBe(200);
      answers++;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const { status, body } = await world.send(sent);
  isDone = true;
  await asking;
  return { status, body, answers };
}

describe('an attack by a large list or search on a file', () => {
  it('holds the loop for less than 50 ms, and whoami is answered meanwhile', async () => {
    const world = await fileWorld();
    await fill(world, { users: 50_000, groups: 5_000, chainLength: 10 }, crowd);
    for (const accept of ['application/json', 'application/xml']) {
      for (const sent of largest) {
        const turn = await maxTurnLength(10, maxTurn, async () => {
          const { status, answers } = await beside(world, { ...sent, headers: { accept, ...sent.headers } });
          expect([sent.request, status]).toEqual([sent.request, 200]);
          expect(answers).toBeGreaterThan(0);
        });
        expect([sent.request, accept, turn < maxTurn ? 'short' : `${turn} ms`]).toEqual([
          sent.request,
          accept,
          'short',
        ]);
      }
    }
  });

  it('is refused when a page has more values than the setting says', async () => {
    const world = await fileWorld({ settings: { maxPageValues: 1000 } });
    await fill(world, { users: 1_000, groups: 10, chainLength: 10 }, crowd.slice(0, 1));
    const list = async (target: string) => (await world.send(read(target))).status;
    expect(await list('/user?number=40')).toBe(200);
    const answer = await world.send(read('/user?number=100'));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('Expected a smaller page')]);
    await run(world, [
      `UPDATE key_value SET value = printf('%.*c', 100000, 'x') WHERE entity_id = 'L-1' AND key = 'key-1'`,
      `UPDATE key_value SET value = printf('%.*c', 200000, 'x') WHERE entity_id = 'L-2' AND key = 'key-1'`,
    ]);
    expect(await list('/user?name=user-000001')).toBe(200);
    expect(await list('/user?name=user-000002')).toBe(400);
  });
});

/** A group and a user of the attacker, with the longest texts that requests can store. */
const longTexts = (text: string) => [
  `UPDATE "group" SET description = printf('%.*c', 1000000, '${text}') WHERE id IN ('L-1', 'L-2')`,
  `${upTo(900)} INSERT INTO key_value (entity_type, entity_id, key, position, value)
    SELECT 'user', 'L-1', 'mine', i, printf('%.*c', 20000, '${text}') FROM n`,
];

const patterns: readonly string[] = [
  `*${'a'.repeat(252)}b*`,
  `*${'a'.repeat(253)}b`,
  `${'*a'.repeat(126)}*b`,
  `*${'aé'.repeat(126)}*`,
  `*${'?'.repeat(253)}*`,
  `${`*${'a'.repeat(40)}`.repeat(6)}*b`,
];

/** As many conditions as fit, each of the same kind, and more than that. */
const attacksOf = (count: number): readonly Sent[] =>
  patterns.flatMap((pattern) =>
    ['?number=0', '?number=0&ignoreCase=true'].flatMap((query) => [
      search(`PUT /API/group${query}`, ...Array.from({ length: count }, () => ['description', pattern] as const)),
      search(
        `PUT /API/user${query}`,
        ['username', 'user-000001'],
        ...Array.from({ length: count - 1 }, () => ['mine', pattern] as const),
      ),
    ]),
  );

describe.each([
  ['in memory', openWorld.bind(undefined, 'fetch')],
  ['on a file', fileWorld],
])('an attack by one search %s', (where, open) => {
  it('over long texts with patterns that take long ends in time, or is refused', async () => {
    const world = await open();
    await fill(world, { users: 1_000, groups: 100, chainLength: 10 }, longTexts('a'));
    const seen = new Map<number, number>();
    // Each takes longer on a file, where the number of conditions changes nothing for the loop.
    const sizes = where === 'in memory' ? [1, 2, 4, 8, 20, 100] : [1, 100];
    for (const sent of sizes.flatMap(attacksOf)) {
      let status = 0;
      const turn = await maxTurnLength(where === 'in memory' ? 10 : 1, maxTurn, async () => {
        const answer = await world.send(sent);
        status = answer.status;
        if (status !== 200) {
          expect([status, answer.body]).toEqual([400, expect.stringMatching(/Expected (a narrower search|values of)/)]);
        }
      });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const length = (sent.body as { field: unknown[] }).field.length;
      const shown = [sent.request, length, JSON.stringify(sent.body).slice(0, 120)];
      // A file is searched by another thread: its turns are those of a neighbour on a busy machine.
      if (where === 'in memory')
        expect([...shown, turn < maxTurn ? 'short' : `${turn} ms`]).toEqual([...shown, 'short']);
    }
    expect(seen.get(200)).toBeGreaterThan(0);
    expect(seen.get(400)).toBeGreaterThan(0);
  });

  it('at the bound of values ends in time', async () => {
    const world = await open();
    await fill(world, { users: 9_900, groups: 100, chainLength: 10 });
    for (const sent of [
      search('PUT /API/user', ['username', '*9*']),
      search('PUT /API/user?ignoreCase=true', ['realname', '*real*']),
      search('PUT /API/user', ['city', '*9*']),
    ]) {
      const turn = await maxTurnLength(10, maxTurn, async () => {
        expect((await world.send(sent)).status).toBe(200);
      });
      expect(turn).toBeLessThan(maxTurn);
    }
  });
});
