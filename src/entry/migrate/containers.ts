import type {
  CollectionContentType,
  CollectionDocument,
  ItemType,
  LibrarySettingsDocument,
  URIListDocument,
} from '../../types.ts';
import { accessParts, putAccess, putOwner } from './access.ts';
import { Refused, Unanswered } from './calls.ts';
import { carry, type Difference, entriesIfTold, hereByOldId, type Migration, namesIn } from './carry.ts';
import {
  externalIdParts,
  keepHistory,
  mustHaveMetadata,
  oldestFirst,
  originQuery,
  putExternalIds,
  writableAt,
} from './items.ts';
import { differenceThere, metadataParts, putMetadata, valuesIn, type Writable } from './metadata.ts';
import { entriesOf, many, pageIn } from './original.ts';
import { at, idHere, type Path } from './places.ts';

type Collection = Partial<CollectionDocument>;
type Member = Pick<CollectionContentType, 'id' | 'type' | 'metadata'>;

/** Members of one request. */
const membersAtOnce = 1_000;

function* inSlices<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += membersAtOnce) yield all.slice(at, at + membersAtOnce);
}

const collectionsOf = ({ original, report }: Migration, seen?: Set<string>): AsyncGenerator<Collection> =>
  entriesOf<Collection>({
    size: 200,
    hasCursors: original.hasCursors,
    idOf: ({ id = '' }) => id,
    ...(seen && { seen }),
    broken: (position, error) => report.unread('collection', position, error),
    short: (expected, found) => report.short('collection', expected, found),
    async read(page) {
      const path = original.pagePath(at`/collection`, page);
      return original.list<Collection>(path, 'collection', oldestFirst);
    },
  });

/** Ids of libraries. */
const librariesOf = ({ original, report }: Migration): AsyncGenerator<string> =>
  entriesOf<string>({
    size: 200,
    idOf: (id) => id,
    broken: (position, error) => report.unread('library', position, error),
    short: (expected, found) => report.short('library', expected, found),
    async read(page) {
      const { hits, entries } = await original.list<string>(original.pagePath(at`/library`, page), 'uri');
      return { hits, entries: namesIn({ original, report }, 'library', entries) };
    },
  });

/** A collection as the original tells it. A document of something else is not empty: it is none. */
async function collectionAt({ original }: Migration, path: Path, id: string): Promise<Collection> {
  const document = await original.api.read<Collection>(path);
  if (document.id === id) return document;
  throw new Unanswered(`Expected the collection ${id}: found a document of something else`);
}

/** Members that came over, by their ids here, in their order. */
function membersHere({ journal, report }: Migration, old: string, content: readonly CollectionContentType[]): Member[] {
  const seen = new Set<string>();
  return content.flatMap(({ id, type = 'item', metadata }) => {
    const here = journal.find(type, id)?.id;
    if (!here) report.remark(`Members of the kind ${type} that did not come`, old);
    const isTwice = seen.has(`${type} ${id}`);
    if (isTwice) report.remark('Members that a collection has twice come once, at their first place', old);
    seen.add(`${type} ${id}`);
    return here && !isTwice ? [{ id: here, type, ...(metadata && { metadata }) }] : [];
  });
}

/** Libraries, then collections with their metadata, then their members. Gives the ids of collections that are there. */
export async function carryContainers(migration: Migration): Promise<ReadonlySet<string>> {
  await carryLibraries(migration);
  const writable = await writableAt(migration);
  const seen = new Set<string>();
  await carry<Collection>(migration, {
    kind: 'collection',
    entries: entriesIfTold(migration, 'collections', collectionsOf(migration, seen)),
    idOf: ({ id = '' }) => id,
    async partsOf(entry) {
      const { id = '' } = entry;
      const path = at`/collection/${id}`;
      const document = await collectionAt(
        migration,
        at`${path}?content=metadata,external&conflict=no&children=library`,
        id,
      );
      const { metadata, externalId, absoluteTime, name } = document;
      mustHaveMetadata(metadata);
      Object.assign(entry, { metadata, name });
      return {
        ...metadataParts(migration, id, metadata, writable),
        ...(absoluteTime !== undefined && { absoluteTime }),
        ...(await accessParts(migration, path, id)),
        ...(await externalIdParts(migration, path, id, externalId)),
      };
    },
    put: (entry, difference) => putCollection(migration, entry, difference, writable),
  });
  await carry<Collection>(migration, {
    kind: 'members',
    entries: entriesIfTold(migration, 'collections', collectionsOf(migration)),
    idOf: ({ id = '' }) => id,
    async partsOf({ id = '' }) {
      const { content } = await collectionAt(migration, at`/collection/${id}`, id);
      return { content: membersHere(migration, id, many(content)) };
    },
    put: ({ id = '' }, { parts }) => putMembers(migration, id, parts['content'] as Member[]),
  });
  return seen;
}

async function putCollection(
  migration: Migration,
  entry: Collection,
  difference: Difference,
  writable: Writable,
): Promise<string> {
  const { target } = migration;
  const { id: old = '', metadata, name } = entry;
  const { parts } = difference;
  let id = difference.id;
  let now = difference;
  if (id === undefined) {
    const query = originQuery(migration, old, metadata, parts['owner'] as string | undefined);
    const title = name ?? valuesIn(metadata, 'title')[0];
    const body = { ...(title !== undefined && { name: title }), absoluteTime: parts['absoluteTime'] };
    try {
      id = (await target.write<Collection>('POST', at`/collection?${query}`, body)).id!;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) throw error;
      id = await hereByOldId(migration, at`/collection`, old);
      if (id === undefined) throw error;
    }
    const current = await target.read<Collection['metadata']>(at`/collection/${id}/metadata`);
    now = { ...differenceThere(migration, difference, current, writable), id };
  }
  const path = at`/collection/${id}`;
  await putMetadata(migration, path, old, now);
  if (difference.isKnown && now.changed.has('absoluteTime'))
    await target.write('PUT', path, { absoluteTime: parts['absoluteTime'] });
  await putOwner(migration, path, old, now);
  await putAccess(migration, path, old, now);
  await putExternalIds(migration, path, old, now);
  await keepHistory(migration, 'collection', old);
  return id;
}

/** Members in the order of the original. Those that a person has added here and the original has not are removed. */
async function putMembers({ target, journal }: Migration, old: string, members: readonly Member[]): Promise<string> {
  const id = journal.find('collection', old)?.id;
  if (!id) throw new Error('Expected a collection that has come');
  const path = at`/collection/${id}`;
  const { content } = await target.read<Collection>(path);
  const keyOf = ({ id: member, type = 'item' }: Pick<Member, 'id' | 'type'>) => `${type} ${member}`;
  const staying = new Set(members.map(keyOf));
  const leaving = many(content).filter((member) => !staying.has(keyOf(member)));
  for (const slice of inSlices(leaving)) {
    const removed = slice.map(({ id: member, type }) => ({ id: member, type, mode: 'remove' }));
    await target.write('PUT', at`${path}?clear=false`, { content: removed });
  }
  const remaining = many(content).filter((member) => staying.has(keyOf(member)));
  const isSame =
    remaining.length === members.length && remaining.every((each, at) => keyOf(each) === keyOf(members[at]!));
  const isPlain = members.every(({ metadata }) => metadata === undefined);
  if (isSame && isPlain) return id;
  // Each slice goes to the end, so that the last one leaves all in order.
  for (const slice of inSlices(members)) await target.write('PUT', at`${path}?clear=false`, { content: slice });
  return id;
}

async function carryLibraries(migration: Migration): Promise<void> {
  const { original, target, report } = migration;
  await carry<string>(migration, {
    kind: 'library',
    entries: entriesIfTold(migration, 'libraries', librariesOf(migration)),
    idOf: (id) => id,
    async partsOf(old) {
      const path = at`/library/${old}`;
      const settings = (await original.api.find<LibrarySettingsDocument>(at`${path}/settings`)) ?? {};
      const { updateMode, autoRefresh = false, updateFrequency, query, username } = settings;
      if (username && username !== 'admin')
        report.remark('Queries of libraries run with the rights of an administrator, and not of their user', old);
      return {
        settings: { updateMode, autoRefresh, updateFrequency, query },
        ...(!autoRefresh && { items: await libraryItems(migration, original.api, path, 'old') }),
        ...(await accessParts(migration, path, old)),
      };
    },
    async put(old, difference) {
      const { parts, changed } = difference;
      const items = (parts['items'] as string[] | undefined) ?? [];
      const id = difference.id ?? (await libraryHere(migration, old));
      const path = at`/library/${id}`;
      if (changed.has('items')) await putLibraryItems(migration, path, items);
      if (changed.has('settings')) await target.write('PUT', at`${path}/settings`, parts['settings'] as object);
      await putOwner(migration, path, old, difference);
      await putAccess(migration, path, old, difference);
      return id;
    },
  });
}

async function libraryHere(migration: Migration, old: string): Promise<string> {
  const id = await hereByOldId(migration, at`/library`, old);
  if (id !== undefined) return id;
  const { uri } = await migration.target.write<URIListDocument>('POST', at`/library?externalId=${old}`, {});
  return idHere({ uri });
}

/** Items of a library, by their ids here, in no order. */
async function libraryItems(
  { original, journal, report }: Migration,
  api: Migration['target'],
  path: Path,
  ids: 'old' | 'here',
): Promise<readonly string[]> {
  const entries = entriesOf({
    size: 1_000,
    idOf: ({ id = '' }: { readonly id?: string | undefined }) => id,
    broken: (position, error) => report.unread('item of a library', position, error),
    short(expected, found) {
      throw new Unanswered(`Expected ${expected} items of the library: found ${found}`);
    },
    async read(page) {
      const pagePath = ids === 'old' ? original.pagePath(path, page) : at`${path}?${new URLSearchParams(textOf(page))}`;
      return pageIn<ItemType>(await api.read<object>(pagePath), 'item', pagePath);
    },
  });
  const all: string[] = [];
  for await (const { id = '' } of entries) {
    const here = ids === 'here' ? id : journal.find('item', id)?.id;
    if (here) all.push(here);
  }
  return all.toSorted();
}

const textOf = (page: object): Record<string, string> =>
  Object.fromEntries(Object.entries(page).map(([name, value]) => [name, String(value)]));

async function putLibraryItems(migration: Migration, path: Path, items: readonly string[]): Promise<void> {
  const { target } = migration;
  const current = new Set(await libraryItems(migration, target, path, 'here'));
  const wanted = new Set(items);
  for (const slice of inSlices(items.filter((id) => !current.has(id))))
    await target.write('PUT', path, { item: slice.map((id) => ({ id })) });
  for (const id of current) if (!wanted.has(id)) await target.write('DELETE', at`${path}/${id}`);
}
