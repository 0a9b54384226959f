import { toHex } from '../../lib/bytes.ts';
import type { Row, Statement } from '../contract.ts';
import { AnswerLost, kindOfFault, messageOf } from '../faults.ts';
import { barred, bound, committed, type GroupTerms, type Settled } from '../local/executor.ts';
import type { GroupPort } from '../local/group-committer.ts';
import { type AttemptSettings, isAnswer, persist } from './attempts.ts';
import { RemoteFault, rowsOfTransaction, transaction } from './hrana.ts';
import type { Streams } from './streams.ts';

type Transaction = readonly Statement[];

/**
 * The outcome of a batch: its rows by statement, or no rows because an earlier sending did it. Otherwise the first
 * statement of the group broke, or a statement is at fault.
 */
type Batch =
  | { readonly rows: readonly Row[][] }
  | { readonly rows: undefined }
  | { readonly barred: true }
  | { readonly index: number | undefined; readonly fault: unknown };

/** A marker is of use for as long as its batch may be sent again, which is minutes; clocks may differ by some more. */
const markerLife = 60 * 60_000;
const prunePeriod = 60_000;

/**
 * Runs each group as one batch. The batch begins with a marker row. When the answer is lost, the writer sends the batch
 * again. If the first one had arrived, the marker breaks the primary key, so the batch happens once.
 */
export class RemoteWriter implements GroupPort {
  readonly #streams: Streams;
  readonly #settings: AttemptSettings;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(streams: Streams, settings: AttemptSettings) {
    this.#streams = streams;
    this.#settings = settings;
  }

  /**
   * A batch has no savepoints, so one broken member rolls back all. Those before it are sent again (they had worked),
   * then it alone, then those after it.
   */
  async runGroup(transactions: readonly Transaction[], terms: GroupTerms = {}): Promise<Settled[]> {
    if (transactions.length === 0) return [];
    let batch: Batch;
    try {
      batch = await this.#send(transactions.flat(), terms.first);
    } catch (failed) {
      return transactions.map(() => ({ failed }));
    }
    if ('rows' in batch) return settledOf(transactions, batch.rows);
    if ('barred' in batch) return transactions.map(() => barred);
    if (terms.bound) return settledTogether(transactions, batch);
    if (transactions.length === 1) return [settledBy(batch)];
    const settled: Settled[] = [];
    for (const part of partsOf(transactions, batch.index)) settled.push(...(await this.runGroup(part, terms)));
    return settled;
  }

  async #send(statements: readonly Statement[], first: Statement | undefined): Promise<Batch> {
    const { clock, random } = this.#settings;
    const id = toHex(random.bytes(16));
    const now = clock.now();
    const head: Statement[] = [{ sql: 'INSERT INTO applied (id, at) VALUES (?, ?)', args: [id, now] }];
    if (now - this.#prunedAt >= prunePeriod) {
      head.push({ sql: 'DELETE FROM applied WHERE at < ?', args: [now - markerLife] });
      this.#prunedAt = now;
    }
    const batch = await this.#attempt(head, statements, first);
    // Before the first migration there is no place for a marker: the migration itself looks for the outcome.
    const unmarked = 'index' in batch && batch.index !== undefined && batch.index < 0;
    return unmarked ? this.#attempt([], statements, first) : batch;
  }

  async #attempt(
    marker: readonly Statement[],
    statements: readonly Statement[],
    first: Statement | undefined,
  ): Promise<Batch> {
    const head = first ? [...marker, first] : marker;
    const isMarked = marker.length > 0;
    const doubt = { ambiguous: false };
    try {
      const rows = await persist(
        () => this.#run([...head, ...statements], isMarked),
        this.#settings,
        isMarked ? 'marked' : 'unmarked',
        doubt,
      );
      return { rows: rows.slice(head.length) };
    } catch (fault) {
      if (!isAnswer(fault)) throw fault;
      // A text that the server cannot parse has no index.
      if (!(fault instanceof RemoteFault) || fault.index === undefined) return { index: undefined, fault };
      const index = fault.index - head.length;
      if (index < 0 && kindOfFault(fault) === 'constraint') {
        return first !== undefined && index === -1 ? { barred: true } : { rows: undefined };
      }
      if (index >= 0 && doubt.ambiguous && marker[0] && (await this.#hadArrived(marker[0]))) return { rows: undefined };
      return { index, fault };
    }
  }

  /**
   * Stores the marker of a refused batch alone, with another time. An earlier sending may still be on its way: it then
   * cannot do a change that its caller knows as refused. True when the batch had arrived before.
   */
  async #hadArrived({ args: [id, at] }: Statement): Promise<boolean> {
    const barrier = [
      { sql: 'INSERT INTO applied (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING', args: [id!, Number(at) + 1] },
      { sql: 'SELECT at FROM applied WHERE id = ?', args: [id!] },
    ];
    const [, rows] = await persist(() => this.#run(barrier, true), this.#settings, 'marked');
    return rows?.[0]?.[0] === at;
  }

  /** Without a marker in a fresh stream: one that was kept may have ended, and nobody could send the batch again. */
  async #run(statements: readonly Statement[], isMarked: boolean): Promise<Row[][]> {
    const [result] = await this.#streams.send(() => [transaction(statements)], !isMarked);
    return rowsOfTransaction(result);
  }
}

function settledOf(transactions: readonly Transaction[], rows: readonly Row[][] | undefined): Settled[] {
  let at = 0;
  return transactions.map((statements) => {
    const first = at;
    at += statements.length;
    if (!statements.some((statement) => statement.returns)) return committed;
    if (rows === undefined) return { failed: new AnswerLost() };
    return { done: true, rows: rows.slice(first, at).filter((_, index) => statements[index]!.returns) };
  });
}

/**
 * Results of a group with common statements as its last member: the failed member keeps its error, and all others are
 * undone.
 */
function settledTogether(
  transactions: readonly Transaction[],
  { index, fault }: { index: number | undefined; fault: unknown },
): Settled[] {
  const at = index === undefined ? { member: transactions.length - 1, index: 0 } : memberOf(transactions, index);
  return transactions.map((_, member) => (member === at.member ? settledBy({ index: at.index, fault }) : bound));
}

/** Member that a statement of the batch belongs to, with its index there. */
function memberOf(transactions: readonly Transaction[], index: number): { member: number; index: number } {
  let left = index;
  for (const [member, statements] of transactions.entries()) {
    if (left < statements.length) return { member, index: left };
    left -= statements.length;
  }
  return { member: transactions.length - 1, index: left };
}

function settledBy({ index = 0, fault }: { index: number | undefined; fault: unknown }): Settled {
  const message = messageOf(fault);
  return kindOfFault(fault) === 'constraint' ? { done: false, index, message } : { broken: message };
}

/** Around the member that the statement belongs to; in halves where the statement is not known. */
function partsOf(transactions: readonly Transaction[], index: number | undefined): (readonly Transaction[])[] {
  let at = Math.floor(transactions.length / 2);
  if (index === undefined) return [transactions.slice(0, at), transactions.slice(at)];
  at = memberOf(transactions, index).member;
  return [transactions.slice(0, at), transactions.slice(at, at + 1), transactions.slice(at + 1)];
}
