import type { CollectionType, ItemListDocument, JobType, URIListType } from 'portico/types';
import { get, send } from '../../api/client.ts';
import type { Paged } from '../../components/paged.ts';
import { act } from '../../components/refusal.tsx';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import type { Facet } from './facets.ts';
import type { Place, Tile } from './results.ts';
import { documentOf, oneOf, type Search } from './search.ts';

/**
 * Chosen entities of a list. `all` stands for whatever the search finds, so that a choice of 100,000 needs no list:
 * only what is taken out of it.
 */
export interface Selection {
  readonly all: boolean;
  /** Chosen ids, or, with `all`, those that are not chosen. */
  readonly ids: ReadonlySet<string>;
}

export const nothing: Selection = { all: false, ids: new Set() };
export const everything: Selection = { all: true, ids: new Set() };

export function isChosen({ all, ids }: Selection, id: string): boolean {
  return ids.has(id) !== all;
}

export function sizeOf({ all, ids }: Selection, hits: number): number {
  return all ? Math.max(0, hits - ids.size) : ids.size;
}

export function withIds(selection: Selection, ids: Iterable<string>, to: boolean): Selection {
  const next = new Set(selection.ids);
  for (const id of ids) {
    if (to === selection.all) next.delete(id);
    else next.add(id);
  }
  return { all: selection.all, ids: next };
}

export function withToggled(selection: Selection, id: string): Selection {
  return withIds(selection, [id], !isChosen(selection, id));
}

/** Chosen items: by their ids, or as the search that finds them. */
export interface ChosenItems {
  readonly place: Place;
  readonly search: Search;
  readonly facets: readonly Facet[];
  readonly selection: Selection;
}

const batch = 500;

function bodyOf({ search, facets, place: { within } }: Omit<ChosenItems, 'selection'>) {
  return documentOf(search, { facets, counts: false, marked: [], within });
}

/** Ids of the entries of a list from `first` to before `last`, also of those that are not in memory. */
export async function idsBetween(
  { place, ...asked }: Omit<ChosenItems, 'selection'>,
  list: Paged<Tile>,
  [first, last]: readonly [number, number],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = first; at < last; ) {
    const tile = list.at(at);
    const number = Math.min(batch, last - at);
    const query = { ...place.query, first: String(at + 1), number: String(number), count: 'false' };
    const item = tile
      ? [tile]
      : (await send<ItemListDocument>('PUT', place.path, bodyOf({ place, ...asked }), { query })).item;
    if (!item?.length) break;
    ids.push(...item.flatMap(({ id }) => id ?? []));
    at += item.length;
  }
  return ids;
}

/** The chosen ids in batches. No list of all of them is made. */
export async function* batchesOf(chosen: ChosenItems, signal?: AbortSignal): AsyncGenerator<readonly string[]> {
  const { selection, place } = chosen;
  if (!selection.all) {
    const ids = [...selection.ids];
    for (let first = 0; first < ids.length; first += batch) yield ids.slice(first, first + batch);
    return;
  }
  // The newest first or by a field: items that an action takes out of the search do not move the cursor.
  let cursor: string | undefined = '*';
  while (cursor !== undefined) {
    const query = { ...place.query, cursor, number: String(batch), count: 'false' };
    const answer: ItemListDocument = await send('PUT', place.path, bodyOf(chosen), {
      query,
      ...(signal ? { signal } : {}),
    });
    const ids = (answer.item ?? []).flatMap(({ id }) => (id !== undefined && isChosen(selection, id) ? [id] : []));
    if (ids.length > 0) yield ids;
    cursor = answer.nextCursor === cursor ? undefined : answer.nextCursor;
  }
}

/** The chosen ids. `max`: no more of them are asked for than one that is too many. */
export async function chosenIds(chosen: ChosenItems, max: number): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const ids of batchesOf(chosen)) {
    all.push(...ids);
    if (all.length > max) break;
  }
  return all;
}

/** A library of what is chosen: one entity that stands for all of it. */
async function libraryOf(chosen: ChosenItems, options: Readonly<Record<string, string>> = {}): Promise<string> {
  if (chosen.selection.all && chosen.selection.ids.size === 0) {
    const query = { ...chosen.place.query, number: '0', result: 'library', ...options };
    const { library } = await send<ItemListDocument>('PUT', chosen.place.path, bodyOf(chosen), { query });
    if (library !== undefined) return library;
  }
  const answer = await send<URIListType>('POST', '/library', { item: [] });
  const [library = ''] = answer.uri ?? [];
  for await (const ids of batchesOf(chosen))
    await send('PUT', `/library/${library}`, { item: ids.map((id) => ({ id })) });
  return library;
}

const change = (collection: string, mode: 'add' | 'remove', ids: readonly string[]): Promise<unknown> =>
  send('PUT', `/collection/${collection}`, { content: ids.map((id) => ({ id, type: 'item', mode })) });

/** Takes a change back. */
export type Undo = () => Promise<unknown>;

/** Button of a notice. Left out: there is no way back. */
export const undoBy = (undo: Undo | undefined) => undo && { text: t('word.undo'), run: () => void act(undo) };

/** Adds items. Undo takes out those that were not there before. */
export async function addItems(collection: string, ids: readonly string[]): Promise<Undo> {
  const body = { field: [oneOf(ids)] };
  const query = { number: ids.length, count: 'false' };
  const { item = [] } = await send<ItemListDocument>('PUT', `/collection/${collection}/item`, body, { query });
  await change(collection, 'add', ids);
  const added = ids.filter((id) => !item.some((each) => each.id === id));
  // No content at all would empty the collection.
  return async () => added.length > 0 && change(collection, 'remove', added);
}

/** Takes items out. Undo adds them again, as the last ones. */
export async function takeOutItems(collection: string, ids: readonly string[]): Promise<Undo> {
  await change(collection, 'remove', ids);
  return () => change(collection, 'add', ids);
}

interface Places {
  readonly to?: string | undefined;
  readonly from?: string | undefined;
}

/**
 * Adds chosen items to a collection, and takes them out of another. Who may make libraries sends a
 * search alone, which has no undo; others send ids in batches.
 */
export async function changeChosen(
  chosen: ChosenItems,
  { to, from }: Places,
  onProgress: (done: number) => void = () => undefined,
): Promise<Undo | undefined> {
  const isWhole = to !== undefined && chosen.selection.all && may('library.write');
  if (isWhole) {
    const library = await libraryOf(chosen);
    try {
      await send('PUT', `/collection/${to}/${library}`, undefined, { query: { type: 'library', addItems: 'true' } });
    } finally {
      await send('DELETE', `/library/${library}`);
    }
  }
  const undos: Undo[] = [];
  let done = 0;
  for await (const ids of isWhole && from === undefined ? [] : batchesOf(chosen)) {
    if (to !== undefined && !isWhole) undos.push(await addItems(to, ids));
    if (from !== undefined) undos.push(await takeOutItems(from, ids));
    done += ids.length;
    onProgress(done);
  }
  if (isWhole) return undefined;
  return async () => {
    for (const undo of undos.toReversed()) await undo();
  };
}

export async function deleteItems(chosen: ChosenItems, onProgress: (done: number) => void): Promise<void> {
  let done = 0;
  for await (const ids of batchesOf(chosen)) {
    // Addresses have a limit; 100 ids stay far below it.
    for (let first = 0; first < ids.length; first += 100) {
      const some = ids.slice(first, first + 100);
      await send('DELETE', '/item', undefined, { query: { id: some.join(',') } });
      done += some.length;
      onProgress(done);
    }
  }
}

/** Starts one job for each item: a job makes the shapes of a single item. */
export async function transcode(tag: string, chosen: ChosenItems, onProgress: (done: number) => void): Promise<void> {
  let done = 0;
  for await (const ids of batchesOf(chosen)) {
    for (const id of ids) {
      await send<JobType>('POST', `/item/${id}/transcode`, undefined, { query: { tag } });
      done += 1;
      onProgress(done);
    }
  }
}

/** Starts one job for all: for one item by itself, and for several as a library. */
export async function exportTo(query: Readonly<Record<string, string>>, chosen: ChosenItems): Promise<string> {
  const { all, ids } = chosen.selection;
  const [only] = ids;
  const from = !all && ids.size === 1 ? `/item/${only}` : `/library/${await libraryOf(chosen)}`;
  const { jobId } = await send<JobType>('POST', `${from}/export`, undefined, { query });
  return jobId ?? '';
}

/** Key of the metadata of a library under which the page keeps the address of the search. */
const searchKey = 'portico.ui.search';
const nameKey = 'portico.ui.name';

export interface SavedSearch {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

export async function saveSearch(name: string, chosen: ChosenItems, address: string): Promise<string> {
  const library = await libraryOf(chosen, { autoRefresh: 'true', updateMode: 'REPLACE' });
  await send('PUT', `/library/${library}/metadata`, {
    field: [
      { key: nameKey, value: name },
      { key: searchKey, value: address },
    ],
  });
  return library;
}

/** The saved searches that the caller may read: libraries with a name of the page. */
export async function savedSearches(signal: AbortSignal): Promise<readonly SavedSearch[]> {
  const { uri = [] } = await get<URIListType>('/library', { query: { autoRefresh: 'true', number: '100' }, signal });
  const saved = await Promise.all(uri.map((id) => savedSearch(id, signal)));
  return saved.filter((each) => each.name !== '');
}

export async function savedSearch(id: string, signal: AbortSignal): Promise<SavedSearch> {
  const { field = [] } = await get<{ field?: { key?: string; value?: string }[] }>(`/library/${id}/metadata`, {
    signal,
  });
  const textOf = (key: string) => field.find((each) => each.key === key)?.value ?? '';
  return { id, name: textOf(nameKey), address: textOf(searchKey) };
}

export async function makeCollection(name: string, parent?: string): Promise<string> {
  const collection = await send<CollectionType>('POST', '/collection', undefined, { query: { name } });
  const id = collection.id ?? '';
  if (parent !== undefined)
    await send('PUT', `/collection/${parent}/${id}`, undefined, { query: { type: 'collection' } });
  return id;
}

export type DialogName =
  | 'share'
  | 'edit'
  | 'access'
  | 'collection'
  | 'move'
  | 'save'
  | 'export'
  | 'transcode'
  | 'delete';

export interface DialogProps {
  readonly chosen: ChosenItems;
  /** Number of chosen items. */
  readonly size: number;
  /** Name of the one chosen item. */
  readonly name?: string | undefined;
  /** The collection whose items these are. */
  readonly collection?: string | undefined;
  readonly address: string;
  readonly onClose: () => void;
  /** After the items or their places have changed. */
  readonly onDone: (name: DialogName) => void;
}
