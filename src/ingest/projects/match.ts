import { accessOf, readableAmong } from '../../assets/access/access.ts';
import { itemNamed } from '../../assets/items/kinds.ts';
import { findItem } from '../../assets/items/store.ts';
import type { essenceMappingsDocument } from '../../assets/projects/documents.ts';
import { badValue } from '../../documents/bad-value.ts';
import type { Value } from '../../documents/describe.ts';
import type { Call } from '../../http/call.ts';
import { placesOf } from '../../media/files/addresses.ts';
import { fileAt, usesOf } from '../../media/files/store.ts';
import type { Reader } from '../../store/statement.ts';
import { decoded } from '../sources/source.ts';
import type { Asset } from './xmeml.ts';

export type Mappings = Value<typeof essenceMappingsDocument>;

/** Which item an asset is, and what says so. */
export interface Match {
  readonly item: string;
  readonly shape?: string | undefined;
  readonly by: 'mapping' | 'comment' | 'path';
}

const mostAssets = 1000;

/**
 * The items that assets are, by the ids of the assets: as the caller maps them, else as an export of this service says,
 * else by the path of their file on a storage. One that the caller may not read is none.
 */
export async function matchAssets(
  reader: Reader,
  call: Call,
  assets: readonly Asset[],
  mappings: Mappings,
): Promise<ReadonlyMap<string, Match>> {
  if (assets.length > mostAssets) throw badValue('uri /file', `at most ${mostAssets} files`, String(assets.length));
  const mapped = new Map((mappings.asset ?? []).map(({ id, item, shape }) => [id, { item, shape }]));
  const found = new Map<string, Match>();
  for (const asset of assets) {
    const match =
      (await byMapping(reader, mapped.get(asset.id))) ??
      (await byComment(reader, asset)) ??
      (await byPath(reader, asset, mappings));
    if (match) found.set(asset.id, match);
  }
  const items = [...new Set([...found.values()].map(({ item }) => item))];
  const readable = await readableAmong(reader, await accessOf(reader, call), 'item', items);
  return new Map([...found].filter(([, { item }]) => readable.has(item)));
}

async function byComment(reader: Reader, { comment = '' }: Asset): Promise<Match | undefined> {
  const item = /^[A-Z]+-\d+$/.test(comment) ? await findItem(reader, { id: comment }) : undefined;
  return item && { item: item.id, by: 'comment' };
}

async function byMapping(
  reader: Reader,
  mapping: { readonly item: string; readonly shape: string | undefined } | undefined,
): Promise<Match | undefined> {
  if (!mapping) return undefined;
  const { id } = await itemNamed(reader, mapping.item);
  return { item: id, shape: mapping.shape, by: 'mapping' };
}

async function byPath(reader: Reader, { path }: Asset, { storage = [] }: Mappings): Promise<Match | undefined> {
  if (path === undefined) return undefined;
  const address = path.replace(/^file:\/\/localhost\//, 'file:///');
  const below = storage.find((each) => address.startsWith(each.path));
  const places = below
    ? [{ storageId: below.id, path: decoded(address.slice(below.path.length)).replace(/^\//, '') }]
    : await placesOf(reader, address, undefined).catch(() => []);
  for (const place of places) {
    const file = await fileAt(reader, place);
    const [use] = file ? await usesOf(reader, { ids: JSON.stringify([file.id]) }) : [];
    if (use) return { item: use.itemId, shape: use.shapeId, by: 'path' };
  }
  return undefined;
}
