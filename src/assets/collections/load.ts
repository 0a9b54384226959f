import { identifierOf } from '../../entities/external-ids/documents.ts';
import { mostExternalIds } from '../../entities/external-ids/rules.ts';
import { externalIdsOf } from '../../entities/external-ids/store.ts';
import { accountOf, type Call } from '../../http/call.ts';
import { choice, list } from '../../http/parameters/index.ts';
import type { Collection } from '../documents/collection.ts';
import { loadAll } from '../metadata/load.ts';
import { documentsOf, type MetadataQuery, metadataView, storedView, terseOf, viewOf } from '../metadata/read.ts';
import type { AssetParts } from '../parts.ts';
import { locOf } from './documents.ts';
import { collectionName } from './kinds.ts';
import { absoluteAmong } from './store.ts';

const words = ['metadata', 'external'] as const;

/** What documents of collections tell besides id and name. */
export const collectionView = {
  content: list(choice('What to tell of a collection', words)),
  ...metadataView,
};

export type CollectionView = MetadataQuery & { readonly content: readonly (typeof words)[number][] | undefined };

const title = 'title';
const titleView = { ...storedView, fields: { ...storedView.fields, only: new Map([[title, title]]) } };

/** Collections as their documents tell them, in the order of the ids. */
export async function loadCollections(
  { store }: Pick<AssetParts, 'store'>,
  call: Call,
  ids: readonly string[],
  query?: CollectionView,
  end: '' | '/' = '',
): Promise<readonly Collection[]> {
  const reader = store.reader(accountOf(call));
  const loaded = await loadAll(reader, 'collection', ids);
  const names = await documentsOf(reader, 'collection', loaded, titleView);
  const metadata = query?.content?.includes('metadata')
    ? await documentsOf(reader, 'collection', loaded, viewOf(query))
    : undefined;
  const external = query?.content?.includes('external')
    ? await externalIdsOf(reader, collectionName.type, ids, mostExternalIds)
    : undefined;
  const absolute = new Set((await absoluteAmong(reader, { ids: JSON.stringify(ids) })).map(({ id }) => id));
  return ids.map((id) => ({
    loc: locOf(call, id, end),
    id,
    name: terseOf(names.get(id) ?? {})[title]?.[0]?.value,
    metadata: metadata?.get(id),
    externalId: external?.get(id)?.map((row) => identifierOf(collectionName.noun, row)),
    ...(absolute.has(id) && { absoluteTime: true }),
  }));
}
