import { signal } from '@preact/signals';
import type { CollectionListDocument, CollectionType, SearchFieldType, URIListType } from 'portico/types';
import { get, send } from '../../api/client.ts';
import { preferences } from '../../api/session.ts';
import { favouritesKey } from '../library/favourites.ts';

/** Collections on one level that are read at once. */
const max = 500;

export interface Node {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  readonly children: number;
  /** Whether it has the favourites of the person. */
  readonly isFavourites: boolean;
}

/** Grows when a collection was made, renamed, moved or deleted: levels are read again. */
export const changes = signal(0);

function nodeOf({ id = '', name, terse = {} }: CollectionType, favourites: string | undefined): Node {
  const number = (key: string) => Number(terse[key]?.[0]?.value ?? 0);
  const [items, children] = [number('__items_size'), number('__child_collection_size')];
  return { id, name: name ?? id, items, children, isFavourites: id === favourites };
}

const query = {
  content: 'metadata',
  terse: 'true',
  field: 'title,__items_size,__child_collection_size',
  number: String(max),
  count: 'false',
};

/** The collections in one, or those that are in none, by name. Favourites come first. */
export async function level(parent: string | undefined, signal: AbortSignal): Promise<readonly Node[]> {
  const field: SearchFieldType =
    parent === undefined
      ? { name: '__parent_collection_size', value: [{ value: '0' }] }
      : { name: '__parent_collection', value: [{ value: parent }] };
  const body = { field: [field], sort: [{ field: 'title', order: 'ascending' }] };
  const [{ collection = [] }, chosen] = await Promise.all([
    send<CollectionListDocument>('PUT', '/collection', body, { query, signal }),
    preferences(),
  ]);
  const nodes = collection.map((each) => nodeOf(each, chosen.get(favouritesKey)));
  return nodes.toSorted((one, other) => Number(other.isFavourites) - Number(one.isFavourites));
}

export interface CollectionPath {
  readonly name: string;
  /** Collections above, the furthest first. */
  readonly above: readonly { id: string; name: string }[];
}

/** The name of a collection and of those above it. Its contents are not read: there may be many. */
export async function collectionPathOf(id: string, signal: AbortSignal): Promise<CollectionPath> {
  const { uri: ids = [] } = await get<URIListType>(`/collection/${id}/ancestor`, { signal });
  const body = { field: [{ name: 'collectionId', value: [id, ...ids].map((value) => ({ value })) }] };
  const { collection = [] } = await send<CollectionListDocument>('PUT', '/collection', body, {
    query: { number: '1000' },
    signal,
  });
  const nameOf = (each: string) => collection.find((row) => row.id === each)?.name ?? each;
  return { name: nameOf(id), above: ids.reverse().map((each) => ({ id: each, name: nameOf(each) })) };
}

export async function rename(id: string, name: string): Promise<void> {
  await send('PUT', `/collection/${id}/rename`, undefined, { query: { name } });
  changes.value += 1;
}

export async function remove(id: string): Promise<void> {
  await send('DELETE', `/collection/${id}`);
  changes.value += 1;
}

/** Into another collection, out of the one it was in. */
export async function move(id: string, from: string | undefined, to: string): Promise<void> {
  await send('PUT', `/collection/${to}/${id}`, undefined, { query: { type: 'collection' } });
  if (from !== undefined)
    await send('DELETE', `/collection/${from}/${id}`, undefined, { query: { type: 'collection' } });
  changes.value += 1;
}
