import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { outliving } from '../../support/databases.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testSettings, withService } from '../../support/service.ts';

type Values = Readonly<Record<string, string | number>>;
/** Rows that another instance commits, so that the kind has work at that time. */
type Planted = (at: number) => Readonly<Record<string, Values>>;

const [second, hour, day] = [1_000, 3_600_000, 86_400_000];
const { libraryExpiry, scheduledDays, deliveryDays, auditReadDays, transferIdleHours } = testSettings;

/** Work that has a time. */
const timed: Readonly<Record<string, Planted>> = {
  'audit-sweep': (at) => ({ audit_read: { at: at - auditReadDays * day } }),
  publications: (at) => ({ publication: { id: 'p', mode: 'create', lease_until: at } }),
  transfers: (at) => ({ transfer: { id: 't', state: 'TRANSFERRING', touched_at: at - transferIdleHours * hour } }),
  'file-deletion': (at) => ({ publication: { id: 'p', mode: 'remove', lease_until: at } }),
  scans: (at) => ({ storage_scan: { storage_id: 's', due: at } }),
  hashes: (at) => ({ storage: { id: 's' }, file: { id: 'f', storage_id: 's', state: 'CLOSED', hash_due: at } }),
  placements: (at) => ({ placing_due: { component_id: 'c', due: at } }),
  'deletion-locks': (at) => ({ deletion_lock: { id: 'l', expires_at: at } }),
  fixity: (at) => ({
    storage: { id: 's' },
    fixity_storage: { storage_id: 's', days: 1, bytes_per_second: 1 },
    fixity_file: { file_id: 'f', storage_id: 's', state: 'waiting', due: at },
  }),
  'metadata-tables': (at) => ({ metadata_table: { id: 't', due: at } }),
  usage: (at) => ({ usage_term: { entity_type: 'item', entity_id: 'i', usable_until: at, due: at } }),
  'auto-projections': (at) => ({ auto_projection_due: { item_id: 'i', due: at } }),
  'login-checks': (at) => ({ login_session: { id: 's', due: at } }),
  'library-refresh': (at) => ({ library: { id: 'l', due: at } }),
  'library-expiry': (at) => ({ library: { id: 'l', auto_refresh: 0, used_at: at - libraryExpiry * hour } }),
  'auto-imports': (at) => ({ auto_import_due: { file_id: 'f', due: at } }),
  jobs: (at) => ({ job: { id: 'j', due: at } }),
  'request-keys': (at) => ({ keyed_request: { user: 'u', key: 'k', created_at: at - day } }),
  'job-retention': (at) => ({
    job: { id: 'j', created_at: at - day },
    configuration: { name: 'purging', document: '{"job":{"age":1}}' },
  }),
  quota: (at) => ({ quota_rule: { id: 'q', counted: 1, due: at } }),
  deliveries: (at) => ({ lane: { name: 'l', ready: at } }),
  retention: (at) => ({ attempt: { notification_id: 'n', ended: at - deliveryDays * day } }),
  'scheduled-requests': (at) => ({ scheduled_request: { id: 1, state: 'WAITING', date: at } }),
  'scheduled-retention': (at) => ({
    scheduled_request: { id: 1, state: 'SUCCESS', executed_at: at - scheduledDays * day },
  }),
};

/** Work that begins as soon as it is seen. */
const immediate: Readonly<Record<string, Planted>> = {
  'storage-deletion': () => ({ storage: { id: 's', deleted_at: 1 } }),
  closing: () => ({
    storage: { id: 's' },
    storage_method: { id: 'm', storage_id: 's', browse: 1 },
    file: { id: 'f', storage_id: 's', state: 'OPEN' },
  }),
  evacuation: () => ({ storage: { id: 's', state: 'EVACUATING' } }),
  'hot-folders': () => ({ auto_import_rule: { storage_id: 's', enabled: 1 } }),
  'bulk-access': () => ({ access_bulk: { id: 1 } }),
  watermarks: () => ({ storage_rule: { entity_type: 'item', entity_id: 'i', tag: 't' } }),
  'schema-migrations': () => ({ schema_migration: { done: 0 } }),
  reindex: () => ({ search_reindex: { name: 'item', status: 'IN_QUEUE' } }),
  // Feed of an engine that is no longer configured.
  'feed-search-engine': () => ({ search_feed: { name: 'gone' } }),
  'search-order': () => ({ search_ordered: { name: 'title', state: 'filling' } }),
  'search-counts': () => ({ search_counted: { name: 'title', state: 'filling' } }),
  inheritance: () => ({ inheritance_change: { type: 'item', id: 'i' } }),
  replay: () => ({ notification: { id: 'n' }, replay: { notification_id: 'n', state: 'running' } }),
};

/** Work of files and not of rows. It has a timer alone. */
const inMemory = ['staged-bytes'];

/** Inserts a row as another instance does: nobody is told. Columns without a value get an empty one. */
async function plant(database: Database, table: string, values: Values): Promise<void> {
  const columns = await database.read(`PRAGMA table_info(${table})`);
  const row = columns.flatMap(([, name, type, required, defaultValue, key]) => {
    const column = String(name);
    if (values[column] !== undefined) return [[column, values[column]]] as const;
    if (required !== 1 || defaultValue !== null || (key === 1 && type === 'INTEGER')) return [];
    return [[column, type === 'TEXT' ? '' : 0]] as const;
  });
  const names = row.map(([name]) => `"${name}"`).join(', ');
  const sql = `INSERT INTO ${table} (${names}) VALUES (${row.map(() => '?').join(', ')})`;
  expect(await database.write([{ sql, args: row.map(([, value]) => value) }])).toMatchObject({ done: true });
}

/** A server that has nothing to do, and the times at which kinds claim. Nothing is done. */
async function idleServer() {
  const database = await migratedDatabase();
  const { service, clock } = await withService({
    database: { ...outliving(database), close: () => database.close() },
  });
  void service.work();
  for (let passed = 0; passed < 20; passed++) await clock.advance(second);
  const claims: { kind: string; at: number }[] = [];
  for (const kind of service.kinds) {
    kind.claim = async () => {
      claims.push({ kind: kind.name, at: clock.now() });
      return [];
    };
  }
  const of = (name: string) => claims.filter(({ kind }) => kind === name).map(({ at }) => at);
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 100) await clock.advance(Math.min(left, 100));
  };
  return { database, service, clock, pass, of };
}

async function plantAll(database: Database, rows: Readonly<Record<string, Values>>): Promise<void> {
  for (const [table, values] of Object.entries(rows)) await plant(database, table, values);
}

describe('work that another instance commits', () => {
  it.each(Object.entries(timed))('of the kind %s begins at its time', async (name, rows) => {
    const { database, clock, pass, of } = await idleServer();
    await pass(250);
    const at = clock.now() + 10_300;
    await plantAll(database, rows(at));
    await pass(10_200);
    expect(of(name)).toEqual([]);
    await pass(101);
    // A lease is over behind its last millisecond.
    expect(of(name)[0]! - at).toBeLessThanOrEqual(1);
  });

  it.each(Object.entries(immediate))('of the kind %s begins within a second', async (name, rows) => {
    const { database, clock, pass, of } = await idleServer();
    await pass(250);
    const at = clock.now();
    await plantAll(database, rows(at));
    await pass(2_000);
    expect(of(name)[0]! - at).toBeLessThanOrEqual(second);
  });

  it('of a kind that administrators switched off does not begin', async () => {
    const { database, clock, pass, of } = await idleServer();
    await plantAll(database, { configuration: { name: 'services', document: '{"off":["jobs"]}' } });
    await plantAll(database, timed['jobs']!(clock.now()));
    await plantAll(database, timed['deliveries']!(clock.now()));
    await pass(3_000);
    expect(of('jobs')).toEqual([]);
    expect(of('deliveries')).not.toEqual([]);
  });
});

/** Tables that have few rows, those of which the first row is enough, and those with an index of what is due. */
const mayScan =
  /^(?:json_each|off|access_bulk|attempt|audit|audit_read|auto_import_rule|event|file|inheritance_change|job|metadata_field|placing_walk|quota_rule|schema_migration|search_counted|search_feed|search_ordered|search_reindex|storage|storage_rule|storage_scan)$/;

it('each kind is among those above', async () => {
  const { service } = await idleServer();
  const names = service.kinds.map(({ name }) => name).sort();
  expect(names).toEqual([...Object.keys(timed), ...Object.keys(immediate), ...inMemory].sort());
});

it('the due times of all kinds are one read, which goes through no table that grows', async () => {
  const database = await migratedDatabase();
  const texts: string[] = [];
  const { service } = await withService({
    database: {
      ...outliving(database),
      close: () => database.close(),
      read(text, ...given) {
        texts.push(text);
        return database.read(text, ...given);
      },
    },
  });
  await service.tick();
  texts.length = 0;
  await service.tick();
  expect(texts).toHaveLength(1);
  const plan = await database.read(`EXPLAIN QUERY PLAN ${texts[0]!.replaceAll('?', "''")}`);
  const scanned = plan.flatMap((row) => /^SCAN (?!\d* ?CONSTANT)(\w+)/.exec(String(row[3]))?.[1] ?? []);
  expect(scanned.filter((table) => !mayScan.test(table))).toEqual([]);
});
