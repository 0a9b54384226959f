import type { Elapsed } from '../lib/clock.ts';
import type { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';

/** Time that a request waited for a remote database, with the class of the statements. */
export interface DatabaseWait extends Elapsed {
  readonly operation: 'read' | 'write';
  readonly statements: number;
}

/** Properties that requests share if they will probably read the same. */
export interface RequestKind {
  /** Method, path and query. */
  readonly target: string;
  /** Credentials: who has other rights reads other rows. They are not kept. */
  readonly caller: string;
}

/** Calls to a remote database on behalf of one request, or of one look for work. */
export interface CallCount {
  calls: number;
  /** Takes each wait of a request whose trace is recorded. */
  waited?: ((wait: DatabaseWait) => void) | undefined;
  /** Commits that another change overtook. */
  overtaken?: number;
  /** Milliseconds that its calls wait for an answer. Default: the time limit of a call. */
  patience?: number | undefined;
  /** When the calls in progress have waited long enough. Undefined: the last one was answered. */
  waitsUntil?: number | undefined;
}

/** Finds the count of the code that runs, across all that it waits for. */
export interface CallScope {
  run<T>(count: CallCount, work: () => T): T;
  getStore(): CallCount | undefined;
}

/** Values of a column. Times are integers in milliseconds, booleans are 0 and 1. */
export type SqlValue = string | number | null | Uint8Array<ArrayBuffer>;

export type Row = readonly SqlValue[];

/** Number of expected rows. The native binding reads a single row in half the time. */
export type RowCount = 'one' | 'all';

/**
 * Reduction of one JSON array to its distinct texts with their frequency: the most frequent first, equal ones in the
 * order of their bytes. Grouping rows in the engine takes twice as long.
 */
export interface Tally {
  /** Minimal frequency of a text. */
  readonly least: number;
  /** Maximal number of texts in the result. */
  readonly max: number;
  /** Limit of texts in the array. With more of them, or with a null, the result is empty. */
  readonly atMost: number;
}

/**
 * Asks a query for the distinct numbers of one JSON array instead, whatever their signs: how many there are, a page of them
 * as JSON, the highest first, and how many those are. To tell rows apart costs the engine five times as much.
 */
export interface Distinct {
  /** Lower limit of the counted numbers, inclusive. The upper one is exclusive. */
  readonly from: number;
  readonly below: number;
  /** Upper limit of the page, exclusive. */
  readonly before: number;
  readonly limit: number;
  readonly offset: number;
  /** Limit of numbers in the array. With more of them the result is empty. */
  readonly atMost: number;
}

/** Reduction of a JSON array on the reader thread, so that less data crosses to the main thread. */
export type Reduced = Tally | Distinct;

/** Error for the caller, or a function that creates it: creation is slow, and most commits do not need it. */
export type GuardRefusal = ServiceError | (() => ServiceError);

/** An SQL statement of a change. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly SqlValue[];
  /** Error if this statement breaks a constraint: a guard, a unique name. */
  readonly refusal?: GuardRefusal;
  /** Set if the rows of a RETURNING clause are wanted. */
  readonly returns?: true;
  /** The written table. Undefined: it may be any, so that all participants with concerns about tables take part. */
  readonly writes?: string;
}

/**
 * Outcome of a transaction: all statements, or none and the index of the failed one. `rows` has one entry for each
 * statement that `returns`, in order.
 */
export type Outcome =
  | { readonly done: true; readonly rows: readonly (readonly Row[])[] }
  | { readonly done: false; readonly index: number; readonly message: string };

/** Figures of a database for metrics. Zero if queries run like reads and there is no log. */
export interface DatabaseFigures {
  /** Running queries, including those whose callers got a timeout. */
  readonly queriesRunning: number;
  readonly queriesWaiting: number;
  readonly queriesLate: number;
  /** Size of the write-ahead log. A long query keeps it from being truncated. */
  readonly logBytes: number;
  /** Calls to a remote server since the start. */
  readonly calls: number;
}

export const noFigures: DatabaseFigures = {
  queriesRunning: 0,
  queriesWaiting: 0,
  queriesLate: 0,
  logBytes: 0,
  calls: 0,
};

/** Reads of one row that looks at a bounded number of others. */
export interface BoundedReads {
  /** Undefined: such reads take long just now, so a query has to do it. */
  read(sql: string, args: readonly SqlValue[]): Maybe<Row[]> | undefined;
  /** Whether such reads have found their pages in memory of late. Left out: there is no disk. */
  isWarm?(): boolean;
}

/** Reads of tables that `revision.ts` counts, whose rows are kept until the next change of such a table. */
export interface SteadyReads extends Pick<Database, 'read'> {
  /** For a statement whose only value is a list of names, and whose first column is the name. */
  named(sql: string, names: readonly string[]): Maybe<Row[]>;
}

/**
 * Database: a file, memory, or a remote server. Each kind passes `test/core/store/contract.ts`. Callers cannot hold a
 * transaction open: a change is a list of statements with guards in SQL. So the store can group commits into one sync,
 * and several instances can share a database.
 */
export interface Database {
  readonly kind: 'file' | 'memory' | 'remote';
  /** False on the edge, where requests must not wait for promises of each other. Then nothing is shared. */
  readonly grouped: boolean;
  /**
   * Rejects instead of throwing. Rows are arrays in the order of the selected columns. Sees every commit that was
   * acknowledged before the call.
   */
  read(sql: string, args?: readonly SqlValue[], max?: RowCount): Maybe<Row[]>;
  /**
   * Reads whose work grows with the number of rows. On a file they run on reader threads, with a time limit and a share
   * for each caller; elsewhere `query` equals `read`. `caller`: the account whose credentials the request has.
   */
  query(caller: string, sql: string, args?: readonly SqlValue[], max?: RowCount): Maybe<Row[]>;
  /** Query with a reduction on the reader thread. Defined only with reader threads. */
  readonly tallyFor?:
    | ((caller: string, sql: string, args: readonly SqlValue[], reduced: Reduced) => Promise<Row[]>)
    | undefined;
  /**
   * Runs a reading of `readings.ts` on a reader thread. Undefined result: all threads are busy, and the caller does not
   * wait.
   */
  readonly performFor?:
    | ((caller: string, reading: string, input: unknown, waits?: 'waits') => Promise<unknown> | undefined)
    | undefined;
  /** Reads on the main thread, if the engine is in this process. */
  readonly bounded?: BoundedReads;
  /**
   * Writes all statements or none, durable when it resolves. Concurrent calls share a disk sync or a round trip. Only a
   * broken constraint is an outcome. Anything else rejects, as `busy` (nothing was changed), as `store-unavailable`
   * (nothing was changed unless the explanation says otherwise), or as `internal` (bad SQL). `share`: participation in
   * the statements of its group.
   */
  write(statements: readonly Statement[], share?: Share): Promise<Outcome>;
  /**
   * Pauses behind a change that another instance overtook. Its caller decides again, and would meet the same rivals.
   * Undefined: one instance writes, and nothing is gained by a pause.
   */
  overtaken?(): Promise<void>;
  /** Sets the first statement of each further group of transactions. If it fails, the whole group is refused. */
  guardGroups(guard: Statement | undefined): void;
  /** Transactions that were accepted and are not settled. */
  readonly pending: number;
  readonly figures: DatabaseFigures;
  /** Reads of tables that `revision.ts` counts. Undefined: they cost as little as others. */
  readonly steady?: SteadyReads | undefined;
  /**
   * Collects the reads that `ask` starts at once, and sends them with the first call of the request that asks. The same
   * reads take their rows later. So do reads that requests like it have made. Undefined: reads cost no round trip.
   */
  ahead?(ask: () => unknown, like?: RequestKind): void;
  /** Scope of the counts of calls. Undefined: the database is in this process. */
  readonly calls?: CallScope | undefined;
  /** Aborts running and waiting queries, and refuses new ones: for a stop after its time limit. */
  interrupt?(): void;
  /** Finishes what was accepted, then lets go of the file or the connection. */
  close(): Promise<void>;
}

/** Concern of a participant about changes of a table. */
export const tableConcern = (table: string): string => `table ${table}`;

/** Something that happened, as it is stored beside the change that made it happen. */
export interface EventRecord {
  readonly name: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Text to store instead of the payload, where other rows have its values. No object in JSON. */
  readonly stored?: string | undefined;
}

/** Author of a change, stored with its events. */
export interface Actor {
  readonly user: string;
  readonly runAs?: string | undefined;
  readonly requestId?: string;
  /** Length of the chain of deliveries that caused the change. */
  readonly depth?: number;
  /** Request that demands the change. Undefined for changes by the service itself. */
  readonly request?: ActorRequest | undefined;
}

/** A request as the audit log keeps it. */
export interface ActorRequest {
  readonly method: string;
  readonly path: string;
  /** The parameters of the query as text, with secrets masked. */
  readonly query: string | null;
  /** Matrix parameters, as the path has them. */
  readonly matrix: string | null;
  readonly contentType: string | null;
  readonly contentLength: number | null;
  readonly address: string | undefined;
  /** The kind of credentials, and of a key its id. */
  readonly proof: string | undefined;
}

/** Author of changes by the service itself. */
export const systemActor: Actor = { user: 'system' };

/** Changed aspect of an entity, for participants that track it. */
export interface Touch {
  readonly kind: string;
  readonly id: string;
  readonly aspect: string;
  /** New value of the aspect, so that participants need not wait for the commit to read it. */
  readonly now?: string;
  /** Parsed form of `now`, so that participants need not parse it again. Read-only. */
  readonly value?: object;
  /** Names of the changed parts. Undefined: any part may have changed. */
  readonly changed?: readonly string[];
}

/** Decision of a rule: changes and events, committed together or not at all. */
export interface CommitPlan {
  readonly changes: readonly Statement[];
  readonly events: readonly EventRecord[];
  /** Touched aspects. Participants do not read SQL, so a rule names them. */
  readonly touches?: readonly Touch[];
}

/** Commit as seen by its participants. */
export interface Committing {
  readonly events: readonly EventRecord[];
  readonly touches: readonly Touch[];
  readonly actor: Actor;
  readonly now: number;
  /** Counts from 1: the commit is tried again when a statement with the refusal `stale` was in the way. */
  readonly attempt: number;
}

/** Statements that one transaction of a group needs once for the whole group. They run last in it. */
export type GroupWork = (commits: readonly Committing[]) => Maybe<readonly Statement[]>;

/** Participation of a transaction in the statements of its group. */
export interface Share {
  readonly commit: Committing;
  readonly works: readonly GroupWork[];
}

/**
 * A room that adds statements to the commits of other rooms: notifications, audit, later quota and search. The store
 * asks the participants in the order of their list and knows nothing else about them.
 *
 * The sequence of an event is `max(sequence)` of the table `event` less the number of events behind it in the commit.
 * The statements of `after` run when all events of the commit are stored.
 */
export interface Participant {
  readonly name: string;
  /**
   * Commits that the participant takes part in: event names, touches as `kind.aspect`, `event` for any event, `request`
   * for any commit of a request, `table NAME` for changes of a table. Other commits have no overhead.
   */
  readonly concerns: readonly string[];
  /** Statements before the changes, for reading the old state. */
  before?(commit: Committing): Maybe<readonly Statement[]>;
  /** Statements after the changes and events. May read, call other servers and refuse. */
  after?(commit: Committing): Maybe<readonly Statement[]>;
  /** Statements once for a group of commits. If they fail, the commits run singly. */
  readonly group?: GroupWork;
  /** Called once the commit is durable. */
  committed?(commit: Committing): void;
  /** The refusal of a statement that was overtaken: the commit is tried again. */
  readonly stale?: ServiceError;
}
