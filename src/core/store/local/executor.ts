import type { Outcome, Row, Statement } from '../contract.ts';
import { kindOfFault, messageOf, refusalOf } from '../faults.ts';
import { type NativeConnection, StatementCache } from './native.ts';

/** Result of a group member: an outcome, an invalid statement, or a failure. */
export type Settled = Outcome | { readonly broken: string } | { readonly failed: unknown } | Undone;

/**
 * Valid member that was undone. `barred`: the first statement of the group failed. `bound`: the group has common
 * statements, and another member or those failed.
 */
type Undone = { readonly undone: 'barred' | 'bound' };

/** Statements of a group beside its members. */
export interface GroupTerms {
  /** Runs once, before the members. When it breaks a constraint, no member is made. */
  readonly first?: Statement | undefined;
  /** The last member is work for all others: all are made, or none. */
  readonly bound?: boolean;
}

export const barred: Undone = { undone: 'barred' };
export const bound: Undone = { undone: 'bound' };

/** Results of an undone bound group: its failed members, and `bound` for all others. */
const undoneTogether = (settled: readonly Settled[]): Settled[] =>
  settled.map((each) => ('done' in each && each.done ? bound : each));

/** Outcome without rows. */
export const committed: Outcome = { done: true, rows: [] };

const doneWith = (rows: Row[][]): Outcome => (rows.length === 0 ? committed : { done: true, rows });

/** Result of a member with a failed statement. */
const brokenBy = (error: unknown, index: number): Settled =>
  kindOfFault(error) === 'constraint'
    ? { done: false, index, message: messageOf(error) }
    : { broken: messageOf(error) };

/** Number of groups that run with savepoints after a failed member: failures mostly repeat. */
const carefulGroups = 32;

/**
 * Runs a group of transactions as one: one lock, one disk sync. A member that breaks a constraint goes alone. Anything
 * that concerns the database itself fails the whole group, never half of it.
 *
 * Most groups have no such member, so they run without savepoints, which cost a sixth of a commit: the engine copies
 * each page that a savepoint changes. Where a member breaks, the group is undone and runs again, with one for each.
 */
export class Executor {
  readonly #renew: (() => NativeConnection) | undefined;
  #connection: NativeConnection;
  #cache: StatementCache;
  #stale = false;
  /** Groups that still run with savepoints. */
  #careful = 0;

  /** `renew` opens a fresh connection after a failure; memory has none, because its rows are the connection. */
  constructor(connection: NativeConnection, renew?: () => NativeConnection) {
    this.#connection = connection;
    this.#renew = renew;
    this.#cache = new StatementCache(connection);
  }

  /** Moves what is in the log into the file, so that the file alone is the database, and lets go. */
  close(): void {
    try {
      this.#refresh();
      this.#connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
    } catch {
      // Busy reader in another process: the log stays, and is as durable as the file.
    }
    this.#cache.clear();
    this.#connection.close();
  }

  /** Whether a failed group could not be rolled back: only the end of the thread releases the lock. */
  get stuck(): boolean {
    return this.#stale && this.#connection.inTransaction;
  }

  runGroup(transactions: readonly (readonly Statement[])[], terms: GroupTerms = {}): Settled[] {
    try {
      this.#refresh();
      if (!this.#begin(terms)) return this.#undo(transactions.map(() => barred));
      if (this.#careful > 0) this.#careful--;
      else {
        const outcome = this.#runAll(transactions);
        if (outcome) return outcome;
        this.#careful = carefulGroups;
        // A conflict clause or a trigger may have rolled back already.
        if (this.#connection.inTransaction) this.#cache.get('ROLLBACK').run([]);
        if (!this.#begin(terms)) return this.#undo(transactions.map(() => barred));
      }
      const settled = transactions.map((statements) => this.#runMember(statements));
      if (terms.bound && settled.some((each) => !('done' in each && each.done))) {
        return this.#undo(undoneTogether(settled));
      }
      this.#cache.get('COMMIT').run([]);
      return settled;
    } catch (error) {
      this.#abandon();
      const kind = kindOfFault(error);
      throw refusalOf(kind === 'busy' ? 'busy' : 'unavailable', `The database cannot be written: ${messageOf(error)}`);
    }
  }

  /** False when the statement that begins the group breaks. */
  #begin({ first }: GroupTerms): boolean {
    this.#cache.get('BEGIN IMMEDIATE').run([]);
    return first === undefined || this.#holds(first);
  }

  /** Undefined when a member of several broke: then nothing is committed. */
  #runAll(transactions: readonly (readonly Statement[])[]): Settled[] | undefined {
    let settled: Settled[];
    let at = { index: 0 };
    try {
      settled = transactions.map((statements) => {
        at = { index: 0 };
        return doneWith(this.#run(statements, at));
      });
    } catch (error) {
      const kind = kindOfFault(error);
      if (kind === 'busy' || kind === 'unavailable') throw error;
      // A single member is undone with its group instead of being run again, which may take long.
      const isAlone = transactions.length === 1 && this.#connection.inTransaction;
      return isAlone ? this.#undo([brokenBy(error, at.index)]) : undefined;
    }
    this.#cache.get('COMMIT').run([]);
    return settled;
  }

  /** Rows of the statements that return some. `at`: the running statement. */
  #run(statements: readonly Statement[], at = { index: 0 }): Row[][] {
    const rows: Row[][] = [];
    for (; at.index < statements.length; at.index++) {
      const statement = statements[at.index]!;
      const prepared = this.#cache.get(statement.sql);
      if (statement.returns) rows.push(prepared.all(statement.args));
      else prepared.run(statement.args);
    }
    return rows;
  }

  #holds(first: Statement): boolean {
    try {
      this.#cache.get(first.sql).run(first.args);
      return true;
    } catch (error) {
      if (kindOfFault(error) !== 'constraint') throw error;
      return false;
    }
  }

  #undo(settled: Settled[]): Settled[] {
    this.#cache.get('ROLLBACK').run([]);
    return settled;
  }

  #runMember(statements: readonly Statement[]): Settled {
    const cache = this.#cache;
    cache.get('SAVEPOINT member').run([]);
    const at = { index: 0 };
    try {
      const rows = this.#run(statements, at);
      cache.get('RELEASE member').run([]);
      return doneWith(rows);
    } catch (error) {
      const kind = kindOfFault(error);
      // A conflict clause or a trigger may have rolled back more than the statement: then nothing of the group is left.
      if (kind === 'busy' || kind === 'unavailable' || !this.#connection.inTransaction) throw error;
      cache.get('ROLLBACK TO member').run([]);
      cache.get('RELEASE member').run([]);
      return brokenBy(error, at.index);
    }
  }

  /** Leaves no transaction behind, and no statement that a failure may have left half way. */
  #abandon(): void {
    this.#stale = true;
    try {
      if (this.#connection.inTransaction) this.#connection.prepare('ROLLBACK').run([]);
    } catch {
      // The engine had rolled back by itself, or the renewed connection starts without it.
    }
  }

  #refresh(): void {
    if (!this.#stale) return;
    this.#cache.clear();
    if (this.#renew !== undefined) {
      this.#connection.close();
      this.#connection = this.#renew();
      this.#cache = new StatementCache(this.#connection);
    }
    this.#stale = false;
  }
}
