/** Milliseconds on a reader after which a query is long. */
const quantum = 50;

/** Time that others have to have taken for each millisecond that an account lost. */
const factor = 2;

/** An interrupted query is about to leave its reader to another account, and waits again then. A late one has no caller. */
type State = 'waiting' | 'running' | 'interrupted' | 'late';

/** A query, as far as its order among others goes. */
export interface Scheduled {
  readonly caller: string;
  /** True: no interrupt reaches the query. */
  readonly isSteady: boolean;
  state: State;
  /** Time of the last start. */
  began: number;
  /** Milliseconds of runs that were interrupted. Undefined: there were none. */
  lost?: number;
}

/** Unfinished queries of one caller. */
interface Account<Q> {
  readonly waiting: Q[];
  all: number;
  /** Late queries count. */
  running: number;
  /** Milliseconds that its unfinished queries lost when they were interrupted. */
  lost: number;
  /** Number of the last start among those of all accounts. */
  started: number;
}

/**
 * Order in which queries get readers. An account uses half of the readers at most. The account goes first that has the
 * fewest running queries, then the one whose last start is longest ago.
 *
 * An account without a running query does not wait for long ones of others: one of those is interrupted. Long queries
 * keep half of the readers, so that they end however many short ones come. An account that lost time by that takes a
 * reader only from others that have taken twice as much: the runs of a query grow until one is long enough.
 */
export class QueryShares<Q extends Scheduled> {
  readonly #readers: number;
  readonly #accounts = new Map<string, Account<Q>>();
  readonly #onReaders = new Set<Q>();
  #waiting = 0;
  #starts = 0;

  constructor(readers: number) {
    this.#readers = readers;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Waiting queries that have to wait for others to end. */
  get queued(): number {
    return this.#waiting - Math.min(this.startable, this.#readers - this.#onReaders.size);
  }

  get onReaders(): ReadonlySet<Q> {
    return this.#onReaders;
  }

  /** Waiting queries that would begin if there were readers for all. */
  get startable(): number {
    if (this.#waiting === 0) return 0;
    let startable = 0;
    for (const { waiting, running } of this.#accounts.values()) {
      startable += Math.max(0, Math.min(waiting.length, this.share - running));
    }
    return startable;
  }

  /** True if there is a reader for a query of the caller, though it may have to begin first. */
  isFreeFor(caller: string): boolean {
    if (this.#onReaders.size + this.startable >= this.#readers) return false;
    const account = this.#accounts.get(caller);
    return !account || account.running + account.waiting.length < this.share;
  }

  /** True if a query of the caller would begin as soon as a long one is interrupted. */
  mayInterrupt(caller: string, now: number): boolean {
    const { running, lost } = this.#accounts.get(caller) ?? { running: 0, lost: 0 };
    return running === 0 && this.#victimFor(lost, now) !== undefined;
  }

  /** Running queries that one account may have. */
  get share(): number {
    return Math.max(1, Math.floor(this.#readers / 2));
  }

  countOf(caller: string): number {
    return this.#accounts.get(caller)?.all ?? 0;
  }

  /** Newest query of the account with the most waiting ones. Undefined: with one more, that account is the caller. */
  newestOfMost(caller: string): Q | undefined {
    let max: Account<Q> | undefined;
    let length = 1 + (this.#accounts.get(caller)?.waiting.length ?? 0);
    for (const account of this.#accounts.values()) {
      if (account.waiting.length <= length) continue;
      max = account;
      length = account.waiting.length;
    }
    return max?.waiting.at(-1);
  }

  add(query: Q): void {
    let account = this.#accounts.get(query.caller);
    if (!account) {
      account = { waiting: [], all: 0, running: 0, lost: 0, started: 0 };
      this.#accounts.set(query.caller, account);
    }
    account.all++;
    account.waiting.push(query);
    this.#waiting++;
  }

  /** Takes the next query, for a reader that is idle. */
  start(now: number): Q | undefined {
    if (this.#waiting === 0) return undefined;
    let first: Account<Q> | undefined;
    for (const account of this.#accounts.values()) {
      if (account.waiting.length === 0 || account.running >= this.share) continue;
      if (!first || isBefore(account, first)) first = account;
    }
    const query = first?.waiting.shift();
    if (!first || !query) return undefined;
    first.started = ++this.#starts;
    first.running++;
    this.#waiting--;
    this.#onReaders.add(query);
    query.state = 'running';
    query.began = now;
    return query;
  }

  /** Accounts that wait while no reader is idle and have none, less the readers that are about to be idle. */
  get missing(): number {
    if (this.#waiting === 0) return 0;
    let missing = 0;
    for (const account of this.#accounts.values()) if (hasNone(account)) missing++;
    if (missing === 0) return 0;
    for (const { state } of this.#onReaders) if (state !== 'running') missing--;
    return missing;
  }

  /**
   * Long query that is interrupted next: of the account whose running queries have taken the most time, that one which
   * began last. So few queries lose what they did.
   */
  victim(now: number): Q | undefined {
    return this.#victimFor(this.#leastLost(), now);
  }

  /** Milliseconds until a running query may be a victim. Undefined: none will be. */
  untilVictim(now: number): number | undefined {
    const times = this.#timesOf(this.#interruptible(), now);
    if (times.size === 0) return undefined;
    return Math.max(1, Math.min(quantum, quantum + factor * this.#leastLost() - Math.max(...times.values())));
  }

  #victimFor(lost: number, now: number): Q | undefined {
    const running = this.#interruptible();
    const long = running.filter((query) => query.lost !== undefined || now - query.began >= quantum);
    if (long.length <= Math.floor(this.#onReaders.size / 2)) return undefined;
    const times = this.#timesOf(running, now);
    const victim = long.reduce((worst, query) => {
      const more = times.get(query.caller)! - times.get(worst.caller)!;
      return more > 0 || (more === 0 && query.began > worst.began) ? query : worst;
    });
    return times.get(victim.caller)! >= quantum + factor * lost ? victim : undefined;
  }

  /** Milliseconds that the running queries of each account have taken, lost runs included. */
  #timesOf(running: readonly Q[], now: number): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const { caller, began, lost = 0 } of running) times.set(caller, (times.get(caller) ?? 0) + lost + now - began);
    return times;
  }

  /** Least time that a waiting account without a reader has lost. */
  #leastLost(): number {
    return Math.min(...[...this.#accounts.values()].filter(hasNone).map(({ lost }) => lost));
  }

  interrupt(query: Q, now: number): void {
    const account = this.#accounts.get(query.caller)!;
    query.lost = (query.lost ?? 0) + now - query.began;
    account.lost += now - query.began;
    account.running--;
    query.state = 'interrupted';
  }

  /** Makes an interrupted query, which has left its reader, the first of its account that waits. */
  putBack(query: Q): void {
    this.#onReaders.delete(query);
    this.#accounts.get(query.caller)!.waiting.unshift(query);
    this.#waiting++;
    query.state = 'waiting';
  }

  /** Marks a query on a reader as one without a caller. */
  giveUp(query: Q): void {
    if (query.state === 'interrupted') this.#accounts.get(query.caller)!.running++;
    query.state = 'late';
  }

  /** Forgets a query that waited, or that has left its reader. */
  remove(query: Q): void {
    const account = this.#accounts.get(query.caller)!;
    if (query.state === 'waiting') {
      account.waiting.splice(account.waiting.lastIndexOf(query), 1);
      this.#waiting--;
    } else {
      this.#onReaders.delete(query);
      if (query.state !== 'interrupted') account.running--;
    }
    account.lost -= query.lost ?? 0;
    if (--account.all === 0) this.#accounts.delete(query.caller);
  }

  #interruptible(): readonly Q[] {
    return [...this.#onReaders].filter(({ state, isSteady }) => state === 'running' && !isSteady);
  }
}

const hasNone = ({ waiting, running }: Account<unknown>): boolean => waiting.length > 0 && running === 0;

const isBefore = (one: Account<unknown>, other: Account<unknown>): boolean =>
  one.running === other.running ? one.started < other.started : one.running < other.running;
