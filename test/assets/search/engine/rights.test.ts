import { expect, it } from 'vitest';
import { fieldsOf, join, newCollection } from '../../../support/assets.ts';
import { isLong } from '../../../support/long.ts';
import type { World } from '../../../support/matrix.ts';
import { dice, seedOfRun } from '../../../support/random.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
import { add, catchUp, comparedEngine, engineWorld } from './engine-world.ts';

const rounds = isLong ? 2000 : 150;
const tags = ['a', 'b', 'c'];

interface Answer {
  readonly hits: number;
  readonly ids: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

async function ask(world: World, document: object, as: Credentials): Promise<Answer> {
  const { body } = await send(world, by('PUT /API/item?number=100', document, json, as));
  const {
    hits,
    item = [],
    facet = [],
  } = JSON.parse(body) as {
    hits: number;
    item?: { id: string }[];
    facet?: { count?: { fieldValue: string; value: number }[] }[];
  };
  const counts = facet.flatMap(({ count = [] }) => count.map(({ fieldValue, value }) => [fieldValue, value] as const));
  return { hits, ids: item.map(({ id }) => id), counts: Object.fromEntries(counts) };
}

it('attack: amid changes of entries, members, values and deletions, an engine that is behind tells no user too much', async () => {
  const world = await engineWorld({}, await comparedEngine());
  for (const sent of givenTo('assets')) await send(world, sent);
  const roll = dice(seedOfRun);
  const one = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const people = [owner, stranger];
  const collections: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    collections.push(/VX-\d+/.exec((await send(world, newCollection(`?name=${name}`))).body)![0]);
  }
  await send(world, join(collections[0]!, collections[1]!, 'collection'));
  let items: string[] = [];
  const entries: [path: string, id: string][] = [];
  const add1 = async () => {
    items.push(await add(world, { x_tag: one(tags), x_count: String(roll(3)) }));
  };
  for (let at = 0; at < 20; at++) await add1();

  const grant = async () => {
    const path = roll(2) === 0 ? `item/${one(items)}` : `collection/${one(collections)}`;
    const [user] = one(people);
    const { body } = await send(world, by(`POST /API/${path}/access`, { user, permission: 'READ' }, json));
    entries.push([path, (JSON.parse(body) as { id: string }).id]);
  };
  const revoke = async () => {
    const at = roll(entries.length);
    const [entry] = entries.splice(at, 1);
    // Entries go with their items.
    if (entry) await world.send(by(`DELETE /API/${entry[0]}/access/${entry[1]}`));
  };
  const member = async () => {
    const [collection, id] = [one(collections), one(items)];
    const verb = roll(2) === 0 ? 'PUT' : 'DELETE';
    await world.send(by(`${verb} /API/collection/${collection}/${id}?type=item`));
  };
  const change = async () => {
    const timespan = [{ start: '-INF', end: '+INF', field: fieldsOf({ x_tag: one(tags) }) }];
    await send(world, by(`PUT /API/item/${one(items)}/metadata`, { timespan }));
  };
  const remove = async () => {
    const gone = one(items);
    await send(world, by(`DELETE /API/item/${gone}`));
    items = items.filter((each) => each !== gone);
    await add1();
  };
  const actions = [grant, grant, revoke, revoke, member, member, change, remove];

  await catchUp(world);
  let byEngine = 0;
  for (let round = 0; round < rounds; round++) {
    for (let turn = roll(3); turn >= 0; turn--) await one(actions)();
    const isCurrent = roll(3) === 0;
    if (isCurrent) await catchUp(world);
    const as = one(people);
    const tag = one(tags);
    const document = { field: [{ name: 'x_tag', value: [{ value: tag }] }], facet: [{ field: 'x_count' }] };
    const before = world.engine.queries.length;
    const answer = await ask(world, document, as);
    byEngine += world.engine.queries.length - before;
    const readable = new Set((await ask(world, {}, as)).ids);
    const told = `round ${round}, ${as[0]}, ${tag}`;
    expect(
      answer.ids.filter((id) => !readable.has(id)),
      told,
    ).toEqual([]);
    expect(answer.hits, told).toBe(answer.ids.length);
    expect(
      Object.values(answer.counts).reduce((sum, count) => sum + count, 0),
      told,
    ).toBe(answer.hits);
    if (!isCurrent) continue;
    // With an engine that has everything, the answer is that of the database.
    world.engine.answers = 'Expected nothing';
    expect(answer, told).toEqual(await ask(world, document, as));
    world.engine.answers = true;
  }
  expect(byEngine).toBeGreaterThan(rounds * 0.9);
  expect((await ask(world, {}, admin)).ids.length).toBe(items.length);
}, 600_000);
