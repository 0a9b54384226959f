import { readableAmong } from '../../assets/access/public.ts';
import { accessOf, askingOf, isAtLeast, levelsOn } from '../../assets/access/public-reading.ts';
import { askerOf } from '../../assets/definitions/public-reading.ts';
import { itemKind, itemName, readItems } from '../../assets/items/contract/entities.ts';
import { itemsHaving } from '../../assets/search/public.ts';
import { splitName } from '../../core/lib/file-name.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import type { RoomContext } from '../../room/context.ts';
import { findEntity } from '../../room/entities/find.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { usesOf } from '../../storage/public-reading.ts';
import { type Fit, fitOfTimes, mediaTimesOf } from '../sequences/public.ts';
import type { Asset } from './imported-project.ts';
import { filesCalled } from './store.ts';

/** Finds items for media by what an editing program knows besides their place: names, time codes and reels. */

export type RelinkParts = Pick<RoomContext, 'store' | 'hooks'>;

interface Relinked {
  readonly item: string;
  readonly by: 'id' | 'name' | 'reel';
}

/** Assets that are looked for at once, and candidates for them. */
const [lot, maxCandidates] = [25, 1000];
const nameField = 'originalFilename';

const stemOf = (name: string): string => splitName(name).stem;
/** Reel of an item in an EDL of this service. */
const ownReel = (item: string): string => item.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Id of the item of such a reel: `VX-12` for `VX12`. */
function ofOwnReel(reel = ''): string | undefined {
  const [, letters, digits] = /^([A-Z]{1,7})(\d{1,7})$/.exec(reel) ?? [];
  return letters === undefined ? undefined : `${letters}-${digits}`;
}

function fitOfReels(reel: string | undefined, item: string, own: string | undefined): Fit {
  if (reel === undefined) return 'open';
  const isSame = (other: string): boolean => other.toLowerCase() === reel.toLowerCase();
  if (own !== undefined) return isSame(own) ? 'confirmed' : 'not';
  return isSame(ownReel(item)) ? 'confirmed' : 'open';
}

interface Candidates {
  readonly times: Awaited<ReturnType<typeof mediaTimesOf>>;
  /** Items by the stems of their names, and by the whole names. */
  readonly byStem: ReadonlyMap<string, ReadonlySet<string>>;
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  readonly byReel: ReadonlyMap<string, ReadonlySet<string>>;
}

const put = (map: Map<string, Set<string>>, key: string, item: string): void =>
  void map.set(key, (map.get(key) ?? new Set()).add(item));

/**
 * Items of assets, by asset id. The first of these decides: an id or an external id, the name of a file, the reel. Time codes
 * and reels must fit. Several items: nothing decides among them. `reelField`: metadata field with the reels of items.
 */
export async function relinked(
  parts: RelinkParts,
  call: Caller,
  assets: readonly Asset[],
  reelField: string | undefined,
): Promise<ReadonlyMap<string, readonly Relinked[]>> {
  const searches = await subjectOf(call).has(readItems.needs.role);
  const relinkedById = new Map<string, readonly Relinked[]>();
  for (let at = 0; at < assets.length; at += lot) {
    const some = assets.slice(at, at + lot);
    const named = await byIds(parts, call, some);
    const rest = some.filter(({ id }) => !named.has(id));
    const candidates = searches && rest.length > 0 ? await candidatesFor(parts, call, rest, reelField) : undefined;
    for (const asset of some) {
      const item = named.get(asset.id);
      if (item !== undefined) relinkedById.set(asset.id, [{ item, by: 'id' }]);
      else if (candidates) relinkedById.set(asset.id, chosen(asset, candidates, reelField));
    }
    await yieldTurn();
  }
  return relinkedById;
}

/** Items whose id or external id is the name of an asset, with its ending or without, or its reel. */
async function byIds(
  { store }: RelinkParts,
  call: Caller,
  assets: readonly Asset[],
): Promise<ReadonlyMap<string, string>> {
  const itemByAsset = new Map<string, string>();
  for (const { id, name, reel } of assets) {
    for (const text of new Set([name, stemOf(name), reel ?? '', ofOwnReel(reel) ?? ''])) {
      if (text === '' || text.length > 255 || itemByAsset.has(id)) continue;
      const item = await findEntity(store, itemKind(store), text);
      if (item) itemByAsset.set(id, item.id);
    }
  }
  const readable = await readableAmong(store, await accessOf(store, call), 'item', [...new Set(itemByAsset.values())]);
  return new Map([...itemByAsset].filter(([, item]) => readable.has(item)));
}

async function candidatesFor(
  { store, hooks }: RelinkParts,
  call: Caller,
  assets: readonly Asset[],
  reelField: string | undefined,
): Promise<Candidates> {
  const names = [...new Set(assets.map(({ name }) => name))];
  const stems = [...new Set(names.map(stemOf))].filter((stem) => stem !== '');
  const reels = [...new Set(assets.flatMap(({ reel }) => reel ?? []))];
  const value = (text: string) => ({ value: text });
  const range = stems.map((stem) => ({ value: [value(`${stem}.`), value(`${stem}/`)], exclusiveMaximum: true }));
  const having = hooks.need(itemsHaving);
  const hits = [
    ...(await having(call, { name: nameField, value: stems.map(value), range }, maxCandidates)),
    ...(reelField === undefined || reels.length === 0
      ? []
      : await having(call, { name: reelField, value: reels.map(value) }, maxCandidates)),
  ];
  const files = await filesWithAddress(store, call, stems);
  const ids = [...new Set([...hits, ...files.map(({ item }) => item)])];
  const fields = [nameField, ...(reelField === undefined ? [] : [reelField])];
  const times = await mediaTimesOf(store, ids, await askerOf(call), fields);
  const [byStem, byName, byReel] = [0, 1, 2].map(() => new Map<string, Set<string>>()) as [
    Map<string, Set<string>>,
    Map<string, Set<string>>,
    Map<string, Set<string>>,
  ];
  const learn = (name: string, item: string): void => {
    put(byStem, stemOf(name), item);
    put(byName, name, item);
  };
  for (const { item, name } of files) learn(name, item);
  for (const [item, { values }] of times) {
    const name = values.get(nameField);
    if (name !== undefined) learn(name, item);
    const reel = reelField === undefined ? undefined : values.get(reelField);
    if (reel !== undefined) put(byReel, reel.toLowerCase(), item);
  }
  return { times, byStem, byName, byReel };
}

/** Files with these names, of items that the caller may read with the addresses of their files. */
async function filesWithAddress(store: RelinkParts['store'], call: Caller, stems: readonly string[]) {
  const rows = await filesCalled(store, { stems, max: maxCandidates });
  const uses = groupBy(await usesOf(store, { ids: rows.map(({ id }) => id) }), ({ fileId }) => fileId);
  const files = rows.flatMap(({ id, name }) => (uses.get(id) ?? []).map(({ itemId }) => ({ name, item: itemId })));
  const items = [...new Set(files.map(({ item }) => item))];
  const readable = await readableAmong(store, await accessOf(store, call), 'item', items);
  const placeOf = (id: string) => ({ type: itemName.type, id });
  const { levelOf } = await levelsOn(store, await askingOf(call), [...readable].map(placeOf));
  return files.filter(({ item }) => readable.has(item) && isAtLeast(levelOf(placeOf(item), { type: 'URI' }), 'READ'));
}

/**
 * The items that an asset can be. The whole name goes before its stem, which only media share with others, and what is
 * confirmed before what is open.
 */
function chosen(
  { name, reel, timeCodes }: Asset,
  { times, byStem, byName, byReel }: Candidates,
  reelField: string | undefined,
): readonly Relinked[] {
  const fits = (items: Iterable<string> = [], isByReel = false): readonly Relinked[] => {
    const oldestFirst = [...items].sort((one, other) => serialOf(one) - serialOf(other));
    const judged = oldestFirst.flatMap((item) => {
      const own = times.get(item);
      const ofTimes = fitOfTimes(timeCodes, own ?? {});
      const ofReels = fitOfReels(reel, item, reelField === undefined ? undefined : own?.values.get(reelField));
      if (ofTimes === 'not' || ofReels === 'not') return [];
      return [{ item, isConfirmed: ofTimes === 'confirmed' || (!isByReel && ofReels === 'confirmed') }];
    });
    const confirmed = judged.filter(({ isConfirmed }) => isConfirmed);
    const by = isByReel ? 'reel' : 'name';
    return (confirmed.length > 0 ? confirmed : judged).map(({ item }) => ({ item, by }));
  };
  const [whole, likeIt, onReel] = [byName.get(name), byStem.get(stemOf(name)), byReel.get((reel ?? '').toLowerCase())];
  const media = [...(likeIt ?? [])].filter((item) => times.get(item)?.length);
  return [fits(whole), fits(media), fits(onReel, true)].find((items) => items.length > 0) ?? [];
}
