import { expect, it, onTestFinished } from 'vitest';
import { listenFor, openWorld } from '../support/matrix.ts';
import { admin } from '../support/service.ts';

/** A client of this API as others use it, unchanged: its calls about items, metadata and collections, as it sends them. */

type Call = (given?: Record<string, unknown>) => Promise<{ readonly status: number; readonly data: never }>;
type Calls = Readonly<Record<string, Call>>;
interface Client {
  login(given: { baseURL: string; username: string; password: string }): void;
  logout(): void;
  readonly vsimport: Calls;
  readonly item: Calls;
  readonly metadata: Calls;
  readonly globalmetadata: Calls;
  readonly documentmetadata: Calls;
  readonly collection: Calls;
  readonly deletionlock: Calls;
  readonly metadatafield: Calls;
  readonly importsettings: Calls;
}

interface Metadata {
  readonly revision: string;
  readonly timespan: readonly {
    readonly field: readonly {
      readonly name: string;
      readonly uuid: string;
      readonly value: readonly { readonly value: string; readonly uuid: string }[];
    }[];
  }[];
}

// By a name that the compiler does not look up: there is nothing for it to find.
const packageName = '@vidispine/vdt-api';
const client = (await import(packageName)) as Client;

async function open() {
  const world = await openWorld('fetch');
  onTestFinished(() => client.logout());
  client.login({ baseURL: `http://127.0.0.1:${await listenFor(world)}`, username: admin[0], password: admin[1] });
}

const ask = async <T = Record<string, unknown>>(calls: Calls, name: string, given: object = {}): Promise<T> =>
  (await calls[name]!({ ...given })).data;

const span = (fields: Readonly<Record<string, string | readonly string[]>>) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: Object.entries(fields).map(([name, values]) => ({
        name,
        value: [values].flat().map((value) => ({ value })),
      })),
    },
  ],
});
const newItem = async (title: string): Promise<string> => {
  const given = { metadataDocument: span({ title }), queryParams: { container: 1 } };
  return (await ask<{ id: string }>(client.vsimport, 'createImportPlaceholder', given)).id;
};
const metadataOf = async (itemId: string, queryParams: object = {}): Promise<Metadata> =>
  (await ask<{ item: { metadata: Metadata }[] }>(client.item, 'getItemMetadata', { itemId, queryParams })).item[0]!
    .metadata;
const valuesOf = ({ timespan }: Metadata, name: string): readonly string[] =>
  timespan.flatMap(({ field }) =>
    field.filter((each) => each.name === name).flatMap(({ value = [] }) => value.map((each) => each.value)),
  );
const refused = (status: number) => ({ response: { status } });

it('vdt-api makes items, changes their metadata by name and by uuid, and follows its change sets', async () => {
  await open();
  await ask(client.metadatafield, 'updateMetadataField', {
    fieldName: 'vdt_one',
    metadataFieldDocument: { type: 'string' },
  });
  const itemId = await newItem('forms');
  await ask(client.item, 'updateItemMetadata', { itemId, metadataDocument: span({ vdt_one: ['a', 'b'] }) });
  const read = await metadataOf(itemId, { interval: 'generic', includeTransientMetadata: false });
  expect(valuesOf(read, 'vdt_one')).toEqual(['a', 'b']);
  expect(read.timespan[0]!.field.filter(({ name }) => name.startsWith('__'))).toEqual([]);
  const terse = await ask(client.item, 'getItem', { itemId, queryParams: { content: 'metadata', terse: true } });
  expect(terse).toMatchObject({ id: itemId, terse: { title: [{ value: 'forms', start: '-INF', end: '+INF' }] } });

  const { uuid, value } = read.timespan[0]!.field.find(({ name }) => name === 'title')!;
  const change = (field: object) => ({
    entity: 'item',
    entityId: itemId,
    metadataDocument: { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', uuid, ...field }] }] },
  });
  const changed = { value: [{ uuid: value[0]!.uuid, value: 'changed' }] };
  await ask(client.metadata, 'updateEntityMetadata', change(changed));
  expect(valuesOf(await metadataOf(itemId), 'title')).toEqual(['changed']);
  await ask(client.metadata, 'updateEntityMetadata', change({ mode: 'remove' }));
  expect(valuesOf(await metadataOf(itemId), 'title')).toEqual([]);
  const changes = { entity: 'item', entityId: itemId };
  const { changeSet } = await ask<{ changeSet: { id: string; metadata: object }[] }>(
    client.metadata,
    'listEntityMetadataChange',
    changes,
  );
  expect(changeSet).toHaveLength(6);
  expect(changeSet.every(({ id, metadata }) => id && metadata)).toBe(true);
});

it('vdt-api reads everything about an item, and deletes it unless a lock keeps it', async () => {
  await open();
  const itemId = await newItem('content');
  const content = ['metadata', 'shape', 'thumbnail', 'poster', 'uri', 'access', 'external', 'merged-access'];
  const queryParams = { content, 'noauth-url': true, includeValues: true, include: ['type', 'extradata'] };
  const all = await ask(client.item, 'getItem', { itemId, queryParams });
  expect(all).toMatchObject({
    id: itemId,
    metadata: { timespan: [{ start: '-INF', end: '+INF' }] },
    access: [{ type: 'GENERIC', permission: 'ALL' }, {}, {}, {}],
    'merged-access': {
      query: { username: 'admin', item: itemId },
      access: [{ superUser: true }, { id: 'VX-1', permission: 'OWNER' }],
    },
  });
  await ask(client.item, 'listItemCollection', { itemId });
  const entity = { entity: 'item', entityId: itemId };
  const deletionLockDocument = { expiryTime: '2100-01-01T00:00:00.000+0000' };
  const { id } = await ask<{ id: string }>(client.deletionlock, 'createEntityDeletionLock', {
    ...entity,
    deletionLockDocument,
  });
  expect((await ask<{ lock: object[] }>(client.deletionlock, 'listEntityDeletionLock', entity)).lock).toHaveLength(1);
  await expect(ask(client.item, 'removeItem', { itemId })).rejects.toMatchObject(refused(409));
  await ask(client.deletionlock, 'removeDeletionLock', { lockId: id });
  await ask(client.item, 'removeItem', { itemId });
  await expect(ask(client.item, 'getItem', { itemId })).rejects.toMatchObject(refused(404));
});

it('vdt-api makes, fills, orders, renames and deletes collections', async () => {
  await open();
  const members = [await newItem('a'), await newItem('b'), await newItem('c')];
  const made = await ask<{ id: string }>(client.collection, 'createCollection', { queryParams: { name: 'Films' } });
  const collectionId = made.id;
  for (const entityId of members) {
    await ask(client.collection, 'addCollectionEntity', { collectionId, entityId, queryParams: { type: 'item' } });
  }
  const content = async () =>
    (await ask<{ content?: { id: string }[] }>(client.collection, 'getCollection', { collectionId })).content?.map(
      ({ id }) => id,
    );
  expect(await content()).toEqual(members);
  const collectionReorderDocument = { item: [{ id: members[2], before: members[0] }] };
  await ask(client.collection, 'orderCollection', { collectionId, collectionReorderDocument });
  expect(await content()).toEqual([members[2], members[0], members[1]]);
  await ask(client.collection, 'removeCollectionEntity', {
    collectionId,
    entityId: members[0],
    queryParams: { type: 'item' },
  });
  expect(await content()).toEqual([members[2], members[1]]);
  await ask(client.collection, 'renameCollection', { collectionId, queryParams: { name: 'Short films' } });
  const queryParams = { content: 'metadata', field: 'title' };
  expect(await ask(client.collection, 'getCollection', { collectionId, queryParams })).toMatchObject({
    name: 'Short films',
  });
  await ask(client.collection, 'updateCollectionMetadata', {
    collectionId,
    metadataDocument: span({ title: 'Again' }),
  });
  expect(await ask(client.collection, 'getCollection', { collectionId })).toMatchObject({ name: 'Again' });
  await ask(client.collection, 'removeCollection', { collectionId });
  await expect(ask(client.collection, 'getCollection', { collectionId })).rejects.toMatchObject(refused(404));
});

it('vdt-api keeps documents, global metadata and import settings', async () => {
  await open();
  const documentMetadataName = 'vdtdoc';
  await ask(client.documentmetadata, 'updateDocumentMetadata', {
    documentMetadataName,
    metadataDocument: span({ title: 'doc' }),
  });
  const read = await ask<Metadata>(client.documentmetadata, 'getDocumentMetadata', { documentMetadataName });
  expect(valuesOf(read, 'title')).toEqual(['doc']);
  expect(await ask(client.documentmetadata, 'listDocumentMetadata')).toMatchObject({
    hits: 1,
    document: [{ name: 'vdtdoc' }],
  });
  expect(await ask(client.documentmetadata, 'getDocumentMetadataChanges', { documentMetadataName })).toMatchObject({
    changeSet: [{}],
  });
  await ask(client.documentmetadata, 'removeDocumentMetadata', { documentMetadataName });

  const global = await ask<Metadata>(client.globalmetadata, 'updateGlobalMetadata', {
    metadataDocument: span({ title: 'all' }),
  });
  const { uuid } = global.timespan[0]!.field[0]!;
  expect(await ask(client.globalmetadata, 'getGlobalMetadata', { uuid })).toMatchObject({ field: { name: 'title' } });
  await ask(client.globalmetadata, 'removeGlobalMetadata', { uuid });

  const importSettingsDocument = { access: [{ permission: 'READ', user: 'admin' }] };
  const { id: settingsId } = await ask<{ id: string }>(client.importsettings, 'createImportSettings', {
    importSettingsDocument,
  });
  expect(await ask(client.importsettings, 'getImportSettings', { settingsId })).toMatchObject({
    access: [{ permission: 'READ' }],
  });
  const placeholder = { queryParams: { container: 1, settings: settingsId } };
  expect(await ask(client.vsimport, 'createImportPlaceholder', placeholder)).toMatchObject({ id: 'VX-1' });
  await ask(client.importsettings, 'removeImportSettings', { settingsId });
  await expect(ask(client.vsimport, 'createImportPlaceholder', placeholder)).rejects.toMatchObject(refused(404));
});
