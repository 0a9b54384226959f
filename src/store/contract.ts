import type { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';

/** What a column can hold. Times are integers (milliseconds), booleans are 0 and 1. */
export type Value = string | number | null | Uint8Array<ArrayBuffer>;

export type Row = readonly Value[];

/** How many rows a read is about: one, which the native binding finds in half the time, or whatever there is. */
export type RowCount = 'one' | 'all';

/**
 * Asks a query for the distinct texts of one JSON array instead, each with how often it is there: the most frequent first,
 * equal ones in the order of their bytes. To group rows costs the engine twice as much.
 */
export interface Tally {
  /** How often a text is there at least. */
  readonly least: number;
  /** Texts that are answered. */
  readonly most: number;
  /** Of more texts in the array nothing is answered, and nothing where one is null. */
  readonly atMost: number;
}

/**
 * Asks a query for the distinct numbers of one JSON array instead, whatever their signs: how many there are, a page of them
 * as JSON, the highest first, and how many those are. To tell rows apart costs the engine five times as much.
 */
export interface Distinct {
  /** Others do not count. */
  readonly from: number;
  readonly below: number;
  /** The page has lower ones. */
  readonly before: number;
  readonly limit: number;
  readonly offset: number;
  /** Of more numbers in the array nothing is answered. */
  readonly atMost: number;
}

/** What a thread makes of one JSON array, so that less crosses to the serving one. */
export type Reduced = Tally | Distinct;

/** What a caller is told, or what makes it: an error is made slowly, and most commits have no use for theirs. */
export type Refusal = ServiceError | (() => ServiceError);

/** One SQL statement of a change. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
  /** The answer to the caller when this statement breaks a constraint: a guard, a unique name. */
  readonly refusal?: Refusal;
  /** Hand back the rows of a RETURNING clause. */
  readonly returns?: true;
}

/**
 * What became of one transaction: all of it, or none of it and the statement that was in the way.
 * `rows` has one entry for each statement that `returns`, in their order.
 */
export type Outcome =
  | { readonly done: true; readonly rows: readonly (readonly Row[])[] }
  | { readonly done: false; readonly index: number; readonly message: string };

/** What metrics tell of a database. All zero where queries run like reads and there is no log. */
export interface DatabaseFigures {
  /** Queries that run, those included whose callers were told that they take too long. */
  readonly queriesRunning: number;
  readonly queriesWaiting: number;
  readonly queriesLate: number;
  /** Size of the write-ahead log. A query that runs for long keeps it from being emptied. */
  readonly logBytes: number;
}

export const noFigures: DatabaseFigures = { queriesRunning: 0, queriesWaiting: 0, queriesLate: 0, logBytes: 0 };

/** Reads of one row that looks at a bounded number of others. */
export interface BoundedReads {
  /** Undefined: such reads take long just now, so a query has to do it. */
  read(sql: string, args: readonly Value[]): Maybe<Row[]> | undefined;
  /** Whether such reads have found their pages in memory of late. Left out: there is no disk. */
  isWarm?(): boolean;
}

/**
 * One place where rows live: a file, memory, or a remote server. Each passes `test/store/contract.ts`. No caller can
 * hold a transaction open: a change is a list of statements whose guards are SQL. So the store can group commits into
 * one sync, and several instances can share one database.
 */
export interface Database {
  readonly kind: 'file' | 'memory' | 'remote';
  /** False on an edge, where one request must not wait for a promise of another. Then nothing is shared. */
  readonly grouped: boolean;
  /** Never throws but rejects. Rows as arrays, in the order of the selected columns. Sees every commit acknowledged before the call. */
  read(sql: string, args?: readonly Value[], most?: RowCount): Maybe<Row[]>;
  /**
   * The same for reads whose work grows with the number of rows. On a file they run on threads of their own, with a time
   * limit and a share for each caller; elsewhere `query` is `read`. `caller` names whose share it is: the account whose
   * credentials the request carries.
   */
  query(caller: string, sql: string, args?: readonly Value[], most?: RowCount): Maybe<Row[]>;
  /** Where threads run queries: what a thread counts never crosses to this one. */
  readonly tallyFor?:
    | ((caller: string, sql: string, args: readonly Value[], reduced: Reduced) => Promise<Row[]>)
    | undefined;
  /** Where threads run queries: does a reading of `readings.ts` on one of them. Undefined: none has time for this caller, who does not wait. */
  readonly performFor?:
    | ((caller: string, reading: string, given: unknown, waits?: 'waits') => Promise<unknown> | undefined)
    | undefined;
  /** Where the engine is in this process: reads at once, on the serving thread. */
  readonly bounded?: BoundedReads;
  /**
   * All statements or none, durable when it resolves. Concurrent calls share a disk sync or a round trip.
   * Only a broken constraint is an outcome. Anything else rejects, as `busy` (nothing was changed), as
   * `store-unavailable` (nothing was changed unless the explanation says otherwise), or as `internal` (bad SQL).
   * `share`: what this transaction adds to the work of its group.
   */
  write(statements: readonly Statement[], share?: Share): Promise<Outcome>;
  /** From now on each group of transactions begins with this statement, if any: when it breaks, none of them is made. */
  guardGroups(guard: Statement | undefined): void;
  /** Transactions that were accepted and are not settled. */
  readonly pending: number;
  readonly figures: DatabaseFigures;
  /** Ends the queries that run and wait, and takes no more: for a stop whose time is over. */
  interrupt?(): void;
  /** Finishes what was accepted, then lets go of the file or the connection. */
  close(): Promise<void>;
}

/** Something that happened, as it is stored beside the change that made it happen. */
export interface EventRecord {
  readonly name: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Who makes a change: kept with its events. */
export interface Actor {
  readonly user: string;
  readonly runAs?: string;
  readonly requestId?: string;
  /** How many deliveries led to it, one from the other. */
  readonly depth?: number;
  /** The request that asks for the change. What the service does by itself has none. */
  readonly request?: ActorRequest;
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

/** What the service does by itself is done under this name. */
export const systemActor: Actor = { user: 'system' };

/** One aspect of an entity that a commit changes, for participants that keep count of it. */
export interface Touch {
  readonly kind: string;
  readonly id: string;
  readonly aspect: string;
  /** What the aspect is from then on, where a participant would otherwise have to wait for the commit to read it. */
  readonly now?: string;
  /** What `now` is the text of: a participant that takes it need not read the text again. It stays as it is. */
  readonly value?: object;
  /** The names of what is another in it than before. Absent: anything may be. */
  readonly changed?: readonly string[];
}

/** What a rule decided: rows to change, and what that means to others. Committed together or not at all. */
export interface Work {
  readonly changes: readonly Statement[];
  readonly events: readonly EventRecord[];
  /** Changes are SQL that no participant reads, so a rule names what it touches. */
  readonly touches?: readonly Touch[];
}

/** A commit as its participants see it. */
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

/** What a transaction adds to the work of its group. */
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
   * Which commits it is asked about: names of events, touches as `kind.aspect`, `event` for any event, `request` for
   * any commit of a request, `table NAME` for changes that write a table. Other commits pay nothing for it.
   */
  readonly concerns: readonly string[];
  /** Statements ahead of the changes, for what has to be known as it was. */
  before?(commit: Committing): Maybe<readonly Statement[]>;
  /** Statements behind the changes and events. May read, ask other machines and refuse. */
  after?(commit: Committing): Maybe<readonly Statement[]>;
  /** Statements once for a group of commits. When they fail, the commits run singly. */
  readonly group?: GroupWork;
  /** The commit is durable. */
  committed?(commit: Committing): void;
  /** The refusal of a statement that was overtaken: the commit is tried again. */
  readonly stale?: ServiceError;
}
