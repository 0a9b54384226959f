import { groupBy } from '../../core/lib/group-by.ts';
import { runInSlices, yieldTurn } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { placed, placedAhead } from '../access/public-reading.ts';
import { hideGone } from './deleted-fields.ts';
import { emptyState, type MetadataState } from './merge/state.ts';
import { stateInSteps, stateOfText } from './merge/stored.ts';
import { decodeUuid, uuidOf } from './merge/uuid.ts';
import { findChangeSets, findDeletion, findState, type MetadataOwner, type OwnerKind, statesOf } from './store.ts';

/** Metadata of one entity, as stored. */
export interface Loaded {
  readonly state: MetadataState;
  /** Size in characters. */
  readonly size: number;
  /** 0: no row yet. */
  readonly version: number;
  /** Serial of the newest change set, including deleted ones. */
  readonly newest: number;
  /** Undefined: never changed. */
  readonly changedAt: number | undefined;
}

/** Metadata of one entity, loaded for a change. */
export interface LoadedNow extends Loaded {
  /** Newest deletion of a field that was applied. */
  readonly epoch: number;
}

export interface StateRow {
  readonly doc: string;
  readonly version: number;
  readonly newest: number;
  /** Undefined: not shown. */
  readonly changedAt: number | undefined;
  readonly epoch: number;
  readonly newestDeletion: number;
}

/** States that were read ahead, by id, until they are used. Undefined: the entity has none. */
export type KnownStates = Map<string, StateRow | undefined>;

const nothing = (): Loaded => ({ state: emptyState(), size: 0, version: 0, newest: 0, changedAt: undefined });

export async function loadMetadata(reader: Reader, owner: MetadataOwner): Promise<LoadedNow> {
  const row = (await findState(reader, { ...owner }))!;
  const { version, newestDeletion: epoch } = row;
  if (version === null) return { epoch, ...nothing() };
  const [loaded] = await loadedOf(reader, [{ ...row, version }]);
  return { ...loaded!, epoch };
}

/** Metadata of an entity that is made just now. */
export async function newMetadata(reader: Reader): Promise<LoadedNow> {
  const { epoch } = (await findDeletion(reader, {}))!;
  return { epoch, ...nothing() };
}

/** Characters of metadata parsed per tick of the event loop. */
export const longText = 50_000;

/** Whether a state has values of fields that were deleted later. */
export const mayHaveGone = ({ epoch, newestDeletion }: StateRow): boolean => epoch < newestDeletion;

/** Parses rows, without values of fields deleted later. */
async function loadedOf(reader: Reader, rows: readonly StateRow[]): Promise<readonly Loaded[]> {
  const read: (Loaded & Pick<StateRow, 'epoch' | 'newestDeletion'>)[] = [];
  for (const { doc, ...row } of rows) {
    const isLong = doc.length > longText;
    if (isLong && read.length > 0) await yieldTurn();
    read.push({ size: doc.length, state: isLong ? await runInSlices(stateInSteps(doc)) : stateOfText(doc), ...row });
  }
  await hideGone(reader, read);
  return read;
}

/** Metadata of entities of one kind, by id. */
export async function loadAll(
  reader: Reader,
  kind: string,
  ids: readonly string[],
  known: KnownStates = new Map(),
): Promise<Map<string, Loaded>> {
  return loadRows(reader, await rowsOf(reader, kind, ids, known));
}

/** Parses the states of entities. */
export async function loadRows(
  reader: Reader,
  rows: ReadonlyMap<string, StateRow | undefined>,
): Promise<Map<string, Loaded>> {
  const stored = [...rows.values()].filter((row) => row !== undefined);
  const loaded = (await loadedOf(reader, stored)).values();
  return new Map(Array.from(rows, ([id, row]) => [id, row ? loaded.next().value! : nothing()]));
}

/** States as they are stored, in the order of the ids. `known`: those read ahead, which it forgets. */
async function rowsOf(
  reader: Reader,
  kind: string,
  ids: readonly string[],
  known: KnownStates = new Map(),
): Promise<ReadonlyMap<string, StateRow | undefined>> {
  const rows = new Map<string, StateRow | undefined>();
  const missing: string[] = [];
  for (const id of ids) {
    rows.set(id, known.get(id));
    if (!known.delete(id)) missing.push(id);
  }
  if (ids.length === 1 && missing.length === 1) {
    const row = (await findState(reader, { kind, id: ids[0]! }))!;
    if (row.version !== null) rows.set(ids[0]!, row as StateRow);
  } else if (missing.length > 0) {
    for (const { ownerId, ...row } of await statesOf(reader, { kind, ids: missing })) rows.set(ownerId, row);
  }
  return rows;
}

/** States as they are stored, without entities that were deleted since they were looked up. */
export async function rowsThere(...given: Parameters<typeof rowsOf>): ReturnType<typeof rowsOf> {
  const rows = await rowsOf(...given);
  const [reader, kind] = given;
  const ids = [...rows].flatMap(([id, row]) => (row ? [] : id));
  // Each item and collection has metadata from its creation on, so that this look is rare.
  if (ids.length === 0 || !(kind === 'item' || kind === 'collection')) return rows;
  const present = new Set((await placed[kind].many(reader, { ids })).map(({ id }) => id));
  return new Map([...rows].filter(([id, row]) => row || present.has(id)));
}

/** Metadata by id, without entities that have no row. */
export async function loadThere(
  reader: Reader,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Loaded>> {
  const rows = ids.length > 0 ? await statesOf(reader, { kind, ids }) : [];
  const loaded = await loadedOf(reader, rows);
  return new Map(rows.map(({ ownerId }, at) => [ownerId, loaded[at]!]));
}

/** Entities whose metadata has or had the groups, fields or values with these uuids. */
export async function ownersOf(reader: Reader, uuids: readonly string[]): Promise<ReadonlyMap<string, MetadataOwner>> {
  const wanted = uuids.flatMap((uuid) => {
    const decoded = decodeUuid(uuid);
    return decoded ? [{ uuid, ...decoded }] : [];
  });
  const owners = new Map<string, MetadataOwner>();
  if (wanted.length === 0) return owners;
  const serials = JSON.stringify([...new Set(wanted.map(({ serial }) => serial))]);
  const rows = new Map((await findChangeSets(reader, { serials })).map((row) => [row.serial, row]));
  for (const { uuid, serial, ordinal } of wanted) {
    const row = rows.get(serial);
    if (row === undefined || uuidOf({ change: row.id, ordinal }) !== uuid) continue;
    owners.set(uuid, { kind: row.kind, id: row.owner } as MetadataOwner);
  }
  return owners;
}

/** States of entities of any kind, by `keyOf`. */
export async function statesOfOwners(
  reader: Reader,
  owners: readonly MetadataOwner[],
): Promise<ReadonlyMap<string, MetadataState>> {
  const states = new Map<string, MetadataState>();
  for (const [kind, those] of groupBy(owners, (owner) => owner.kind)) {
    const loaded = await loadAll(reader, kind, [...new Set(those.map(({ id }) => id))]);
    for (const [id, { state }] of loaded) states.set(keyOf({ kind, id }), state);
  }
  return states;
}

export const keyOf = ({ kind, id }: MetadataOwner): string => `${kind} ${id}`;

/** Starts the reads with which a look at the metadata of an entity begins. */
export const metadataAhead = (reader: Reader, kind: OwnerKind, id: string): Promise<unknown> =>
  Promise.all([
    findState(reader, { kind, id }),
    // The rights in fields ask once more than the entity of the path.
    placedAhead(reader, kind, id),
  ]);

/** Starts the reads of the metadata of a new entity whose fields the service itself sets. */
export const newMetadataAhead = (reader: Reader): unknown => findDeletion(reader, {});
