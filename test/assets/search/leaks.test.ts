import { beforeAll, expect, it } from 'vitest';
import { field, fieldsOf, join, newCollection, openSharedAssets } from '../../support/assets.ts';
import { shareOfTries } from '../../support/long.ts';
import type { Sent, World } from '../../support/matrix.ts';
import { type Dice, dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, givenTo } from '../../support/world.ts';
import { ask } from '../access/support.ts';

/** Rounds of changed rights and random requests: `PORTICO_LEAKS=500 npx vitest run test/assets/search/leaks.test.ts`. */
const rounds = Number(process.env['PORTICO_LEAKS'] ?? shareOfTries(3, 6));
const requestsOfRound = 12;
const items = Array.from({ length: 10 }, (_, index) => `VX-${index + 1}`);
const collections = ['VX-1', 'VX-2', 'VX-3'];
const users: readonly Credentials[] = [ann, ben, cat];

/** Stands in each value of one item, and nowhere else. */
const secretOf = (item: string): string => `zq${item.slice(3)}qz`;
const one = <T>(roll: Dice, list: readonly T[]): T => list[roll(list.length)]!;

const opened = openSharedAssets();
let world: World;
const roll = dice(seedOfRun);

beforeAll(async () => {
  world = opened();
  for (const sent of givenTo('access')) await send(world, sent);
  const more = ['_item_search', '_file_read', '_library_read', '_library_write'];
  for (const [name] of users) {
    for (const role of more) await send(world, by(`PUT /API/group/${role}/user/${name}`));
  }
  for (const sent of [field('x_tag', 'string-exact'), field('x_note', 'string'), by('PUT /API/shape-tag/web', {})])
    await send(world, sent);
  for (const item of items) {
    const secret = secretOf(item);
    const timespan = [
      { start: '-INF', end: '+INF', field: fieldsOf({ title: `harbour ${secret}`, x_tag: secret }) },
      { start: '10@PAL', end: '20@PAL', field: fieldsOf({ x_note: `night ${secret}` }) },
    ];
    await send(world, by('POST /API/import/placeholder', { timespan }, json, one(roll, users)));
    await send(world, by(`POST /API/item/${item}/shape/create?tag=web`, { mimeType: [`video/${secret}`] }));
    await send(
      world,
      by(`POST /API/item/${item}/annotation`, { text: `dark ${secret}`, state: one(roll, ['open', 'done']) }),
    );
  }
  for (const _ of collections) await send(world, newCollection('?name=box', one(roll, users)));
  for (const item of items) if (roll(2) === 0) await send(world, join(one(roll, collections), item));
});

async function changeRights(): Promise<void> {
  const place = roll(2) === 0 ? `item/${one(roll, items)}` : `collection/${one(roll, collections)}`;
  const grantee = roll(4) === 0 ? { group: one(roll, ['crew', 'staff']) } : { user: one(roll, users)[0] };
  const permission = one(roll, ['NONE', 'READ', 'READ', 'WRITE', 'ALL']);
  const sent: Sent = ask(one(roll, [admin, admin, ...users]), `POST /API/${place}/access`, {
    ...grantee,
    permission,
    priority: roll(3),
  });
  // Some of them may not.
  await world.send(sent);
  if (roll(3) === 0)
    await world.send(by(`DELETE /API/collection/${one(roll, collections)}/${one(roll, items)}?type=item`));
}

/** A document that could find anything: nothing in it is the secret of one item. */
function document(): object {
  const criteria: readonly object[] = [
    {},
    { text: [{ value: 'harbour' }] },
    { text: [{ value: one(roll, ['zq*', '*qz', 'zq?qz', 'night', 'harbor~']), noescape: roll(2) === 0 }] },
    { field: [{ name: 'x_tag' }] },
    { field: [{ name: 'x_tag', value: [{ value: 'zq*' }] }] },
    { field: [{ name: 'x_note', value: [{ value: 'night' }] }] },
    { operator: [{ operation: 'NOT', field: [{ name: 'x_tag', value: [{ value: 'none' }] }] }] },
    { shape: { field: [{ name: 'tag', value: [{ value: 'web' }] }] } },
    { item: { text: [{ value: 'harbour' }] } },
    { annotation: { text: [{ value: 'zq*' }] } },
    { annotation: { field: [{ name: 'state', value: [{ value: 'open' }] }] } },
    { item: { annotation: { text: [{ value: 'dark' }] } } },
  ];
  return {
    ...one(roll, criteria),
    ...(roll(2) === 0 && { facet: [{ field: 'x_tag' }, { field: 'title' }] }),
    ...(roll(3) === 0 && { sort: [{ field: one(roll, ['x_tag', 'created', '_relevance']) }] }),
    ...(roll(3) === 0 && { highlight: { field: ['title', 'x_note'], matchingOnly: roll(2) === 0 } }),
    ...(roll(3) === 0 && { suggestion: { maximumSuggestions: 20, accuracy: 0.1 }, text: [{ value: 'zq77qz' }] }),
    ...(roll(3) === 0 && { autocomplete: [{ text: 'zq', field: one(roll, ['x_tag', 'title']) }, { text: 'zq' }] }),
    ...(roll(4) === 0 && { intervals: one(roll, ['generic', 'timed']) }),
  };
}

function request(as: Credentials): Sent {
  const view = one(roll, ['', '?content=metadata', '?content=metadata,shape,access', '?number=3&first=2']);
  const target = one(roll, [
    'item',
    'item',
    'search',
    'collection',
    'search/shape',
    `collection/${one(roll, collections)}/item`,
  ]);
  if (roll(8) === 0) return by('PUT /API/search/autocomplete', { text: 'zq' }, json, as);
  if (roll(8) === 0) return by(`GET /API/item/${one(roll, items)}?content=metadata`, undefined, json, as);
  if (roll(8) === 0) return by(`GET /API/${target}`, undefined, json, as);
  return by(`PUT /API/${target}${target === 'item' || target === 'search' ? view : ''}`, document(), json, as);
}

it('random requests of random users tell nothing of items that they may not read', {
  timeout: 3_600_000,
}, async () => {
  tellSeed();
  let compared = 0;
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    for (let change = 0; change < 3; change++) await changeRights();
    for (const as of users) {
      const readable = new Set<string>();
      for (const item of items) {
        // Access to a single entity is decided in another way than in lists and searches.
        const { status } = await world.send(by(`GET /API/item/${item}`, undefined, json, as));
        expect([200, 403]).toContain(status);
        if (status === 200) readable.add(item);
      }
      for (let count = 0; count < requestsOfRound; count++) {
        const sent = request(as);
        const { status, body } = await world.send(sent);
        if (status === 200) answered++;
        const told = items.filter((item) => !readable.has(item) && body.includes(secretOf(item)));
        expect(told, `${as[0]}: ${sent.request} ${JSON.stringify(sent.body)} ${body.slice(0, 500)}`).toEqual([]);
        compared++;
      }
      const all = await send(world, by('PUT /API/item?number=100', { field: [{ name: 'x_tag' }] }, json, as));
      const found = JSON.parse(all.body) as { hits: number; item?: { id: string }[] };
      expect([found.hits, new Set(found.item?.map(({ id }) => id) ?? [])]).toEqual([readable.size, readable]);
      const hidden = items.find((item) => !readable.has(item));
      if (hidden === undefined) continue;
      const guess = await send(
        world,
        by('PUT /API/item', { text: [{ value: secretOf(hidden) }], facet: [{ field: 'x_tag' }] }, json, as),
      );
      expect((JSON.parse(guess.body) as { hits: number }).hits).toBe(0);
      const comment = { annotation: { text: [{ value: secretOf(hidden) }] } };
      const answer = await send(world, by('PUT /API/item', comment, json, as));
      expect((JSON.parse(answer.body) as { hits: number }).hits).toBe(0);
    }
  }
  expect(compared).toBe(rounds * users.length * requestsOfRound);
  expect(answered).toBeGreaterThan(compared / 2);
});
