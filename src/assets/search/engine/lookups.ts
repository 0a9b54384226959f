import { yieldTurn } from '../../../core/lib/turn.ts';
import type { EngineCondition, EngineQuery } from '../../../spi/index.ts';
import { type Node, partsOf } from '../query/ast.ts';
import { outerGroups, refusedPart, withGroups } from '../query/groups.ts';
import { badSearch } from '../query/refusals.ts';
import { maxCandidates, type Search, tooManyCandidates } from '../query/search.ts';
import {
  allOf,
  type Decided,
  engineCondition,
  NotForEngine,
  notOf,
  numbersAre,
  outerFacts,
  without,
} from './conditions.ts';
import { type Driver, driverOf, itemsOfDriver } from './drivers-sql.ts';
import { askAble, type EngineSearch, engineSlice, pagesFrom } from './query.ts';

/** Entities that the database is asked about for one answer, and about which one read asks. */
const [maxLookedUp, batch] = [100_000, 500];
const numbersWhere = (where: EngineCondition, limit: number): EngineQuery => ({
  where,
  boosts: [],
  sort: [{ by: 'id', descending: true }],
  offset: 0,
  limit,
  counts: true,
  facets: [],
});

/** Entities whose metadata is read. Refuses too many. `part`: criteria that need it. */
export async function candidatesOf(
  asked: EngineSearch,
  where: EngineCondition,
  part: string,
): Promise<readonly number[]> {
  const { hits, page } = await askAble(asked, numbersWhere(where, maxCandidates));
  if (hits! > maxCandidates) throw tooManyCandidates(part);
  return page.map(({ id }) => id);
}

/**
 * Criteria that an engine cannot test, as conditions on the numbers of entities: groups and words near each other by
 * reading metadata, and criteria on other tables where the database has no index of its own.
 */
export async function decidedIn(
  asked: EngineSearch,
  search: Search,
  node: Node,
  scope: EngineCondition,
): Promise<Decided> {
  const { kind } = search.given;
  const groups = outerGroups(node);
  // The embedded index answers criteria on other tables, where there is one.
  const facts = asked.isAlone ? outerFacts(node, kind) : [];
  if (facts.some(readsMetadata)) throw new NotForEngine('Expected no criteria on metadata of linked items');
  const decided = new Map<Node, EngineCondition>();
  for (const fact of facts) {
    const driver = kind === 'item' ? driverOf(fact) : undefined;
    const condition = driver && (await drivenBy(asked, search, fact, driver));
    if (condition) decided.set(fact, condition);
  }
  const left = facts.filter((fact) => !decided.has(fact));
  if (groups.length + left.length === 0) return decided;
  const possible = withGroups(without(node, left), groups);
  const input = { ...asked, kind, names: search.names, decided };
  const where = allOf([scope, await engineCondition(possible, 'both', input)]);
  if (groups.length === 0) return new Map([...decided, ...(await lookedUp(search, left, slicesOf(asked, where)))]);
  const candidates = await candidatesOf(asked, where, refusedPart(groups));
  for (const [fact, condition] of await lookedUp(search, left, [candidates])) decided.set(fact, condition);
  for (const [group, numbers] of await search.decide(groups, node, candidates)) decided.set(group, numbersAre(numbers));
  return decided;
}

/** Whether criteria are about metadata of linked items, of which the database has no index. */
const readsMetadata = (node: Node): boolean =>
  [...partsOf(node)].some(
    (each) => each.is === 'linked' && each.to === 'item' && [...partsOf(each.of, false)].some(isMetadata),
  );

const isMetadata = ({ is }: Node): boolean => ['words', 'near', 'value', 'reference', 'group'].includes(is);

/** Entities that meet a criterion, from an index of the database. Undefined: too many, so that the engine has to narrow. */
async function drivenBy(
  { reader }: EngineSearch,
  search: Search,
  fact: Node,
  driver: Driver,
): Promise<EngineCondition | undefined> {
  const numbers = await itemsOfDriver(reader, driver);
  if (!numbers) return undefined;
  const met: number[] = [];
  for (const part of partsIn(numbers)) {
    met.push(...(await search.meeting(fact, part)));
    await yieldTurn();
  }
  return numbersAre(met);
}

/** Entities that meet criteria on other tables, or those that do not, whichever are fewer, among all that may match. */
async function lookedUp(
  search: Search,
  facts: readonly Node[],
  slices: AsyncIterable<readonly number[]> | Iterable<readonly number[]>,
): Promise<Decided> {
  const sides = new Map(facts.map((fact) => [fact, { met: [] as number[], others: [] as number[] }]));
  for await (const numbers of slices) {
    for (const part of partsIn(numbers)) {
      for (const [fact, { met, others }] of sides) {
        const meeting = await search.meeting(fact, part);
        for (const number of part) (meeting.has(number) ? met : others).push(number);
      }
      await yieldTurn();
    }
  }
  return new Map(
    Array.from(sides, ([fact, { met, others }]) => [
      fact,
      met.length <= others.length ? numbersAre(met) : notOf(numbersAre(others)),
    ]),
  );
}

function* partsIn(numbers: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < numbers.length; at += batch) yield numbers.slice(at, at + batch);
}

/** Numbers of the entities that meet a condition. Refuses too many. */
async function* slicesOf(asked: EngineSearch, where: EngineCondition): AsyncGenerator<readonly number[]> {
  const query = numbersWhere(where, engineSlice);
  const answer = await askAble(asked, query);
  if (answer.hits! > maxLookedUp) throw tooManyLookedUp(answer.hits!);
  for await (const page of pagesFrom(asked, query, answer)) yield page.map(({ id }) => id);
}

const tooManyLookedUp = (hits: number) =>
  badSearch(
    'field',
    `Expected criteria that fit at most ${maxLookedUp} entities without those on shapes, files and counts: ${hits}`,
  );
