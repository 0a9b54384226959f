import { expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { by, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { past, soon, usage } from './support.ts';

const [early, late] = ['2030-02-01T00:00:00.000+0000', '2030-06-01T00:00:00.000+0000'];
const range = (name: string, from = '', to = '') => ({ name, range: [{ value: [{ value: from }, { value: to }] }] });
const until = (from?: string, to?: string) => range('__usable_until', from, to);

async function idsOf(world: World, criteria: object, path = 'item'): Promise<readonly string[]> {
  type Answer = Record<string, { id: string }[]>;
  const answer = await done<Answer>(world, by(`PUT /API/${path}`, criteria));
  return (answer[path] ?? []).map(({ id }) => id).toSorted();
}

/** VX-1 has ended. VX-2 ends early by its collection, and late by itself. VX-3 begins soon. VX-4 has no terms. */
async function given(open: () => Promise<World>): Promise<World> {
  const world = await open();
  await prepare(world, [
    ...Array.from({ length: 4 }, () => newItem()),
    newCollection(),
    newCollection(),
    join('VX-1', 'VX-2'),
    join('VX-2', 'VX-1', 'collection'),
    usage('item/VX-1', { usableUntil: past }, admin),
    usage('item/VX-2', { usableUntil: late }, admin),
    usage('collection/VX-2', { usableUntil: early }, admin),
    usage('item/VX-3', { usableFrom: soon }, admin),
  ]);
  return world;
}

describeMatrix('a search for terms of use', (entry) => {
  it('goes by the earliest end and the latest begin of all that count', async () => {
    const world = await given(entry.open);
    const sought = (...field: readonly object[]) => idsOf(world, { field });
    expect(await sought(until('', 'NOW'))).toEqual(['VX-1']);
    expect(await sought(until('NOW', 'NOW+60DAYS'))).toEqual(['VX-2']);
    // The end of the item itself is no longer the earliest.
    expect(await sought(until('2030-05-01T00:00:00Z', ''))).toEqual([]);
    expect(await sought({ name: '__usable_until' })).toEqual(['VX-1', 'VX-2']);
    expect(await sought({ name: '__usable_until', value: [{ value: early }] })).toEqual(['VX-2']);
    expect(await sought({ name: '__usable_until', value: [{ value: late }] })).toEqual([]);
    expect(await sought(range('__usable_from', 'NOW', ''))).toEqual(['VX-3']);
    const not = { operator: [{ operation: 'NOT', field: [{ name: '__usable_until' }, { name: '__usable_from' }] }] };
    expect(await idsOf(world, not)).toEqual(['VX-4']);
    expect(await idsOf(world, { field: [until('NOW', '')] }, 'collection')).toEqual(['VX-1', 'VX-2']);
    await done(world, by('DELETE /API/collection/VX-2/usage'));
    expect(await sought(until('2030-05-01T00:00:00Z', ''))).toEqual(['VX-2']);
  });

  it('is sorted by the end, and counted by a facet in ranges, which a filter of the facet goes by', async () => {
    const world = await given(entry.open);
    const facet = [
      {
        field: '__usable_until',
        name: 'rights',
        range: [
          { start: '*', end: 'NOW' },
          { start: 'NOW', end: 'NOW+30DAYS' },
          { start: 'NOW+30DAYS', end: '*' },
        ],
      },
    ];
    const answer = await done<{ facet: { name: string; range: { count: number }[] }[] }>(
      world,
      by('PUT /API/item', { facet }),
    );
    expect(answer.facet[0]!.range.map(({ count }) => count)).toEqual([1, 0, 1]);
    const filtered = { facetFilter: [{ field: '__usable_until', range: { start: 'NOW', end: '' } }] };
    expect(await idsOf(world, filtered)).toEqual(['VX-2']);
    const sorted = await done<{ item: { id: string }[] }>(
      world,
      by('PUT /API/item', {
        field: [{ name: '__usable_until' }],
        sort: [{ field: '__usable_until', order: 'descending' }],
      }),
    );
    expect(sorted.item.map(({ id }) => id)).toEqual(['VX-2', 'VX-1']);
  });
});
