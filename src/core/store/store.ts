import type { Clock } from '../lib/clock.ts';
import type { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';
import { changing } from './commit-plan.ts';
import type { Actor, CommitPlan, Database, Participant, Row, Statement } from './contract.ts';
import {
  checkSchema,
  type ExtensionMigrations,
  type Migration,
  migrate,
  schemaGuard,
  schemaVersion,
} from './migrations.ts';
import { largestSerial, Serials, serialAtSite, withheld } from './serials.ts';
import type { LimitedReader } from './statement.ts';
import { commitWork, createParticipants } from './unit-of-work.ts';

/**
 * Related reads with their evaluation. With reader threads, one of them runs it on a snapshot, while the main thread
 * serves other requests. Input and output are plain data.
 */
export interface Reading<In, Out> {
  /** The thread finds it by this among `readings.ts`. */
  readonly name: string;
  /** Whether the input takes so long that a reader thread runs it in any case, where there are reader threads. */
  isLong?(input: In): boolean;
  run(reader: LimitedReader, input: In): Promise<Out>;
}

export interface StoreSettings {
  readonly clock: Clock;
  /** The prefix of every id: `VX` gives `VX-1`. */
  readonly site: string;
  /** The lowest number of a new id. Default: 1. */
  readonly firstId?: number;
  /** Serials in one block. More is faster, fewer leave smaller gaps after a crash. */
  readonly serialBlock?: number;
  /** In order, without gaps. */
  readonly migrations: readonly Migration[];
  readonly extensions?: readonly ExtensionMigrations[];
  /** Called with the version of a non-empty database, before the first migration that changes it. */
  readonly beforeMigration?: ((version: number) => Promise<void>) | undefined;
}

/** Rows of all rooms. `commit` is the only way to write. */
export interface Store {
  readonly kind: Database['kind'];
  /** Changes that wait to be durable. */
  readonly pending: number;
  /** Key for caches of rows. */
  readonly origin: object;
  read: Database['read'];
  query: Database['query'];
  readonly steady?: Database['steady'];
  /**
   * Starts reads that the code below asks for one by one, in the first call to a remote database. Elsewhere it does
   * nothing. They count until a commit, and for a second at most.
   */
  ahead(ask: () => readonly unknown[]): void;
  /** Reads by `query` in the share of this caller: for routes whose reads grow with the number of rows. */
  reader(caller: string): LimitedReader;
  /**
   * Does a reading in the share of this caller. `place`: off the serving thread, where a thread has time for it, or on
   * it, which costs less where no other request waits.
   */
  perform<In, Out>(caller: string, reading: Reading<In, Out>, input: In, place: 'off-thread' | 'here'): Promise<Out>;
  /**
   * Commits all changes and events durably, or none: then it throws the refusal of the failed statement. Returns the
   * rows of changes with `returns`.
   */
  commit(work: CommitPlan, actor: Actor): Promise<readonly (readonly Row[])[]>;
  /** Adds participants, in this order, for further commits. */
  join(participants: readonly Participant[]): void;
  /** An id that nothing had before, such as `VX-17`. Its number is higher than `above`. */
  nextId(entity: string, above?: number): Promise<string>;
  /**
   * Statements after which no instance gives out this id. They fail with the refusal if one may have given it. None for
   * ids of other sites.
   */
  withhold(entity: string, id: string, refusal: ServiceError): Promise<readonly Statement[]>;
  /** Reserves ids of entities of which this instance has had none yet, in one commit. */
  reserveIds(entities: readonly string[]): Promise<void>;
  /** Brings the database to the version of this program. Throws a StoreStartError. */
  migrate(): Promise<void>;
  /** Like `migrate`, without changes: for the edge. */
  checkSchema(): Promise<void>;
  schemaVersion(): Promise<number>;
  /** Runs work whose calls to a remote database wait so many milliseconds for an answer, whatever the setting says. */
  within<T>(milliseconds: number, work: () => Promise<T>): Promise<T>;
  /** Throws unless a row could be written just now: reads go on answering when writes no longer do. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

const prober: Actor = { user: 'health' };
const probe = `INSERT INTO counter (name, value) VALUES ('writable-at', ?1)
  ON CONFLICT (name) DO UPDATE SET value = ?1`;

/** An index of a large table takes minutes, and nobody waits for a page meanwhile. */
const migrationPatience = 600_000;

/** Reader for a caller. Its queries on a file run in sequence, so that a request uses one reader at a time. */
function readerOf(database: Database, caller: string): LimitedReader {
  const { bounded, steady } = database;
  const origin = database;
  if (database.kind !== 'file') {
    return { isLimited: true, bounded, steady, origin, read: (...statement) => database.query(caller, ...statement) };
  }
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (ask: () => Maybe<Row[]>): Promise<Row[]> => {
    const rows = last.then(ask);
    last = rows.catch(() => undefined);
    return rows;
  };
  const { tallyFor } = database;
  return {
    isLimited: true,
    bounded,
    steady,
    origin,
    lookups: database,
    read: (...statement) => inTurn(() => database.query(caller, ...statement)),
    tally: tallyFor && ((...statement) => inTurn(() => tallyFor(caller, ...statement))),
  };
}

/** Opens a store. It closes the database at its end. */
export function openStore(database: Database, settings: StoreSettings): Store {
  const { clock, site, migrations, extensions } = settings;
  let participants = createParticipants([]);
  const serials = new Serials(database, settings.serialBlock ?? 64, settings.firstId);
  let closed: Promise<void> | undefined;

  async function within<T>(patience: number, work: () => Promise<T>): Promise<T> {
    const { calls } = database;
    if (!calls) return work();
    const asker = calls.getStore();
    const count = { calls: 0, patience };
    return calls.run(count, work).finally(() => {
      if (asker) asker.calls += count.calls;
    });
  }

  async function close(): Promise<void> {
    try {
      await serials.close();
    } catch {
      // A hole among the serials is no reason to keep the file open.
    } finally {
      await database.close();
    }
  }

  return {
    kind: database.kind,
    origin: database,
    steady: database.steady,
    ahead: (ask) => database.ahead?.(() => Promise.all(ask())),
    get pending() {
      return database.pending;
    },
    read: (sql, args, max) => database.read(sql, args, max),
    query: (caller, sql, args, max) => database.query(caller, sql, args, max),
    reader: (caller) => readerOf(database, caller),
    async perform<In, Out>(caller: string, reading: Reading<In, Out>, input: In, place: 'off-thread' | 'here') {
      const waits = reading.isLong?.(input) ? 'waits' : undefined;
      const output =
        waits || place === 'off-thread' ? database.performFor?.(caller, reading.name, input, waits) : undefined;
      return output ? ((await output) as Out) : reading.run(readerOf(database, caller), input);
    },
    commit: (work, actor) => commitWork(database, work, actor, clock.now(), participants),
    join(list) {
      participants = createParticipants(list);
    },
    nextId: async (entity, above) => `${site}-${await serials.next(entity, above)}`,
    async withhold(entity, id, refusal) {
      const serial = serialAtSite(site, id);
      if (serial === undefined) return [];
      if (serial > largestSerial) throw refusal;
      await serials.withdraw(entity, serial);
      return withheld(entity, serial, refusal);
    },
    reserveIds: (entities) => serials.reserve(entities),
    async migrate() {
      database.guardGroups(undefined);
      await within(migrationPatience, () => migrate(database, clock, migrations, settings.beforeMigration, extensions));
      database.guardGroups(schemaGuard(migrations));
    },
    async checkSchema() {
      await checkSchema(database, migrations, extensions);
      database.guardGroups(schemaGuard(migrations));
    },
    within,
    schemaVersion: () => schemaVersion(database),
    checkWritable: async () => {
      await commitWork(database, changing({ sql: probe, args: [clock.now()] }), prober, clock.now());
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
