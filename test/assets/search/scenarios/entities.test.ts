import { expect, it } from 'vitest';
import { item } from '../../../support/assets.ts';
import { by } from '../../../support/requests.ts';
import { owner } from '../../../support/world.ts';
import { named, openScenarios, reader, text, values } from './support.ts';

const { answer, done, ids, search } = openScenarios();

it('items by their shapes, shapes by their tags, collections by their items', async () => {
  await done(by('PUT /API/shape-tag/web', {}));
  await done(by('POST /API/item/VX-3/shape/create?tag=web', { mimeType: ['video/mp4'] }));
  expect(await ids({ shape: named('tag', 'web') })).toEqual(['VX-3']);
  expect(
    await ids({ shape: { field: [...named('tag', 'web').field, ...named('mimeType', 'video/x').field] } }),
  ).toEqual([]);
  expect(await ids({ field: [{ name: 'mimeType', target: 'shape', value: values('video/*') }] })).toEqual(['VX-3']);
  expect(await ids({ field: [{ name: '__shape_size', range: [{ value: values('1', '') }] }] })).toEqual(['VX-3']);
  expect(await ids({ field: [{ name: '__collection', value: values('VX-1') }] })).toEqual(['VX-2', 'VX-1']);
  expect(await ids({ field: [{ name: '__ancestor_collection', value: values('VX-1') }] })).toEqual(['VX-2', 'VX-1']);
  expect(await ids({ item: text('night') }, '/collection')).toEqual(['VX-1']);
  const shapes = await search(named('tag', 'web'), '/search/shape');
  expect(shapes.shape!.map(({ item: of }) => of)).toEqual([[{ id: 'VX-3' }]]);
  expect(await ids({ item: named('title', 'wälder') }, '/search/shape')).toEqual(shapes.shape!.map(({ id }) => id));
  await done(
    by(`PUT /API/item/VX-3/shape/${shapes.shape![0]!.id}/metadata`, {
      field: [{ key: 'look', value: { value: 'blue' } }],
    }),
  );
  expect(await ids(named('look', 'blue'), '/search/shape')).toHaveLength(1);
});

it('other users find, count and get facets only of entities that they may read', async () => {
  await done(item({ title: 'Harbour of the owner', x_tag: 'owned' }, {}, owner));
  const asked = { ...text('harbour'), facet: [{ field: 'x_tag' }], autocomplete: [{ text: 'ow', field: 'x_tag' }] };
  const none = await search(asked, '/item', reader);
  expect(none).toMatchObject({
    hits: 0,
    item: [],
    facet: [{ field: 'x_tag', count: [] }],
    autocomplete: [{ field: 'x_tag', suggestion: [] }],
  });
  await done(by('DELETE /API/item?id=VX-6'));
  await done(item({ title: 'hidden harbour', x_tag: 'harbourtag' }, {}, reader));
  // A field with entries of its own is closed to all others.
  await done(by('POST /API/metadata-field/title/access', { user: 'admin', permission: 'READ' }));
  expect(await ids(named('title', 'hidden'), '/item', reader)).toEqual([]);
  expect(await ids(text('hidden'), '/item', reader)).toEqual([]);
  expect(await ids(text('harbourtag'), '/item', reader)).toEqual(['VX-7']);
  expect(
    await search({ ...text('harbourtag'), facet: [{ field: 'title' }], highlight: {} }, '/item', reader),
  ).toMatchObject({ facet: [{ field: 'title' }], item: [{ timespan: [{ field: [{ name: 'x_tag' }] }] }] });
  const [entry] = (
    await (JSON.parse((await done(by('GET /API/metadata-field/title/access'))).body) as {
      access: { id: string }[];
    })
  ).access;
  await done(by(`DELETE /API/metadata-field/title/access/${entry!.id}`));
  await done(by('DELETE /API/item?id=VX-7'));
});

it('a search of both tells the type of each entry, the newest first', async () => {
  const found = await search(text('harbour*'), '/search?content=metadata');
  expect(found.entry!.map(({ type, id }) => `${type} ${id}`)).toEqual(['Collection VX-1', 'Item VX-2', 'Item VX-1']);
  expect(Object.keys(found)).toEqual(['hits', 'suggestion', 'autocomplete', 'entry', 'facet']);
  const [collection, item] = found.entry as unknown as [object, object];
  expect(collection).toMatchObject({
    collection: { id: 'VX-1', name: 'Harbours' },
    timespan: [{ field: [], start: '-INF', end: '+INF' }],
  });
  expect(Object.keys(collection)).toEqual(['collection', 'timespan', 'start', 'end', 'type', 'id']);
  expect(item).toMatchObject({ item: { shape: [], access: [], externalId: [], id: 'VX-2' } });
  expect(await ids(named('title', 'harbours'), '/collection')).toEqual(['VX-1']);
  expect(Object.keys(await search({}, '/collection'))).toEqual([
    'hits',
    'collection',
    'facet',
    'suggestion',
    'autocomplete',
  ]);
});

it('a collection answers its items, the oldest first or in its own order', async () => {
  expect(await ids({}, '/collection/VX-1/item')).toEqual(['VX-1', 'VX-2']);
  expect(await ids(text('night'), '/collection/VX-1/item')).toEqual(['VX-1']);
  expect(await ids(text('night'), '/collection/VX-2/item')).toEqual([]);
  await done(
    by('PUT /API/configuration/properties/indexCollectionItemOrder', 'true', { 'content-type': 'text/plain' }),
  );
  expect(await ids({}, '/collection/VX-1/item')).toEqual(['VX-2', 'VX-1']);
  expect(await ids({}, '/collection/VX-1/item?order=creation')).toEqual(['VX-1', 'VX-2']);
  await done(by('DELETE /API/configuration/properties/indexCollectionItemOrder'));
  expect(await ids({}, '/collection/VX-1/item?order=collection')).toEqual(['VX-2', 'VX-1']);
  expect((await answer(by('PUT /API/collection/VX-1/item?order=size', {}))).status).toBe(400);
  const q = encodeURIComponent('<ItemSearchDocument><text>old</text></ItemSearchDocument>');
  expect((await done(by(`GET /API/collection/VX-1/item?q=${q}`))).body).toContain('"id":"VX-2"');
  expect((await answer(by('PUT /API/collection/VX-9/item', {}))).status).toBe(404);
});
