import { beforeAll, describe, expect, it } from 'vitest';
import { field, fieldsOf, item, join, newCollection, openSharedAssets } from '../../support/assets.ts';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import { by, plain, send } from '../../support/requests.ts';

/** Items VX-1 and VX-2 are in collection VX-1, which is in VX-2. VX-3 is in none. */
describe('search: what items inherit', () => {
  const opened = openSharedAssets();
  let world: World;
  beforeAll(async () => {
    world = opened();
    const all = [
      field('x_event', 'string', { inheritance: 'true' }),
      field('x_year', 'integer', { inheritance: 'true' }),
      field('x_own', 'string'),
      field('x_place', 'string'),
      by('PUT /API/metadata-field/field-group/Venue', { inheritance: 'true', field: [{ name: 'x_place' }] }),
      item({ x_own: 'one' }),
      item({ x_own: 'two' }),
      item({ x_own: 'three' }),
      newCollection('?name=box'),
      newCollection('?name=shelf'),
      join('VX-1', 'VX-1'),
      join('VX-1', 'VX-2'),
      join('VX-2', 'VX-1', 'collection'),
    ];
    for (const sent of all) await send(world, sent);
    await work();
  });

  async function work(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      await world.service.tick(1000);
      await world.clock.advance(3000);
    }
  }
  const describe_ = (path: string, values: Record<string, string | readonly string[]>, more: object = {}) =>
    send(world, by(`PUT /API/${path}/metadata`, { timespan: [{ field: fieldsOf(values), ...more }] }));
  const ids = async (document: object) =>
    (await send(world, by('PUT /API/item', document, plain))).body.split('\r\n').filter((id) => id !== '');
  const named = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });
  const waiting = async () =>
    (await world.service.store.read('SELECT type, id FROM inheritance_change ORDER BY type, id')).map((row) =>
      row.join(' '),
    );
  const both = ['VX-2', 'VX-1'];

  it('a change of a collection is one row, and work lets searches find it', async () => {
    expect(await waiting()).toEqual([]);
    await describe_('collection/VX-1', { x_event: 'Regatta', x_year: '2026' });
    expect(await waiting()).toEqual(['collection VX-1']);
    await work();
    expect(await waiting()).toEqual([]);
    expect(await ids(named('x_event', 'regatta'))).toEqual(both);
    expect(await ids({ text: [{ value: 'regatta' }] })).toEqual(both);
    expect(await ids({ field: [{ name: 'x_year', range: [{ value: ['2026', '2027'] }] }] })).toEqual(both);
    const facet = await send(world, by('PUT /API/item?number=0', { facet: [{ field: 'x_year' }] }));
    expect(JSON.parse(facet.body).facet[0].count).toEqual([{ fieldValue: '2026', value: 2, count: 2 }]);
    expect(await ids({ ...named('x_own', 'one'), sort: [{ field: 'x_year' }] })).toEqual(['VX-1']);
  });

  it('a search with fresh=true finds what a collection just passed on, and carries the work out itself', async () => {
    await describe_('collection/VX-1', { x_event: 'Parade' });
    const search = (query: string, path = 'item') =>
      send(world, by(`PUT /API/${path}${query}`, named('x_event', 'parade'), plain));
    const found = async (query: string) => (await search(query)).body.split('\r\n').filter((id) => id !== '');
    expect(await found('')).toEqual([]);
    const several = await Promise.all([found('?fresh=true'), found('?fresh=true'), found('?fresh=true')]);
    expect(several).toEqual([both, both, both]);
    expect(await waiting()).toEqual([]);
    await describe_('collection/VX-1', { x_event: 'Regatta' });
    expect((await search('?fresh=true', 'search')).body).not.toContain('VX-2');
    expect(await ids(named('x_event', 'regatta'))).toEqual(both);
  });

  it('what no definition lets items inherit wakes nobody', async () => {
    await describe_('collection/VX-1', { title: 'Other box' });
    expect(await waiting()).toEqual([]);
  });

  it('a change of the item keeps what it inherits, and a value of its own hides it', async () => {
    await describe_('item/VX-2', { x_own: 'second' });
    expect(await ids(named('x_event', 'regatta'))).toEqual(both);
    await describe_('item/VX-2', { x_event: 'Storm' });
    expect(await ids(named('x_event', 'regatta'))).toEqual(['VX-1']);
    expect(await ids(named('x_event', 'storm'))).toEqual(['VX-2']);
    await send(world, by('PUT /API/item/VX-2/metadata', { timespan: [{ field: [{ name: 'x_event' }] }] }));
    expect(await ids(named('x_event', 'regatta'))).toEqual(both);
  });

  it('it passes through collections, and groups are met by one instance', async () => {
    const group = [{ name: 'Venue', field: fieldsOf({ x_place: 'Pier' }) }];
    await describe_('collection/VX-2', {}, { group });
    await work();
    expect(await ids(named('x_place', 'pier'))).toEqual(both);
    expect(await ids({ group: [{ name: 'Venue', ...named('x_place', 'pier') }] })).toEqual(both);
    expect(await ids({ group: [{ name: 'Venue', ...named('x_event', 'regatta') }] })).toEqual([]);
  });

  it('members that come and go bring and lose it', async () => {
    await send(world, join('VX-1', 'VX-3'));
    expect(await waiting()).toEqual(['item VX-3']);
    await work();
    expect(await ids(named('x_event', 'regatta'))).toEqual(['VX-3', ...both]);
    await send(world, by('DELETE /API/collection/VX-1/VX-3'));
    await work();
    expect(await ids(named('x_event', 'regatta'))).toEqual(both);
    await send(world, by('DELETE /API/collection/VX-2/VX-1?type=collection'));
    await work();
    expect(await ids(named('x_place', 'pier'))).toEqual([]);
  });

  it('timespans of a collection are hits of its items', async () => {
    const timespan = [{ start: '10@PAL', end: '20@PAL', field: fieldsOf({ x_event: 'Sunset' }) }];
    await send(world, by('PUT /API/collection/VX-1/metadata', { timespan }));
    await work();
    const found = await send(world, by('PUT /API/item', { ...named('x_event', 'sunset'), highlight: {} }));
    const items = JSON.parse(found.body).item as {
      id: string;
      start: string;
      timespan: { field: { value: string[] }[] }[];
    }[];
    expect(items.map(({ id, start }) => `${id} ${start}`)).toEqual(['VX-2 10@PAL', 'VX-1 10@PAL']);
    expect(items[0]!.timespan[0]!.field[0]!.value).toEqual(['<em>Sunset</em>']);
  });

  it('a definition that begins or ends to be inherited is followed', async () => {
    await describe_('collection/VX-1', { x_own: 'boxed' });
    await send(world, by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [{ name: 'x_own' }] }] }));
    expect(await ids(named('x_own', 'boxed'))).toEqual([]);
    await send(world, field('x_own', 'string', { inheritance: 'true' }));
    await work();
    expect(await ids(named('x_own', 'boxed'))).toEqual(['VX-1']);
    await send(
      world,
      by('PUT /API/metadata-field/field-group/Venue', { inheritance: 'false', field: [{ name: 'x_place' }] }),
    );
    expect(JSON.parse((await send(world, by('GET /API/reindex/item'))).body)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('a collection that is deleted takes its values from the items', async () => {
    await send(world, by('DELETE /API/collection/VX-1'));
    await work();
    expect(await ids(named('x_event', 'regatta'))).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

it('a running service finds what items inherit behind the commit, before any look is due', async () => {
  const world = await openWorld('fetch');
  const all = [
    field('x_event', 'string', { inheritance: 'true' }),
    item({ title: 'one' }),
    item({ title: 'two' }),
    newCollection('?name=box'),
    join('VX-1', 'VX-1'),
  ];
  for (const sent of all) await send(world, sent);
  const { service, clock } = world;
  void service.work();
  await clock.advance(10_000);
  const found = async (event: string) => {
    const { body } = await send(
      world,
      by('PUT /API/item', { field: [{ name: 'x_event', value: [{ value: event }] }] }),
    );
    return (JSON.parse(body).item ?? []).map(({ id }: { id: string }) => id);
  };
  const changes = () => service.store.read('SELECT 1 FROM inheritance_change');
  const after = async (sent: Sent, event: string) => {
    await send(world, sent);
    // As long as changes are gathered. Nothing looks by itself in this time.
    await clock.advance(20);
    for (let read = 0; read < 2_000 && (await changes()).length > 0; read++);
    return found(event);
  };
  const describedAs = (event: string) =>
    by('PUT /API/collection/VX-1/metadata', { timespan: [{ field: fieldsOf({ x_event: event }) }] });
  expect(await after(describedAs('fireworks'), 'fireworks')).toEqual(['VX-1']);
  expect(await after(join('VX-1', 'VX-2'), 'fireworks')).toEqual(['VX-2', 'VX-1']);
  expect(await after(by('DELETE /API/collection/VX-1/VX-1'), 'fireworks')).toEqual(['VX-2']);
  expect(await after(describedAs('regatta'), 'fireworks')).toEqual([]);
});
