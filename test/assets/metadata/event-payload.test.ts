import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MetadataRequest } from '../../../src/assets/metadata/merge/request.ts';
import { requestOfText, textOfRequest } from '../../../src/assets/metadata/merge/stored-request.ts';
import { newItem } from '../../support/assets.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const text = fc.oneof(fc.constantFrom('', 'a', 'Überfahrt', '[1]'), fc.string({ maxLength: 5 }));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const marks = {
  n: fc.nat(4),
  uuid: maybe(text),
  mode: maybe(fc.constantFrom('add' as const, 'remove' as const)),
  at: maybe(fc.constant('VX-1 2')),
};
const values = fc.array(fc.record({ ...marks, text, language: maybe(text) }), { maxLength: 3 });
const fields = fc.array(
  fc.record({ ...marks, name: maybe(text), track: maybe(text), reference: maybe(text), values }),
  { maxLength: 3 },
);
const group = { ...marks, name: maybe(text), reference: maybe(text), fields };
const inner = fc.array(fc.record({ ...group, groups: fc.constant([]) }), { maxLength: 1 });
const groups = fc.array(fc.record({ ...group, groups: inner }), { maxLength: 2 });
const spans = fc.array(
  fc.record({
    start: fc.constantFrom('-INF', '0'),
    end: fc.constantFrom('+INF', '5'),
    clear: maybe(fc.constant(true as const)),
    fields,
    groups,
  }),
  { maxLength: 3 },
);
const requests: fc.Arbitrary<MetadataRequest> = fc.record({
  system: maybe(fc.constant(true as const)),
  main: maybe(fc.array(text)),
  template: maybe(text),
  revision: maybe(fc.array(text)),
  spans,
  moves: maybe(fc.array(fc.record({ uuid: text, start: text, end: text }))),
});
const sorted = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the text of a change set', () => {
  it('is read as what was written', () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(sorted(requestOfText(textOfRequest(request)))).toEqual(sorted(request));
      }),
    );
  });

  it('is read in the form of older rows', () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(requestOfText(JSON.stringify(request))).toEqual(sorted(request));
      }),
    );
  });
});

/** Everything that the feed tells, and what the log of events stores. */
const told = async (world: World) => (await world.events()).filter(({ name }) => name === 'metadata/modify');
const stored = async ({ service }: World) =>
  (await service.store.read(`SELECT payload FROM event WHERE name = 'metadata/modify' ORDER BY sequence`)).map(String);
const kept = async ({ service }: World) =>
  Number((await service.store.read(`SELECT count(*) FROM metadata_change_set WHERE owner_type = 'gone'`))[0]![0]);

async function itemWithValues(): Promise<World> {
  const world = await openWorld('fetch');
  await send(world, newItem());
  await send(world, by('PUT /API/metadata-field/my_note', { type: 'string' }));
  const field = (name: string, ...value: string[]) => ({ name, value: value.map((each) => ({ value: each })) });
  await send(
    world,
    by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [field('title', 'Hafen & Überfahrt', 'b')] }] }),
  );
  const mixed = [field('title', 'Hafen & Überfahrt', 'b'), field('my_note', 'c')];
  await send(world, by('PUT /API/item/VX-1/metadata', { timespan: [{ field: mixed }] }));
  const added = { name: 'title', value: [{ value: 'd', mode: 'add' }] };
  await send(world, by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [added] }] }));
  return world;
}

describe('an event of metadata', () => {
  it('stores no values that its change set has', async () => {
    const world = await itemWithValues();
    const payloads = await stored(world);
    expect(payloads.filter((payload) => payload.startsWith('['))).toHaveLength(payloads.length - 1);
    expect((await told(world)).slice(-3).map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        itemId: 'VX-1',
        changes: [{ field: 'title', values: ['Hafen & Überfahrt', 'b'], start: '-INF', end: '+INF' }],
      }),
      expect.objectContaining({ changes: [{ field: 'my_note', values: ['c'], start: '-INF', end: '+INF' }] }),
      expect.objectContaining({
        changes: [{ field: 'title', values: ['Hafen & Überfahrt', 'b', 'd'], start: '-INF', end: '+INF' }],
      }),
    ]);
  });

  it('is told as it was when the change set is edited, removed, or its item is deleted', async () => {
    const world = await itemWithValues();
    const before = await told(world);
    const ids = before.map(({ payload }) => String(payload['changeSetId']));
    const edit = { timespan: [{ field: [{ name: 'title', value: [{ value: 'e' }] }] }] };
    for (const value of ['e', 'f']) {
      edit.timespan[0]!.field[0]!.value[0]!.value = value;
      await send(world, by(`PUT /API/item/VX-1/metadata/changes/${ids.at(-3)}`, edit));
    }
    expect((await told(world)).slice(0, before.length)).toEqual(before);
    await send(world, by(`DELETE /API/item/VX-1/metadata/changes/${ids.at(-3)}`));
    await send(world, by(`DELETE /API/item/VX-1/metadata/changes/${ids.at(-1)}`));
    const all = await told(world);
    expect(all.slice(0, before.length)).toEqual(before);
    await send(world, by('DELETE /API/item/VX-1'));
    expect(await told(world)).toEqual(all);
    expect(await kept(world)).toBeGreaterThanOrEqual(ids.length);
  });

  it('takes the change sets that it alone keeps along when it is too old', async () => {
    const world = await itemWithValues();
    await send(world, by('DELETE /API/item/VX-1'));
    expect(await kept(world)).toBeGreaterThan(0);
    const { clock, service } = world;
    await clock.advance(31 * 24 * 60 * 60_000);
    await service.tick();
    expect(await kept(world)).toBe(0);
  });
});
