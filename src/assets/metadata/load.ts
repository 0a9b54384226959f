import { groupBy } from '../../lib/group-by.ts';
import type { Reader } from '../../store/statement.ts';
import { emptyState, type State } from './merge/state.ts';
import { stateOfText } from './merge/stored.ts';
import { decodeUuid, uuidOf } from './merge/uuid.ts';
import { findChangeSets, findState, type Owner, statesOf } from './store.ts';

/** What is kept of the metadata of one entity. */
export interface Loaded {
  readonly state: State;
  /** 0: there is no row. */
  readonly version: number;
  /** The serial of the newest change set that it ever had. */
  readonly newest: number;
  /** Undefined: it never changed. */
  readonly changedAt: number | undefined;
}

interface Row {
  readonly doc: string;
  readonly version: number;
  readonly newest: number;
  readonly changedAt: number;
}

const nothing = (): Loaded => ({ state: emptyState(), version: 0, newest: 0, changedAt: undefined });

const loadedOf = ({ doc, ...row }: Row): Loaded => ({ ...row, state: stateOfText(doc) });

export async function loadMetadata(reader: Reader, owner: Owner): Promise<Loaded> {
  const row = await findState(reader, { ...owner });
  return row ? loadedOf(row) : nothing();
}

/** By id: the metadata of entities of one kind. */
export async function loadAll(reader: Reader, kind: string, ids: readonly string[]): Promise<Map<string, Loaded>> {
  if (ids.length === 1) return new Map([[ids[0]!, await loadMetadata(reader, { kind, id: ids[0]! } as Owner)]]);
  const rows = await statesOf(reader, { kind, ids: JSON.stringify(ids) });
  const found = new Map(rows.map((row) => [row.ownerId, loadedOf(row)]));
  return new Map(ids.map((id) => [id, found.get(id) ?? nothing()]));
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
