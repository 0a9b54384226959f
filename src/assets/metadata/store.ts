import { and, asc, desc, eq, getTableColumns } from 'drizzle-orm';
import { guard, mustExist } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import {
  eachEntity,
  eachOf,
  oneEntity,
  query,
  type Reader,
  sql,
  statement,
  value,
  valuesOf,
  writes,
} from '../../core/store/statement.ts';
import type { EntityKind } from '../../room/entity.ts';
import { logText } from './log-text-sql.ts';
import { metadataChangeSet, metadataDocument, metadataState } from './tables.ts';

/** Number of the newest deletion of a field. 0: none. */
const newestDeletion = sql<number>`COALESCE((SELECT max(id) FROM metadata_gone), 0)`;

/** Deletions of these fields, oldest first. */
export const deletionsNamed = query(
  sql`SELECT metadata_gone.id, name FROM ${eachOf('names')} AS given
    CROSS JOIN metadata_gone ON name = given.value ORDER BY metadata_gone.id`,
  { id: sql<number>``, name: sql<string>`` },
).reaching(oneEntity);

export type OwnerKind = 'item' | 'collection' | 'document' | 'global';

/** Entity that owns metadata. Global metadata has the id `global`. */
export interface MetadataOwner {
  readonly kind: OwnerKind;
  readonly id: string;
}

export const globalOwner: MetadataOwner = { kind: 'global', id: 'global' };

const ofOwner = ({ ownerType, ownerId }: typeof metadataState | typeof metadataChangeSet) =>
  and(eq(ownerType, value('kind')), eq(ownerId, value('id')));

/** Number of the newest deletion of a definition. */
export const findDeletion = query(sql`SELECT ${newestDeletion}`, { epoch: newestDeletion }).first;

/** The row of a state, with the newest deletion even if there is no row: the first write needs an epoch. */
export const findState = query(
  sql`SELECT ${newestDeletion}, version, newest, changed_at, epoch, doc FROM (SELECT 1) LEFT JOIN metadata_state
    ON owner_type = ${value('kind')} AND owner_id = ${value('id')}`,
  {
    newestDeletion,
    version: sql<number | null>``,
    newest: sql<number>``,
    changedAt: sql<number>``,
    epoch: sql<number>``,
    doc: sql<string>``,
  },
).reaching(oneEntity).first;

/** States of a page of entities of one kind, unordered. */
export const statesOf = query((db) =>
  db
    .select({ ...getTableColumns(metadataState), newestDeletion })
    .from(metadataState)
    .where(and(eq(metadataState.ownerType, value('kind')), sql`owner_id IN ${valuesOf('ids')}`)),
);

/**
 * Bytes of the states of a page of entities, with the states of at most `each` bytes, so that most pages are read once.
 * Each row tells whether any definition lets items inherit.
 */
export const sizedStates = query(
  sql`SELECT given.value, octet_length(doc), EXISTS (SELECT 1 FROM metadata_field WHERE rest ->> '$.inheritance' = 'true')
      OR EXISTS (SELECT 1 FROM metadata_field_group WHERE rest ->> '$.inheritance' = 'true'),
      CASE WHEN octet_length(doc) <= ${value('each')} THEN doc END, version, newest, changed_at, epoch, ${newestDeletion}
    FROM ${eachOf('ids')} AS given
      LEFT JOIN metadata_state ON owner_type = ${value('kind')} AND owner_id = given.value`,
  {
    id: sql<string>``,
    bytes: sql<number | null>``,
    inherits: sql<number>``,
    doc: sql<string | null>``,
    version: sql<number>``,
    newest: sql<number>``,
    changedAt: sql<number>``,
    epoch: sql<number>``,
    newestDeletion,
  },
).reaching(eachEntity('ids'));

type Unchanged = { readonly kind: string; readonly id: string; readonly version: number; readonly epoch: number };

/**
 * Guard for the version; 0: no row yet. Also refuses epochs older than the newest deletion, since the index would get
 * hidden values.
 */
export const expectState = guard<Unchanged>(
  sql`COALESCE((SELECT version FROM metadata_state WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}), 0)
    = ${value('version')} AND ${newestDeletion} = ${value('epoch')}`,
);

export const writeState = statement(
  sql`INSERT INTO ${writes('metadata_state')} (owner_type, owner_id, version, newest, changed_at, doc, epoch)
    VALUES (${value('kind')}, ${value('id')}, 1, ${value('newest')}, ${value('now')}, ${value('doc')},
      ${value('epoch')})
    ON CONFLICT (owner_type, owner_id) DO UPDATE SET version = version + 1, newest = excluded.newest,
      changed_at = excluded.changed_at, doc = excluded.doc, epoch = excluded.epoch`,
);

export const insertChangeSet = insertInto(metadataChangeSet);

/** Change sets by the serial in a uuid or id. */
export const findChangeSets = query((db) =>
  db
    .select({
      serial: metadataChangeSet.serial,
      id: metadataChangeSet.id,
      kind: metadataChangeSet.ownerType,
      owner: metadataChangeSet.ownerId,
    })
    .from(metadataChangeSet)
    .where(sql`serial IN ${valuesOf('serials')} AND owner_type <> 'gone'`),
);

export const removeState = statement((db) => db.delete(metadataState).where(ofOwner(metadataState)));
export const removeChangeSets = statement((db) => db.delete(metadataChangeSet).where(ofOwner(metadataChangeSet)));

const shown = {
  serial: metadataChangeSet.serial,
  id: metadataChangeSet.id,
  user: metadataChangeSet.user,
  at: metadataChangeSet.at,
  delta: logText,
  epoch: metadataChangeSet.epoch,
  newestDeletion,
};

/** Change sets, oldest first. Limit -1: all. */
export const changeSetsOf = query((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(ofOwner(metadataChangeSet))
    .orderBy(asc(metadataChangeSet.serial))
    .limit(value('limit'))
    .offset(value('offset')),
);

const givenSets = sql`serial IN ${valuesOf('serials')}`;

/** Change sets with the given serials. */
export const changeSetsAmong = query((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(and(ofOwner(metadataChangeSet), givenSets))
    .orderBy(asc(metadataChangeSet.serial)),
).reaching(eachEntity('serials'));

export const changeSetSizes = query((db) =>
  db
    .select({ serial: metadataChangeSet.serial, bytes: sql<number>`octet_length(${logText})` })
    .from(metadataChangeSet)
    .where(ofOwner(metadataChangeSet))
    .orderBy(asc(metadataChangeSet.serial))
    .limit(value('limit'))
    .offset(value('offset')),
).reaching({ upTo: 'limit' });

export const newestChangeSets = query((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(ofOwner(metadataChangeSet))
    .orderBy(desc(metadataChangeSet.serial))
    .limit(value('limit')),
);

export type ChangeSetRow = Awaited<ReturnType<typeof changeSetsOf>>[number];

export const changeSetWith = query((db) =>
  db
    .select(shown)
    .from(metadataChangeSet)
    .where(and(ofOwner(metadataChangeSet), eq(metadataChangeSet.serial, value('serial')))),
).first;

export const updateChangeSet = updateBy(metadataChangeSet, 'serial', 'delta');

/** Deletes a change set, unless it is kept for its event. */
export const removeChangeSet = statement<{ serial: number }>(
  sql`DELETE FROM ${writes('metadata_change_set')} WHERE serial = ${value('serial')} AND owner_type <> 'gone'`,
);

const findDocument = rowBy(metadataDocument, 'id');

type DocumentRow = NonNullable<Awaited<ReturnType<typeof findDocument>>>;

export const globalDocumentName = { type: 'document', noun: 'Document' } as const;

export const documentKind = (reader: Reader): EntityKind<DocumentRow> => ({
  ...globalDocumentName,
  find: (id) => findDocument(reader, { id }),
  mustExist: documentMustExist,
});

export const documentMustExist = mustExist(metadataDocument.id);

export const isNoDocument = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM metadata_document WHERE id = ${value('id')})`,
);

export const insertDocument = insertInto(metadataDocument);

export const deleteDocumentRow = deleteBy(metadataDocument, 'id');

export const documentPage = query((db) =>
  db
    .select({ id: metadataDocument.id })
    .from(metadataDocument)
    .orderBy(asc(metadataDocument.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

export const countDocuments = query((db) => db.select({ hits: sql<number>`count(*)` }).from(metadataDocument)).first;
