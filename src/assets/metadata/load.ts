import { groupBy } from '../../lib/group-by.ts';
import { nextTurn } from '../../lib/turn.ts';
import type { Reader } from '../../store/statement.ts';
import { hideGone } from './gone/gone.ts';
import { emptyState, type State } from './merge/state.ts';
import { stateOfText } from './merge/stored.ts';
import { decodeUuid, uuidOf } from './merge/uuid.ts';
import { findChangeSets, findState, type Owner, statesOf } from './store.ts';

/** What is kept of the metadata of one entity. */
export interface Loaded {
  readonly state: State;
  /** Characters of it as it is stored. */
  readonly size: number;
  /** 0: there is no row. */
  readonly version: number;
  /** The serial of the newest change set that it ever had. */
  readonly newest: number;
  /** Undefined: it never changed. */
  readonly changedAt: number | undefined;
}

/** The same for a change. */
export interface LoadedNow extends Loaded {
  /** The newest deletion of a field: it has hidden its values. */
  readonly epoch: number;
}

/** A state as its row has it. */
export interface StateRow {
  readonly doc: string;
  readonly version: number;
  readonly newest: number;
  readonly changedAt: number;
  readonly epoch: number;
  readonly newestDeletion: number;
}

const nothing = (): Loaded => ({ state: emptyState(), size: 0, version: 0, newest: 0, changedAt: undefined });

export async function loadMetadata(reader: Reader, owner: Owner): Promise<LoadedNow> {
  const row = (await findState(reader, { ...owner }))!;
  const { version, newestDeletion: epoch } = row;
  if (version === null) return { ...nothing(), epoch };
  const [loaded] = await loadedOf(reader, [{ ...row, version }]);
  return { ...loaded!, epoch };
}

/** Characters of metadata that are read in one turn of the loop. */
export const longText = 50_000;

/** What rows say, without the values of fields that were deleted since they were written. */
async function loadedOf(reader: Reader, rows: readonly StateRow[]): Promise<readonly Loaded[]> {
  const read: (Loaded & Pick<StateRow, 'epoch' | 'newestDeletion'>)[] = [];
  for (const { doc, ...row } of rows) {
    if (read.length > 0 && doc.length > longText) await nextTurn();
    read.push({ ...row, size: doc.length, state: stateOfText(doc) });
  }
  await hideGone(reader, read);
  return read;
}

/** By id: the metadata of entities of one kind. */
export async function loadAll(reader: Reader, kind: string, ids: readonly string[]): Promise<Map<string, Loaded>> {
  if (ids.length === 1) return new Map([[ids[0]!, await loadMetadata(reader, { kind, id: ids[0]! } as Owner)]]);
  const found = await loadThere(reader, kind, ids);
  return new Map(ids.map((id) => [id, found.get(id) ?? nothing()]));
}

/** The same, without entities that have no row. */
export async function loadThere(
  reader: Reader,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Loaded>> {
  const rows = await statesOf(reader, { kind, ids: JSON.stringify(ids) });
  const loaded = await loadedOf(reader, rows);
  return new Map(rows.map(({ ownerId }, at) => [ownerId, loaded[at]!]));
}

/** By uuid: the entities in whose metadata these groups, fields and values are or were. */
export async function ownersOf(reader: Reader, uuids: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const wanted = uuids.flatMap((uuid) => {
    const decoded = decodeUuid(uuid);
    return decoded ? [{ uuid, ...decoded }] : [];
  });
  const owners = new Map<string, Owner>();
  if (wanted.length === 0) return owners;
  const serials = JSON.stringify([...new Set(wanted.map(({ serial }) => serial))]);
  const rows = new Map((await findChangeSets(reader, { serials })).map((row) => [row.serial, row]));
  for (const { uuid, serial, ordinal } of wanted) {
    const row = rows.get(serial);
    if (row === undefined || uuidOf({ change: row.id, ordinal }) !== uuid) continue;
    owners.set(uuid, { kind: row.kind, id: row.owner } as Owner);
  }
  return owners;
}

/** The states of these entities, of any kind, by `keyOf`. */
export async function statesOfOwners(reader: Reader, owners: readonly Owner[]): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>();
  for (const [kind, those] of groupBy(owners, (owner) => owner.kind)) {
    const loaded = await loadAll(reader, kind, [...new Set(those.map(({ id }) => id))]);
    for (const [id, { state }] of loaded) states.set(keyOf({ kind, id }), state);
  }
  return states;
}

export const keyOf = ({ kind, id }: Owner): string => `${kind} ${id}`;
