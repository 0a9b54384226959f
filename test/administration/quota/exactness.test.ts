import { expect, it } from 'vitest';
import { shareOfTries } from '../../support/long.ts';
import { openWorld } from '../../support/matrix.ts';
import { dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { byIds, fill, one, randomChanges, randomRules, ruleDocument } from './changes.ts';
import { type PlainRule, plainState, plainUsage } from './counted.ts';

/** `npm run test:quota` makes a million. */
const changes = Number(process.env['PORTICO_QUOTA_CHANGES'] ?? shareOfTries(4, 400));

it(
  `after ${changes} random changes each rule counts what a plain look at all rows counts`,
  async () => {
    tellSeed();
    const roll = dice(seedOfRun);
    const world = await openWorld('fetch');
    const cast = await fill(world);
    const { store } = world.service;
    const rules = randomRules(roll);
    const half = Math.floor(changes / 2);
    let made: readonly PlainRule[] = [];

    const make = async (rule: PlainRule) => {
      await prepare(world, [{ as: admin, request: 'POST /API/quota/', body: ruleDocument(rule) }]);
      made = [...made, rule];
    };
    // The first half of them before anything is there, the others among what is.
    for (const rule of rules.slice(0, rules.length / 2)) await make(rule);
    for (let at = 0; at < changes; at++) {
      if (at === half) for (const rule of rules.slice(rules.length / 2)) await make(rule);
      const picked = Array.from({ length: 1 + roll(2) }, () => one(roll, randomChanges)(roll, cast));
      const work = { changes: picked.map(([sql, ...args]) => ({ sql, args })), events: [] };
      await store.commit(work, { user: 'test' });
      // Now and then the marked ones are counted for good.
      if (roll(5) === 0) await world.service.tick();
      const answer = await world.send({
        as: admin,
        headers: { accept: 'application/json' },
        request: 'GET /API/quota',
      });
      const told = (JSON.parse(answer.body) as { rule: { resource: { usage: number }[] }[] }).rule;
      const state = await plainState(store);
      for (const [index, rule] of made.entries()) {
        const usage = told[index]!.resource.map((each) => each.usage);
        const says = `${JSON.stringify(rule)} after change ${at}: ${JSON.stringify(picked)}`;
        expect(usage, says).toEqual(Object.values(plainUsage(state, byIds(rule, cast))));
      }
    }
  },
  60_000 + changes * 50,
);
