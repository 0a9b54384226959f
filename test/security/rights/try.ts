import { expect } from 'vitest';
import { type Case, canary, levels } from './case.ts';
import type { Told } from './told.ts';
import type { Asked, Hidden, RightsWorld } from './world.ts';

/** Says no, in the words of an error document, and nothing else happens. */
function expectRefused(asked: Asked, about: string): void {
  const { status, body, headers, wrote, request } = asked;
  const told = `${about}: ${request}: ${body.slice(0, 300)}`;
  expect([403, 404], told).toContain(status);
  expect(headers.get('portico-error'), told).toMatch(/^(not-allowed|no-such-entity|role-missing)$/);
  expect([...headers].join('\n') + body, told).not.toContain(canary);
  expect(wrote, told).toEqual([]);
}

/** Asks as a user with every role: with no entry, with one level less than is needed, and with as much. */
export async function tryCase(world: RightsWorld, tried: Case): Promise<void> {
  const hidden = await world.hideEntities(tried);
  const { named } = hidden;
  for (const each of named) await hidden.give(each, undefined);
  expectRefused(await hidden.ask(), 'with no entry');
  for (const each of named) await tryLevels(hidden, each);
  for (const each of named) await hidden.give(each, each.level);
  const [first] = named;
  const narrow = tried.narrow?.(hidden.who);
  if (first && narrow) {
    await hidden.give(first, first.level, narrow);
    expectRefused(await hidden.ask(), `with ${narrow.level} for ${narrow.operation} ${narrow.extradata}`);
    await hidden.give(first, first.level);
  }
  const { status, body, request } = await hidden.ask();
  const told = `with ${named.map(({ type, level }) => `${level} on the ${type}`)}: ${request}: ${body.slice(0, 300)}`;
  if (tried.answers) expect(status, told).toBe(tried.answers);
  else expect(status, told).toBeLessThan(300);
}

/** All rights on what else is named, and not enough on this one. */
async function tryLevels({ named, give, ask }: Hidden, short: Hidden['named'][number]): Promise<void> {
  const others = named.filter((each) => each !== short);
  for (const each of others) await give(each, 'ALL');
  const below = levels[levels.indexOf(short.level) - 1];
  await give(short, below);
  expectRefused(await ask(), `with ${below ?? 'nothing'} on the ${short.type} ${short.id}`);
  if (below === undefined || others.length === 0) return;
  await give(short, undefined);
  expectRefused(await ask(), `with nothing on the ${short.type} ${short.id}`);
}

/** Asks for what is told of a closed entity, and once more as a reader of it. */
export async function tryTold(world: RightsWorld, { name, rule, open, closed, words, narrow }: Told): Promise<void> {
  const { who, named, give, ask } = await world.hideEntities({
    name,
    rule,
    named: (who) => [closed(who), ...open(who)],
  });
  const [hidden, ...others] = named;
  for (const each of others) await give(each, each.level);
  await give(hidden!, narrow && 'READ', narrow?.(who));
  const { status, body, request } = await ask();
  // A request without addresses or shapes to tell of is refused as a whole.
  expect(status, `${request}: ${body.slice(0, 300)}`).toBeOneOf([200, 403]);
  expect(body, request).not.toContain(words(who));
  await give(hidden!, 'READ');
  const shown = await ask();
  expect([shown.status, shown.body.includes(words(who))], `${request}: ${shown.body.slice(0, 600)}`).toEqual([
    200,
    true,
  ]);
}
