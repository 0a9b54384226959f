import { readableAmong } from '../../assets/access/public.ts';
import { accessOf, askingOf, isAtLeast, levelsOn } from '../../assets/access/public-reading.ts';
import { itemKind, itemName, itemNamed } from '../../assets/items/contract/entities.ts';
import { shapeKind } from '../../assets/shapes/public.ts';
import type { Value } from '../../core/documents/describe.ts';
import { badValue } from '../../core/documents/error.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { decoded } from '../../production/ingest/public.ts';
import { findEntity, noSuchEntity } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import { placesAt, storageNamed } from '../../storage/public.ts';
import { fileAt, usesOf } from '../../storage/public-reading.ts';
import type { essenceMappingsDocument } from './documents.ts';
import type { Asset } from './imported-project.ts';
import { type RelinkParts, relinked } from './relink.ts';

type Mappings = Value<typeof essenceMappingsDocument>;

/** Item of an asset, and the reason for the match. */
interface ClipMatch {
  readonly item: string;
  readonly shape?: string | undefined;
  readonly by: 'mapping' | 'comment' | 'path' | 'id' | 'name' | 'reel';
}

const maxAssets = 1000;
/** Number of assets between two yields to the event loop. Each takes milliseconds. */
const betweenTurns = 50;
/** Limits for one file. */
const maxUses = 20;
const maxPlaces = 20;
/** Limit of mapped folders in one request. */
const maxFolders = 100;

export interface Matches {
  /** By asset id. */
  readonly items: ReadonlyMap<string, ClipMatch>;
  /** Matches of assets that several items fit. */
  readonly several: ReadonlyMap<string, readonly ClipMatch[]>;
}

/**
 * Items of assets. The first of these decides: the caller's mapping, an export of this service, the path of a file on a
 * storage, what programs know besides. Unreadable items are left out. Paths match only where the caller may read addresses.
 */
export async function matchAssets(
  parts: RelinkParts,
  call: Caller,
  assets: readonly Asset[],
  mappings: Mappings,
  reelField: string | undefined,
): Promise<Matches> {
  const { store: reader } = parts;
  if (assets.length > maxAssets) throw badValue('uri /file', `at most ${maxAssets} files`, String(assets.length));
  const mapped = new Map((mappings.asset ?? []).map(({ id, item, shape }) => [id, { item, shape }]));
  const folders = await foldersOf(reader, mappings);
  const matchesByAsset: (readonly [string, readonly ClipMatch[]])[] = [];
  for (const [at, asset] of assets.entries()) {
    if (at % betweenTurns === 0) await yieldTurn();
    const mapping = mapped.get(asset.id);
    const matches = mapping
      ? await byMapping(reader, mapping)
      : [...(await byComment(reader, asset)), ...(await byPath(reader, asset, folders))];
    matchesByAsset.push([asset.id, matches]);
  }
  const isTold = await tellable(
    reader,
    call,
    matchesByAsset.flatMap(([, matches]) => matches),
  );
  const items = new Map<string, ClipMatch>();
  for (const [id, matches] of matchesByAsset) {
    const match = matches.find(isTold);
    if (match) items.set(id, match);
  }
  const several = new Map<string, readonly ClipMatch[]>();
  const rest = assets.filter(({ id }) => !items.has(id) && !mapped.has(id));
  for (const [id, matches] of await relinked(parts, call, rest, reelField)) {
    if (matches.length === 1) items.set(id, matches[0]!);
    else if (matches.length > 1) several.set(id, matches.slice(0, maxUses));
  }
  return { items, several };
}

async function tellable(
  reader: Reader,
  call: Caller,
  matches: readonly ClipMatch[],
): Promise<(match: ClipMatch) => boolean> {
  const items = [...new Set(matches.map(({ item }) => item))];
  const readable = await readableAmong(reader, await accessOf(reader, call), 'item', items);
  const byPaths = new Set(matches.flatMap(({ by, item }) => (by === 'path' && readable.has(item) ? [item] : [])));
  const placeOf = (id: string) => ({ type: itemName.type, id });
  const { levelOf } = await levelsOn(reader, await askingOf(call), [...byPaths].map(placeOf));
  return ({ by, item }) =>
    readable.has(item) && (by !== 'path' || isAtLeast(levelOf(placeOf(item), { type: 'URI' }), 'READ'));
}

async function byComment(reader: Reader, { comment = '' }: Asset): Promise<readonly ClipMatch[]> {
  const item = /^[A-Z]+-\d+$/.test(comment) ? await findEntity(reader, itemKind(reader), comment) : undefined;
  return item ? [{ item: item.id, by: 'comment' }] : [];
}

async function byMapping(
  reader: Reader,
  mapping: { readonly item: string; readonly shape: string | undefined },
): Promise<readonly ClipMatch[]> {
  const { id } = await itemNamed(reader, mapping.item);
  const shape = mapping.shape === undefined ? undefined : await findEntity(reader, shapeKind(reader), mapping.shape);
  if (mapping.shape === undefined || shape?.itemId === id) return [{ item: id, shape: shape?.id, by: 'mapping' }];
  throw noSuchEntity({ noun: 'Shape' }, mapping.shape);
}

async function byPath(reader: Reader, { path }: Asset, folders: readonly Folder[]): Promise<readonly ClipMatch[]> {
  if (path === undefined) return [];
  const whole = plain(path);
  const candidates = folders
    .filter(({ place }) => whole.startsWith(place))
    .map(({ storageId, place }) => ({ storageId, path: whole.slice(place.length) }));
  const places = candidates.length > 0 ? candidates : await placesAt(reader, local(path));
  for (const place of places.slice(0, maxPlaces)) {
    const file = await fileAt(reader, place);
    const uses = file ? await usesOf(reader, { ids: [file.id] }) : [];
    if (uses.length > 0) {
      return uses.slice(0, maxUses).map(({ itemId, shapeId }) => ({ item: itemId, shape: shapeId, by: 'path' }));
    }
  }
  return [];
}

/** Editing programs name their own machine. */
const local = (path: string): string => path.replace(/^file:\/\/localhost\//, 'file:///');

const plain = (path: string): string => decoded(local(path));

interface Folder {
  readonly place: string;
  readonly storageId: string;
}

/** `Rushes` is no folder of what is in `Rushes 2`. */
async function foldersOf(reader: Reader, { storage = [] }: Mappings): Promise<readonly Folder[]> {
  if (storage.length > maxFolders) {
    throw badValue('/EssenceMappingsDocument/storage', `at most ${maxFolders} storages`, String(storage.length));
  }
  const folders: Folder[] = [];
  for (const { path, id } of storage) {
    const place = plain(path);
    const { id: storageId } = await storageNamed(reader, id);
    folders.push({ place: place.endsWith('/') ? place : `${place}/`, storageId });
  }
  return folders;
}
