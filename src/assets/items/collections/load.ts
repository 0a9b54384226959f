import type { DocumentLimits } from '../../../core/documents/index.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type Addressed, baseOf } from '../../../http/address.ts';
import type { MediaType } from '../../../http/negotiation.ts';
import { choice, list, type QueryOf } from '../../../http/parameters/index.ts';
import { identifierOf, maxExternalIds } from '../../../room/entities/external-ids/rules.ts';
import { externalIdsOf, externalIdWeights } from '../../../room/entities/external-ids/store.ts';
import { hook } from '../../../room/hook.ts';
import type { Caller } from '../../../security/caller.ts';
import { findFile, pathNames, usesOf } from '../../../storage/public-reading.ts';
import { mergedAccessOf, mergedView } from '../../access/public.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import {
  documentsOf,
  metadataTold,
  metadataView,
  metadataWeights,
  storedView,
  terseOf,
  terseView,
  unfiltered,
  viewOf,
} from '../../metadata/public.ts';
import {
  type KnownStates,
  loadRows,
  type MetadataDocumentValue,
  metadataAhead,
  rowsThere,
} from '../../metadata/public-reading.ts';
import { pathsFrom, pathView, pruned } from '../content-paths.ts';
import { collectionName } from '../contract/entities.ts';
import { absoluteAmong } from '../contract/store.ts';
import type { Collection, Sequence } from '../documents.ts';
import type { ItemsContext } from '../settings.ts';
import { folderPathOf, namesInFolder } from './folder-names.ts';
import { foldersAbove } from './folders-sql.ts';

type AddressedCaller = Caller & Addressed;

/** Location of a collection, with or without a trailing slash. Lists and creation use it without. */
const locOf = (call: Addressed, id: string, end: '' | '/' = ''): string =>
  `${baseOf(call)}/collection/${encodeURIComponent(id)}${end}`;

const words = ['metadata', 'merged-access', 'external'] as const;

/** Query parameters for optional content of collection documents. */
export const collectionView = {
  content: list(choice('Content of each collection in the answer', words)),
  ...metadataView,
  ...terseView,
  ...pathView,
  ...mergedView,
};

export type CollectionView = QueryOf<typeof collectionView>;

const title = 'title';
const titleView = { ...storedView, fields: { ...storedView.fields, only: new Map([[title, title]]) } };

/** Allowed first segments of a content path, with the content that each needs. Members are always included. */
const pathStarts: ReadonlyMap<string, CollectionView['content'] & {}> = new Map([
  ['loc', []],
  ['id', []],
  ['name', []],
  ['content', []],
  ['sequence', []],
  ['metadata', ['metadata']],
  ['merged-access', ['merged-access']],
  ['externalId', ['external']],
]);

interface More {
  readonly states?: KnownStates;
  /** Form of the answer, in which metadata is written at once. */
  readonly type?: MediaType;
  readonly end?: '' | '/';
  readonly sequences?: Promise<NonNullable<Collection['sequence']>> | undefined;
}

/** Weight of the metadata of each collection on a page. Even a page of names reads metadata. */
export async function collectionWeights(
  call: AddressedCaller,
  ids: readonly string[],
  query: CollectionView,
  states: KnownStates,
): Promise<(id: string) => number> {
  if (ids.length <= 1) return () => 0;
  const { reader } = call;
  const metadata = await metadataWeights(reader, 'collection', ids, query, states);
  if (!contentOf(query).includes('external')) return metadata;
  const external = await externalIdWeights(reader, collectionName.type, ids);
  return (id) => metadata(id) + external(id);
}

const contentOf = ({ content = [], p }: CollectionView) =>
  p === undefined ? content : pathsFrom(p, pathStarts).flatMap(([{ name }]) => pathStarts.get(name)!);

/** Whether documents of collections include metadata, which has no limit of its own. */
export const tellsMetadata = (view: CollectionView): boolean =>
  view.p !== undefined || contentOf(view).includes('metadata');

type CollectionParts = Pick<ItemsContext, 'store'> & { readonly settings: Pick<ItemsContext['settings'], 'site'> };

/** Loads documents of collections in the order of the ids, without those that were deleted or closed meanwhile. */
export async function loadCollections(
  parts: CollectionParts,
  call: AddressedCaller,
  ids: readonly string[],
  query?: CollectionView,
  more: More = {},
): Promise<readonly Collection[]> {
  if (query?.p === undefined) return wholeCollections(parts, call, ids, query, more);
  const paths = pathsFrom(query.p, pathStarts);
  const pathQuery = { ...query, ...unfiltered, content: contentOf(query) };
  const { type: _, ...documents } = more;
  const whole = await wholeCollections(parts, call, ids, pathQuery, documents);
  return whole.map((collection) => ({ ...pruned(collection, paths), id: collection.id }));
}

/** Members as documents of a collection tell them. Where content paths lead to none, none is read. */
export async function* membersShown(
  view: CollectionView | undefined,
  pages: AsyncGenerator<NonNullable<Collection['content']>, void>,
): AsyncGenerator<NonNullable<Collection['content']>, void> {
  const paths = view?.p === undefined ? undefined : pathsFrom(view.p, pathStarts);
  if (paths && !paths.some(([{ name }]) => name === 'content')) return;
  for await (const content of pages) yield paths ? (pruned({ content }, paths).content ?? []) : content;
}

/** Starts the reads with which the document of one collection begins. */
export const collectionAhead = (reader: Reader, id: string): Promise<unknown> =>
  Promise.all([metadataAhead(reader, 'collection', id), absoluteAmong(reader, { ids: [id] })]);

async function wholeCollections(
  { settings }: CollectionParts,
  call: AddressedCaller,
  ids: readonly string[],
  query: CollectionView | undefined,
  { end = '', sequences: ofVersion, states, type }: More,
): Promise<readonly Collection[]> {
  const { reader } = call;
  const [rows, external, merged, timed, sequences = []] = await Promise.all([
    rowsThere(reader, 'collection', ids, states),
    query?.content?.includes('external') ? externalIdsOf(reader, collectionName.type, ids, maxExternalIds) : undefined,
    query?.content?.includes('merged-access') ? mergedAccessOf(reader, call, 'collection', ids, query) : undefined,
    absoluteAmong(reader, { ids }),
    ofVersion,
  ]);
  const absolute = new Set(timed.map(({ id }) => id));
  const names = await documentsOf(reader, 'collection', await loadRows(reader, rows), titleView);
  const present = [...rows.keys()];
  const owners = present.map((id) => ({ kind: 'collection', id }) as const);
  const metadata = query?.content?.includes('metadata')
    ? await metadataTold(reader, owners, viewOf(query), {
        site: settings.site,
        asker: await askerOf(call),
        known: new Map(rows),
        isTerse: query.terse,
        type,
      })
    : undefined;
  const shown = metadata ? present.filter((id) => metadata.has(id)) : present;
  return shown.map((id) => ({
    loc: locOf(call, id, end),
    id,
    ...(sequences.length > 0 && { sequence: sequences }),
    name: nameIn(names.get(id) ?? {}),
    ...metadata?.get(id),
    'merged-access': merged?.get(id),
    externalId: external?.get(id)?.map((row) => identifierOf(collectionName.noun, row)),
    ...(absolute.has(id) && { absoluteTime: true }),
  }));
}

/** The title that a rename sets: without times, track and language. If there is none, the first of all. */
function nameIn(metadata: MetadataDocumentValue): string | undefined {
  const span = metadata.timespan?.find(({ start, end }) => start === '-INF' && end === '+INF');
  const field = span?.field?.find(({ name, track }) => name === title && track === undefined);
  const plain = field?.value?.find(({ lang }) => lang === undefined);
  return plain?.value ?? terseOf(metadata).get(title)?.[0]?.value;
}

/** Folder for files of an item. Undefined: none. */
export async function folderOfItem(reader: Reader, itemId: string): Promise<string | undefined> {
  const above = await foldersAbove(reader, { itemId });
  return above.length === 0 ? undefined : folderPathOf(above, itemId);
}

/** Candidate paths of a file in the folder of its item, its own name first. Empty: the item is in no folder. */
export async function pathsInFolder(reader: Reader, fileId: string): Promise<readonly string[]> {
  const uses = await usesOf(reader, { ids: [fileId] });
  const [itemId] = uses.map((use) => use.itemId).toSorted();
  const folder = itemId === undefined ? undefined : await folderOfItem(reader, itemId);
  const source = folder === undefined ? undefined : await findFile(reader, { id: fileId });
  if (!source) return [];
  const { name } = pathNames(source.path);
  return namesInFolder(name, fileId).map((each) => `${folder}${each}`);
}

/** Sequences of a collection that is a version of a project. */
export const versionSequences =
  hook<(reader: Reader, id: string, limits: DocumentLimits) => Promise<readonly Sequence[]>>('projects');
