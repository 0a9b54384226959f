import { and, asc, desc, eq } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareSqlStatement, prepareStatement, sql } from '../../store/statement.ts';
import { metadataChangeSet, metadataState } from './tables.ts';

const value = sql.placeholder;

export type OwnerKind = 'item' | 'collection' | 'document' | 'global';

/** Whose metadata it is. Global metadata belongs to nobody: its id is `global`. */
export interface Owner {
  readonly kind: OwnerKind;
  readonly id: string;
}

export const globalOwner: Owner = { kind: 'global', id: 'global' };

const ofOwner = ({ ownerType, ownerId }: typeof metadataState | typeof metadataChangeSet) =>
  and(eq(ownerType, value('kind')), eq(ownerId, value('id')));

export const findState = prepareLookup((db) => db.select().from(metadataState).where(ofOwner(metadataState)));

/** The states of a page of entities of one kind, in no order. */
export const statesOf = prepareQuery((db) =>
  db
    .select()
    .from(metadataState)
    .where(
      and(eq(metadataState.ownerType, value('kind')), sql`owner_id IN (SELECT value FROM json_each(${value('ids')}))`),
    ),
);

const stateUnchanged = prepareGuard<{ kind: string; id: string; version: number }>(
  sql`COALESCE((SELECT version FROM metadata_state WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}), 0)
    = ${value('version')}`,
);

/** Version 0: there is no row yet. */
export const expectState = stateUnchanged;

export const writeState = prepareSqlStatement(
  sql`INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
    VALUES (${value('kind')}, ${value('id')}, 1, ${value('newest')}, ${value('now')}, ${value('doc')})
    ON CONFLICT (owner_type, owner_id) DO UPDATE SET version = version + 1, newest = excluded.newest,
      changed_at = excluded.changed_at, doc = excluded.doc`,
);

export const insertChangeSet = prepareStatement((db) =>
  db.insert(metadataChangeSet).values({
    serial: value('serial'),
    id: value('id'),
    ownerType: value('kind'),
    ownerId: value('owner'),
    user: value('user'),
    at: value('at'),
    delta: value('delta'),
  }),
);

/** By the number that a uuid or an id has. */
export const findChangeSets = prepareQuery((db) =>
  db
    .select({
      serial: metadataChangeSet.serial,
      id: metadataChangeSet.id,
      kind: metadataChangeSet.ownerType,
      owner: metadataChangeSet.ownerId,
    })
    .from(metadataChangeSet)
    .where(sql`serial IN (SELECT value FROM json_each(${value('serials')}))`),
);

export const removeState = prepareStatement((db) => db.delete(metadataState).where(ofOwner(metadataState)));
export const removeChangeSets = prepareStatement((db) =>
  db.delete(metadataChangeSet).where(ofOwner(metadataChangeSet)),
);

const shown = {
  serial: metadataChangeSet.serial,
  id: metadataChangeSet.id,
  user: metadataChangeSet.user,
  at: metadataChangeSet.at,
  delta: metadataChangeSet.delta,
};

/** The oldest first. A limit of -1: all of them. */
export const changeSetsOf = prepareQuery((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(ofOwner(metadataChangeSet))
    .orderBy(asc(metadataChangeSet.serial))
    .limit(value('limit'))
    .offset(value('offset')),
);

/** The newest first. */
export const newestChangeSets = prepareQuery((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(ofOwner(metadataChangeSet))
    .orderBy(desc(metadataChangeSet.serial))
    .limit(value('limit')),
);

export type ChangeSetRow = Awaited<ReturnType<typeof changeSetsOf>>[number];

export const changeSetWith = prepareLookup((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(and(ofOwner(metadataChangeSet), eq(metadataChangeSet.serial, value('serial')))),
);

export const updateChangeSet = prepareSqlStatement(
  sql`UPDATE metadata_change_set SET delta = ${value('delta')} WHERE serial = ${value('serial')}`,
);

export const removeChangeSet = prepareSqlStatement(
  sql`DELETE FROM metadata_change_set WHERE serial = ${value('serial')}`,
);
