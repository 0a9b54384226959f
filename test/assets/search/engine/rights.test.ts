import { expect, it } from 'vitest';
import { memorySearchEngine } from '../../../../src/kit/testing/index.ts';
import { realVersion } from '../../../opensearch/place.ts';
import { field, join, keepOrders, newCollection } from '../../../support/assets.ts';
import { isLong } from '../../../support/long.ts';
import type { World } from '../../../support/matrix.ts';
import { seedOfRun } from '../../../support/random.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
import { documentOf, onceKinds, Random, typesOf } from '../random-search.ts';
import { add, catchUp, comparedEngine, engineWorld } from './engine-world.ts';

/** Searches amid changes of rights: `npm run test:opensearch -- --queries 20000 rights` asks a real engine. */
const searches = Number(process.env['PORTICO_SEARCHES'] ?? (isLong ? 3000 : 100));
const searchesBetweenChanges = 5;
const people = [owner, stranger];

interface Answer {
  readonly hits: number;
  /** Ids with the start of a timespan. */
  readonly entries: readonly (readonly [id: string, start: string])[];
  readonly counts: readonly (readonly (readonly [value: string, count: number])[])[];
}

async function ask(world: World, document: object, as: Credentials): Promise<Answer> {
  const { body } = await send(world, by('PUT /API/item?number=500', document, json, as));
  const answer = JSON.parse(body) as {
    hits: number;
    item?: { id: string; start: string }[];
    facet?: { count?: { fieldValue: string; value: number }[] }[];
  };
  return {
    hits: answer.hits,
    entries: (answer.item ?? []).map(({ id, start }) => [id, start]),
    counts: (answer.facet ?? []).map(({ count = [] }) => count.map(({ fieldValue, value }) => [fieldValue, value])),
  };
}

/** Items, collections and entries of two users, which change at random. */
async function changingRights(world: World, random: Random) {
  const collections: string[] = [];
  for (const name of ['one', 'two', 'three'])
    collections.push(/VX-\d+/.exec((await send(world, newCollection(`?name=${name}`))).body)![0]);
  await send(world, join(collections[0]!, collections[1]!, 'collection'));
  let items: string[] = [];
  const entries: [path: string, id: string][] = [];
  let serial = 0;
  const change = (id: string, fields: Record<string, readonly string[]>) =>
    send(world, by(`PUT /API/item/${id}/metadata`, documentOf({ fields, groups: [], spans: [] }), json));
  const add = async () => {
    const document = documentOf(random.item(++serial, 'admin'));
    const { body } = await send(world, by('POST /API/import/placeholder', document, json));
    const id = /VX-\d+/.exec(body)![0];
    // A facet of this field tells which items it counts.
    await change(id, { x_own: [id] });
    items.push(id);
  };
  const actions = {
    async grant() {
      const path = random.chance(50) ? `item/${random.one(items)}` : `collection/${random.one(collections)}`;
      const [user] = random.one(people);
      const { body } = await send(world, by(`POST /API/${path}/access`, { user, permission: 'READ' }, json));
      entries.push([path, (JSON.parse(body) as { id: string }).id]);
    },
    async revoke() {
      const [entry] = entries.splice(random.below(entries.length), 1);
      // Entries go with their items.
      if (entry) await world.send(by(`DELETE /API/${entry[0]}/access/${entry[1]}`));
    },
    async member() {
      const [collection, id, verb] = [random.one(collections), random.one(items), random.one(['PUT', 'DELETE'])];
      await world.send(by(`${verb} /API/collection/${collection}/${id}?type=item`));
    },
    change: async () => void (await change(random.one(items), random.some())),
    async remove() {
      const gone = random.one(items);
      await send(world, by(`DELETE /API/item/${gone}`));
      items = items.filter((each) => each !== gone);
      await add();
    },
  };
  const { grant, revoke, member, change: write, remove } = actions;
  for (let index = 0; index < 20; index++) await add();
  return {
    turn: () => random.one([grant, grant, revoke, revoke, member, member, write, remove])(),
    count: () => items.length,
  };
}

it('attack: amid changes of entries, members, values and deletions, an engine that is behind tells no user too much', async () => {
  const world = await engineWorld({}, await comparedEngine());
  for (const sent of givenTo('assets')) await send(world, sent);
  for (const [name, kind] of Object.entries(onceKinds)) await send(world, field(name, typesOf[kind]));
  await send(world, field('x_own', 'string-exact'));
  for (const group of ['Film', 'Book']) {
    const members = Object.keys(onceKinds).map((name) => ({ name }));
    await send(world, by(`PUT /API/metadata-field/field-group/${group}`, { field: members }));
  }
  const random = new Random(seedOfRun, true);
  const rights = await changingRights(world, random);
  await keepOrders(world);
  await catchUp(world);
  let [asked, byEngine, compared] = [0, 0, 0];
  while (asked < searches) {
    for (let turn = random.below(3); turn >= 0; turn--) await rights.turn();
    const isCurrent = random.chance(33);
    if (isCurrent) await catchUp(world);
    const readableBy = new Map<Credentials, ReadonlySet<string>>();
    for (const as of people) readableBy.set(as, new Set((await ask(world, {}, as)).entries.map(([id]) => id)));
    for (let index = 0; index < searchesBetweenChanges; index++, asked++) {
      const as = random.one(people);
      const search = random.search();
      const document = { ...search, facet: [...(search.facet ?? []), { field: 'x_own' }] };
      const queries = world.engine.queries.length;
      const answer = await ask(world, document, as);
      const isByEngine = world.engine.queries.length > queries;
      byEngine += Number(isByEngine);
      const told = `search ${asked} of ${as[0]}: ${JSON.stringify(document)}`;
      const readable = readableBy.get(as)!;
      const mentioned = [...answer.entries.map(([id]) => id), ...answer.counts.at(-1)!.map(([id]) => id)];
      expect(
        mentioned.filter((id) => !readable.has(id)),
        told,
      ).toEqual([]);
      expect(answer.hits, told).toBe(answer.entries.length);
      if (!isCurrent || !isByEngine) continue;
      // With an engine that has everything, the answer is that of the database.
      world.engine.answers = 'Expected nothing';
      expect(answer, told).toEqual(await ask(world, document, as));
      world.engine.answers = true;
      compared++;
    }
  }
  if (realVersion !== undefined)
    process.stdout.write(`${asked} searches: ${byEngine} by the engine, ${compared} compared, none told too much\n`);
  // The database answers those with criteria on annotations.
  expect(byEngine).toBeGreaterThan(searches * 0.5);
  expect((await ask(world, {}, admin)).hits).toBe(rights.count());
}, 7_200_000);

it('attack: an engine that answers the number of a readable item with the id of another one shows nothing of it', async () => {
  const engine = memorySearchEngine();
  const { search } = engine;
  let closed = '';
  engine.search = async (query, signal) => {
    const answer = await search(query, signal);
    const page = answer.page.flatMap((hit) => [hit, { ...hit, entityId: closed }]);
    return { ...answer, page, hits: answer.hits === undefined ? undefined : answer.hits * 2 };
  };
  const world = await engineWorld({}, engine);
  for (const sent of givenTo('assets')) await send(world, sent);
  const open = await add(world, { x_tag: 'a' }, owner);
  closed = await add(world, { x_tag: 'a', x_count: '98765' });
  await catchUp(world);
  const document = { field: [{ name: 'x_tag', value: [{ value: 'a' }] }] };
  const { body } = await send(world, by('PUT /API/item?content=metadata&field=x_count', document, json, owner));
  expect(JSON.parse(body)).toMatchObject({ hits: 1, item: [{ id: open }] });
  expect(body).not.toContain('98765');
});
