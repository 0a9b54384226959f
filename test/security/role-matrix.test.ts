import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/lib/group-by.ts';
import { newUser } from '../support/cast.ts';
import { isLong } from '../support/long.ts';
import { describeMatrix, shareOf } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { everyRoute, nameOf } from './roles/routes.ts';
import { castFor, type Rule } from './roles/rule.ts';
import { rules } from './roles/rules.ts';

const callers: readonly (readonly [string, Credentials | undefined, (rule: Rule) => number])[] = [
  ['nobody', undefined, ({ needs, allowed = 200 }) => (needs === 'nothing' ? allowed : 401)],
  ['plain', ['plain', 'p'], ({ needs, allowed = 200 }) => (needs.startsWith('_') ? 403 : allowed)],
  ['every-other-role', ['other', 'p'], ({ needs, allowed = 200 }) => (needs.startsWith('_') ? 403 : allowed)],
  ['holder', ['holder', 'p'], ({ allowed = 200 }) => allowed],
  ['through-a-group', ['member', 'p'], ({ allowed = 200 }) => allowed],
  ['admin', admin, ({ allowed = 200 }) => allowed],
];

/** Callers of every route in `npm test`. The others ask the first route of each set of roles there. */
const defaultValue = new Set(['nobody', 'every-other-role', 'holder']);

/** The roles that a route needs. */
const rolesOf = ({ needs, also }: Rule): readonly string[] =>
  [needs, also ?? []].flat().filter((name) => name.startsWith('_'));

const gated = [...new Set(rules.flatMap(rolesOf))];

describe('the table of routes', () => {
  it('asks for what each route declares, so that the OpenAPI document tells what is enforced', () => {
    const declared = everyRoute.map((route) => {
      const { role, also, or } = route.access.needs;
      return [nameOf(route), [role, also, or?.role]];
    });
    const told = rules.map(({ route, needs, also, or }) => [route, [needs, also, or]]);
    const remedy = 'Remedy: in the row of the route in test/security/roles, the roles that it declares';
    expect(Object.fromEntries(told), remedy).toEqual(Object.fromEntries(declared));
  });
});

const needsOf = (rule: Rule): string => [rolesOf(rule).join(' and '), rule.or ?? []].flat().join(' or ');
/** Routes of a family ask for the same roles with the same method. `npm test` tries one of each, by one of the entries. */
const familyOf = (rule: Rule): string => `${needsOf(rule)} ${rule.route.split(' ', 1)[0]}`;
const families = [...groupBy([...rules.entries()], ([, rule]) => familyOf(rule)).values()].map((rows) => rows[0]!);

describeMatrix('who may do what', (entry) => {
  const tried = isLong
    ? shareOf(entry, [...rules.entries()])
    : families.filter((_, at) => at % 2 === (entry.name === 'fetch' ? 0 : 1));
  const byNeeds = groupBy(tried, ([, rule]) => needsOf(rule));
  describe.each([...byNeeds])('with %s', (_needs, gatedBy) => {
    const shared = entry.shared((opened) => {
      const [, rule] = gatedBy[0]!;
      return prepare(opened, castFor(rolesOf(rule), gated, rule.or));
    });
    it.each(gatedBy.map(([index, rule]) => [rule.route, index, rule] as const))('%s', async (_route, index, rule) => {
      const world = shared();
      const isFirst = index === gatedBy[0]![0];
      const there = new Set<string>();
      for (const [name, as, expected] of callers) {
        if (!isLong && !isFirst && !defaultValue.has(name)) continue;
        const isRefused = expected(rule) === 401 || expected(rule) === 403;
        // A refusal changes nothing: all who are refused ask for the same things.
        const who = `${isRefused ? 'refused' : name}-${index}`;
        if (!there.has(who)) {
          there.add(who);
          if (isRefused || name !== 'nobody') await prepare(world, [newUser([who, 'p'])]);
          await prepare(world, rule.given?.(who));
          await rule.rows?.(world, who, as?.[0]);
        }
        const before = await world.sequence();
        const answer = await world.send({ as, ...rule.request(who) });
        const status = answer.status < 300 ? 200 : answer.status;
        expect([name, status], answer.body.slice(0, 300)).toEqual([name, expected(rule)]);
        if (answer.status >= 400) expect(await world.sequence(), 'a refusal changes nothing').toBe(before);
        // HEAD goes through the same check as GET: a refused and an admitted caller are enough.
        if (rule.route.startsWith('GET') && (name === 'nobody' || name === 'holder')) {
          const sent = rule.request(who);
          const head = await world.send({ as, ...sent, request: sent.request.replace('GET', 'HEAD') });
          expect([name, head.status, head.body]).toEqual([name, expected(rule), '']);
        }
      }
    });
  });
});
