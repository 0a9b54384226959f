import { desc, sql } from 'drizzle-orm';
import { metadataField } from '../../assets/definitions/public-reading.ts';
import { guard } from '../../core/store/guard.ts';
import { rowBy, rowsAmong } from '../../core/store/rows.ts';
import { counter, event, extensionMigration, migration } from '../../core/store/schema.ts';
import { query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import { group } from '../../identity/public-reading.ts';
import { job, jobTask } from '../../room/jobs/tables.ts';

const present = rowsAmong(group, 'name', 'names', 'name');

const presentFields = rowsAmong(metadataField, 'name', 'names', 'name');

const userCount = query((db) =>
  db.select({ value: counter.value }).from(counter).where(sql`${counter.name} = 'users'`),
);

/** Storages and transcoders are few; a count of more ends here. Triggers count users and items. */
const maxCounted = 10_000;

const counted = (name: string) => sql`(SELECT value FROM counter WHERE name = ${sql.raw(`'${name}'`)})`;
const counting = (rows: ReturnType<typeof sql>) =>
  sql`(SELECT count(*) FROM (${rows} LIMIT ${sql.raw(`${maxCounted}`)}))`;

const inventory = query(
  sql`SELECT ${counted('users')}, ${counted('items')}, ${counting(sql`SELECT 1 FROM storage`)},
    ${counting(sql`SELECT 1 FROM resource WHERE type = 'transcoder'`)}`,
  { users: sql<number>``, items: sql<number>``, storages: sql<number>``, transcoders: sql<number>`` },
);

/** Numbers of users, items, storages and external transcoders. */
export async function countInventory(reader: Reader) {
  const [row] = await inventory(reader, {});
  return row!;
}

/** When a backup was made, or `elsewhere`. `portico backup` notes it. */
export const backupProperty = 'lastBackup';

/** Set once somebody has decided who sees new items, also where the answer was nobody. */
const decidedProperty = 'newItemsDecided';

const writable = (condition: ReturnType<typeof sql>) =>
  sql`EXISTS (SELECT 1 FROM storage_method CROSS JOIN storage ON storage.id = storage_method.storage_id
    WHERE write = 1 AND storage.type <> 'SHARED' AND storage.deleted_at IS NULL AND ${condition})`;

const lacking = query(
  sql`SELECT ${writable(sql`storage.state IN ('NONE', 'READY')`)}, ${writable(sql`1`)}, ${counted('users')},
    EXISTS (SELECT 1 FROM property WHERE key = ${value('backup')}),
    EXISTS (SELECT 1 FROM property WHERE key = ${value('decided')}) OR EXISTS (SELECT 1 FROM import_access WHERE user_id = '')`,
  {
    storage: sql<number>``,
    anyStorage: sql<number>``,
    users: sql<number>``,
    backup: sql<number>``,
    access: sql<number>``,
  },
);

export const lackable = ['storage', 'transcoder', 'user', 'backup'] as const;

/** Names of the parts that a service of some use has, and this one lacks. `isEmpty`: it never had a storage. */
export async function whatIsLacking(
  reader: Reader,
  transcoder: boolean,
): Promise<{
  readonly lacks: (typeof lackable)[number][];
  readonly isEmpty: boolean;
  readonly isAccessDecided: boolean;
}> {
  const [row] = await lacking(reader, { backup: backupProperty, decided: decidedProperty });
  const { storage = 0, anyStorage = 0, users = 0, backup = 0, access = 0 } = row ?? {};
  const isThere = {
    storage: storage === 1,
    transcoder,
    user: users > 1,
    backup: backup === 1,
  };
  return {
    lacks: lackable.filter((name) => !isThere[name]),
    isEmpty: anyStorage === 0,
    isAccessDecided: access === 1,
  };
}

/** Name of the counter whose value tells the secret key of the database from others. */
export const keyCounter = 'secret key';

export const findCounter = rowBy(counter, 'name');
export const keepCounter = statement<{ name: string; value: number }>(
  sql`INSERT INTO ${writes('counter')} (name, value) VALUES (${value('name')}, ${value('value')}) ON CONFLICT (name) DO NOTHING`,
);
export const setCounter = statement<{ name: string; value: number }>(
  sql`INSERT INTO ${writes('counter')} (name, value) VALUES (${value('name')}, ${value('value')})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);

/** When the newest event happened, by the clock of then. */
export const newestEvent = query((db) =>
  db.select({ at: event.at }).from(event).orderBy(desc(event.sequence)).limit(1),
).first;

export async function missingRoles(store: Store, names: readonly string[]): Promise<string[]> {
  const existing = new Set((await present(store, { names })).map((row) => row.name));
  return names.filter((name) => !existing.has(name));
}

export async function missingReleaseFields(store: Store, names: readonly string[]): Promise<Set<string>> {
  const existing = new Set((await presentFields(store, { names })).map((row) => row.name));
  return new Set(names.filter((name) => !existing.has(name)));
}

export async function hasUsers(store: Store): Promise<boolean> {
  const [row] = await userCount(store, {});
  return (row?.value ?? 0) > 0;
}

/** Two instances that initialise at the same time both succeed: what is there stays as it is. */
export const insertRole = statement(
  sql`INSERT INTO ${writes('group')} (id, name, description, role, version, created_at)
    VALUES (${value('id')}, ${value('name')}, NULL, 1, 1, ${value('createdAt')}) ON CONFLICT (name) DO NOTHING`,
);

/** Guards that there are no users, for the first administrator. */
export const nobodyYet = guard(sql`(SELECT value FROM counter WHERE name = 'users') = 0`);

/** Jobs that failed and methods of storages that could not be reached last, the newest first. */
export const errorPage = query(
  sql`WITH found (at, serial, description, type, entity) AS (
      SELECT * FROM (
        SELECT finished_at, serial, COALESCE(
            (SELECT error FROM job_task WHERE job_id = job.id AND error IS NOT NULL ORDER BY step DESC, attempt DESC LIMIT 1),
            type || ' failed'), 'JOB', id
          FROM job WHERE status = 'FAILED_TOTAL' ORDER BY serial DESC LIMIT ${value('limit')} + ${value('offset')})
      UNION ALL
      SELECT last_failure, 0, failure_message, 'STORAGE', storage_id FROM storage_method
        WHERE last_failure IS NOT NULL AND failure_message IS NOT NULL
          AND last_failure > COALESCE(last_success, 0))
    SELECT at, serial, description, type, entity FROM found ORDER BY at DESC, serial DESC
      LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  {
    timestamp: job.createdAt,
    serial: job.serial,
    description: jobTask.description,
    type: job.type,
    entityId: job.id,
  },
);

const datum = (key: string) =>
  sql`(SELECT value FROM job_datum WHERE job_id = job.id AND key = ${sql.raw(`'${key}'`)})`;
/** Filter condition. An empty value matches everything. */
const among = (name: string, columns: string) => sql`(${value(name)} = '' OR ${value(name)} IN (${sql.raw(columns)}))`;

/** Copies and moves of files as rows of a log. Data of a job tells where from and where to, its memo the new file. */
const entries = sql`WITH entry AS (
    SELECT job.serial AS serial, job.id AS id, job.type AS type, COALESCE(job.finished_at, job.created_at) AS at,
      CASE WHEN job.status IN ('FINISHED', 'FINISHED_WARNING') THEN 'FINISHED'
        WHEN job.status LIKE 'FAILED%' OR job.status LIKE 'ABORTED%' THEN 'FAILED'
        WHEN job.step IS NULL THEN 'NONE' ELSE 'STARTING' END AS status,
      ${datum('sourceStorageId')} AS source_storage, ${datum('fileId')} AS source_file, ${datum('itemId')} AS item,
      ${datum('destinationStorageId')} AS target_storage, job.memo ->> 'destinationFileId' AS target_file
    FROM job WHERE job.type IN ('COPY_FILE', 'MOVE_FILE')),
  asked AS (SELECT * FROM entry WHERE at BETWEEN ${value('from')} AND ${value('to')}
    AND ${among('storage', 'source_storage, target_storage')} AND ${among('file', 'source_file, target_file')}
    AND ${among('item', 'item')} AND ${among('job', 'id')}
    AND status IN ${valuesOf('states')}
    AND type IN ${valuesOf('types')})`;

/** The newest first. */
export const transferEntries = query(
  sql`${entries} SELECT serial, id, type, at, status, source_storage, source_file, item, target_storage, target_file
    FROM asked ORDER BY serial DESC LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  {
    id: job.serial,
    job: job.id,
    method: job.type,
    timestamp: job.createdAt,
    status: job.status,
    sourceStorage: sql<string | null>`source_storage`,
    sourceFile: sql<string | null>`source_file`,
    sourceItem: sql<string | null>`item`,
    destinationStorage: sql<string | null>`target_storage`,
    destinationFile: sql<string | null>`target_file`,
  },
);

export const countTransferEntries = query(sql`${entries} SELECT count(*) FROM asked`, { count: job.serial });

/** Migrations are as many as the program has, and extensions are few. */
const max = 1000;

/** Migrations of the database, the newest first. */
export const appliedMigrations = query(
  sql`SELECT number, name, applied_at, NULL FROM migration
    UNION ALL SELECT number, name, applied_at, extension FROM extension_migration
    ORDER BY 3 DESC, 1 DESC LIMIT ${sql.raw(String(max))}`,
  {
    number: migration.number,
    name: migration.name,
    applied: migration.appliedAt,
    extension: sql<string | null>`${extensionMigration.extension}`,
  },
);
