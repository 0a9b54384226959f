import { expect, it } from 'vitest';
import { field, fieldsOf, item, join, newCollection, openSharedAssets } from '../../support/assets.ts';
import { shareOfTries } from '../../support/long.ts';
import { dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { by, plain, send } from '../../support/requests.ts';

/** Changes that are made: `PORTICO_CHANGES=2000 npx vitest run test/assets/search/inheritance-oracle.test.ts`. */
const changes = Number(process.env['PORTICO_CHANGES'] ?? shareOfTries(3, 120));
const compareEvery = 8;

const opened = openSharedAssets();

interface Shown {
  readonly timespan?: readonly { readonly field?: readonly { name: string; value?: readonly { value: string }[] }[] }[];
}

it('search, item-metadata 5.5: what searches find by inherited values is what the items show', async () => {
  tellSeed();
  const world = opened();
  const roll = dice(seedOfRun);
  const one = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const words = ['harbour', 'night', 'sea'];
  const years = ['1', '20', '300'];
  for (const [name, type] of [
    ['x_event', 'string'],
    ['x_year', 'integer'],
  ] as const) {
    await send(world, field(name, type, { inheritance: 'true' }));
  }
  const given = () => ({
    ...(roll(3) > 0 && { x_event: roll(4) > 0 ? [one(words)] : [] }),
    ...(roll(3) > 0 && { x_year: roll(4) > 0 ? [one(years), one(years)] : [] }),
  });
  let items: string[] = [];
  let collections: string[] = [];
  const idOf = (body: string) => (JSON.parse(body) as { readonly id: string }).id;
  const describe = (path: string) => by(`PUT /API/${path}/metadata`, { timespan: [{ field: fieldsOf(given()) }] });
  const ways: readonly (() => Promise<unknown>)[] = [
    async () => void items.push(idOf((await send(world, item({ x_event: [one(words)] }))).body)),
    async () => void items.push(idOf((await send(world, item({}))).body)),
    async () => void collections.push(idOf((await send(world, newCollection('?name=box'))).body)),
    () => send(world, describe(`item/${one(items)}`)),
    () => send(world, describe(`collection/${one(collections)}`)),
    () => send(world, describe(`collection/${one(collections)}`)),
    () => send(world, join(one(collections), one(items))),
    () => send(world, join(one(collections), one(items))),
    () => world.send(join(one(collections), one(collections), 'collection')),
    () => world.send(by(`DELETE /API/collection/${one(collections)}/${one(items)}`)),
    () => world.send(by(`DELETE /API/collection/${one(collections)}/${one(collections)}?type=collection`)),
    async () => {
      if (roll(4) > 0) return;
      const id = one(items);
      await send(world, by(`DELETE /API/item/${id}`));
      items = items.filter((each) => each !== id);
    },
    async () => {
      if (roll(6) > 0) return;
      const id = one(collections);
      await send(world, by(`DELETE /API/collection/${id}`));
      collections = collections.filter((each) => each !== id);
    },
  ];
  for (let at = 0; at < 4; at++) for (const make of ways.slice(0, 3)) await make();

  const ids = async (name: string, value: string) =>
    (await send(world, by('PUT /API/item?number=1000', { field: [{ name, value: [{ value }] }] }, plain))).body
      .split('\r\n')
      .filter((id) => id !== '')
      .sort();
  const shown = async (id: string): Promise<Shown> =>
    JSON.parse((await send(world, by(`GET /API/item/${id}/metadata`))).body).item[0].metadata;
  const valuesOf = ({ timespan = [] }: Shown, name: string) =>
    timespan.flatMap(({ field = [] }) =>
      field.filter((each) => each.name === name).flatMap(({ value = [] }) => value.map((each) => each.value)),
    );

  for (let turn = 1; turn <= changes; turn++) {
    await one(ways)();
    if (items.length === 0 || collections.length < 2) for (const make of ways.slice(0, 3)) await make();
    if (turn % compareEvery !== 0) continue;
    for (let round = 0; round < 12; round++) {
      await world.service.tick(1000);
      await world.clock.advance(3000);
    }
    expect(await world.service.store.read('SELECT type, id FROM inheritance_change')).toEqual([]);
    const documents = new Map<string, Shown>();
    for (const id of items) documents.set(id, await shown(id));
    for (const [name, values] of [
      ['x_event', words],
      ['x_year', years],
    ] as const) {
      for (const value of values) {
        const expected = items.filter((id) => valuesOf(documents.get(id)!, name).includes(value)).sort();
        expect(await ids(name, value), `${name} ${value} after ${turn} changes`).toEqual(expected);
      }
    }
  }
});
