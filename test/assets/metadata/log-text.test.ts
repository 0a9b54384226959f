import { expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const titles = (...values: readonly object[]) => ({ field: [{ name: 'title', value: values }] });
const plain = { field: [{ name: 'my_note', value: [{ value: 'a' }] }, ...titles({ value: 'Ü "quoted"\n' }).field] };

/** Texts that the log stores of an item, without those that only events keep. */
const texts = async ({ service }: World): Promise<string[]> =>
  (
    await service.store.read(
      `SELECT delta FROM metadata_change_set WHERE owner_id = 'VX-1' AND owner_type = 'item' ORDER BY serial`,
    )
  ).map(String);

async function said(world: World) {
  const changes = await send(world, by('GET /API/item/VX-1/metadata/changes'));
  const events = (await world.events()).filter(({ name }) => name === 'metadata/modify');
  return {
    sets: (JSON.parse(changes.body) as { changeSet: unknown[] }).changeSet.slice(0, 2),
    events: events.slice(0, 2),
  };
}

const change = by('PUT /API/item/VX-1/metadata', { timespan: [titles({ value: 'later' })] });

it.each([
  ['plain values', [plain], '+0'],
  ['no values at all', [], undefined],
  ['values of languages', [titles({ value: 'a', lang: 'sv' }, { value: 'b' })], '['],
  ['several values of a field', [titles({ value: 'a' }, { value: 'b' }, { value: 'c' })], '+0'],
  ['the same value twice', [titles({ value: 'a' }, { value: 'a' })], undefined],
  ['the same field twice', [{ field: [...titles({ value: 'a' }).field, ...titles({ value: 'b' }).field] }], undefined],
  ['timed values', [{ start: '0', end: '5', ...plain }], '['],
  ['values in groups', [{ ...plain, group: [{ name: 'Segment', field: plain.field }] }], '['],
])('a new item with %s tells its log, also when it has changed and when it is gone', async (_, timespan, first) => {
  const world = await openWorld('fetch');
  await send(world, by('PUT /API/metadata-field/my_note', { type: 'string' }));
  await send(world, by('PUT /API/metadata-field/field-group/Segment', {}));
  await send(world, by('POST /API/import/placeholder', { timespan }));
  const [own] = await texts(world);
  if (first !== undefined) expect(own).toMatch(new RegExp(`^${first.replace(/[[+]/g, '\\$&')}`));
  const before = await said(world);
  await send(world, change);
  expect((await texts(world)).every((text) => text.startsWith('['))).toBe(true);
  const { sets, events } = await said(world);
  expect(sets.slice(0, before.sets.length)).toEqual(before.sets);
  expect(events.slice(0, before.events.length)).toEqual(before.events);
  await send(world, by('DELETE /API/item/VX-1'));
  expect(
    (await world.events()).filter(({ name }) => name === 'metadata/modify').slice(0, before.events.length),
  ).toEqual(before.events);
});

it('an item that goes unchanged leaves the values of its events', async () => {
  const world = await openWorld('fetch');
  await send(world, by('PUT /API/metadata-field/my_note', { type: 'string' }));
  await send(world, by('POST /API/import/placeholder', { timespan: [plain] }));
  const { events } = await said(world);
  await send(world, by('DELETE /API/item/VX-1'));
  expect((await world.events()).filter(({ name }) => name === 'metadata/modify')).toEqual(events);
});
