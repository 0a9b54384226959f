import { ServiceError } from '../../lib/errors.ts';
import type { Committing, GroupWork, Outcome, Share, Statement } from '../contract.ts';
import { messageOf, refusalError, refusalOf } from '../faults.ts';
import type { GroupTerms, Settled } from './executor.ts';

/** Runs a group of transactions as one: this thread, another one, or a server. */
export interface GroupPort {
  runGroup(transactions: readonly (readonly Statement[])[], terms: GroupTerms): Promise<readonly Settled[]>;
}

export interface GroupSettings {
  /** Transactions that share one disk sync at most. */
  readonly groupLimit?: number;
  /** Limit of waiting transactions. Beyond it callers get `busy`. */
  readonly queueLimit?: number;
  /**
   * Groups on their way at once: with two, one is made ready while the other is synced. They run in the order in which
   * they are ready: one that has no work passes one whose work is still made.
   */
  readonly groupsAhead?: number;
  /** Runs a function soon, after the continuations of the group that has just ended: they bring the next one. */
  readonly soon?: (run: () => void) => void;
}

/**
 * Fewer transactions wait for the group under way. Each group has a message, a lock, a sync and a wake-up: shared by so
 * few, they cost more than it gains to make a group ready meanwhile.
 */
const worthOwnGroup = 64;

/**
 * Size limit for groups with common statements. Building them takes the main thread as long as writing them, so groups
 * are smaller and twice as many: neither side waits.
 */
const worthOwnWork = 16;

interface Member {
  readonly statements: readonly Statement[];
  readonly share: Share | undefined;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

/**
 * Collects the transactions that arrive while a group runs, and sends them as the next group.
 * No timer: a lone transaction does not wait for company.
 */
export class GroupCommitter {
  readonly #port: GroupPort;
  readonly #groupLimit: number;
  readonly #queueLimit: number;
  readonly #groupsAhead: number;
  readonly #soon: (run: () => void) => void;
  #queue: Member[] = [];
  /** Number of queued members with common statements. */
  #sharing = 0;
  #running = 0;
  #inFlight = 0;
  /** Common statements of the groups so far. */
  #work: Promise<unknown> = Promise.resolve();
  #planned = false;
  #guard: Statement | undefined;
  #closing: { promise: Promise<void>; drained: () => void } | undefined;

  constructor(port: GroupPort, settings: GroupSettings = {}) {
    this.#port = port;
    this.#groupLimit = settings.groupLimit ?? 256;
    this.#queueLimit = settings.queueLimit ?? 10_000;
    this.#groupsAhead = settings.groupsAhead ?? 1;
    // Wrapped, because workerd refuses its own functions when they are called as a method of something else.
    this.#soon = settings.soon ?? ((run) => queueMicrotask(run));
  }

  /** Transactions that wait or run. */
  get depth(): number {
    return this.#queue.length + this.#inFlight;
  }

  /** Each group begins with it from now on. */
  guard(statement: Statement | undefined): void {
    this.#guard = statement;
  }

  write(statements: readonly Statement[], share?: Share): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closing) return reject(refusalOf('unavailable', 'The database is closed'));
      if (this.#queue.length >= this.#queueLimit) {
        return reject(refusalOf('busy', `More than ${this.#queueLimit} changes are waiting to be stored`));
      }
      this.#queue.push({ statements, share, resolve, reject });
      if (share) this.#sharing++;
      this.#plan();
    });
  }

  /** Resolves when everything that was accepted is settled. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      let drained = () => {};
      const promise = new Promise<void>((resolve) => {
        drained = resolve;
      });
      this.#closing = { promise, drained };
      if (this.depth === 0) drained();
    }
    return this.#closing.promise;
  }

  #plan(): void {
    if (this.#planned || !this.#maySend()) return;
    this.#planned = true;
    this.#soon(this.#send);
  }

  readonly #send = (): void => {
    this.#planned = false;
    while (this.#maySend()) {
      // Shared out among the groups that may be ahead, so that both threads have something to do.
      const { worth, ahead } = this.#pace();
      const share = Math.max(worth, Math.ceil(this.depth / ahead));
      const size = Math.min(share, this.#groupLimit);
      const group = this.#queue.length <= size ? this.#queue : this.#queue.slice(0, size);
      this.#queue = group === this.#queue ? [] : this.#queue.slice(size);
      for (const { share } of group) if (share) this.#sharing--;
      void this.#run(group);
    }
  };

  #maySend(): boolean {
    if (this.#running === 0) return this.#queue.length > 0;
    const { worth, ahead } = this.#pace();
    return this.#running < ahead && this.#queue.length >= worth;
  }

  /** Group size that is worth a commit, and limit of groups in flight. */
  #pace(): { readonly worth: number; readonly ahead: number } {
    const ahead = this.#groupsAhead;
    if (ahead === 1 || this.#sharing === 0) return { worth: worthOwnGroup, ahead };
    return { worth: worthOwnWork, ahead: ahead * 2 };
  }

  async #run(group: readonly Member[]): Promise<void> {
    this.#running++;
    this.#inFlight += group.length;
    await (group.some(hasShare) ? this.#together(group) : this.#each(group));
    this.#running--;
    this.#inFlight -= group.length;
    if (this.#queue.length > 0) this.#plan();
    else if (this.depth === 0) this.#closing?.drained();
  }

  async #each(group: readonly Member[]): Promise<void> {
    try {
      const settled = await this.#port.runGroup(group.map(statementsOf), { first: this.#guard });
      for (let index = 0; index < group.length; index++) this.#settle(group[index]!, settled[index]);
    } catch (error) {
      for (const member of group) this.#settle(member, { failed: error });
    }
  }

  /**
   * With the work of the group behind its members. When a member breaks, the others are tried again with work that is
   * computed again; when the work breaks, each member is tried alone.
   */
  async #together(group: readonly Member[]): Promise<void> {
    let settled: readonly Settled[];
    try {
      const work = await this.#workOf(group);
      const terms = { first: this.#guard, bound: true };
      settled = await this.#port.runGroup([...group.map(statementsOf), work], terms);
    } catch (error) {
      if (group.length > 1) return this.#singly(group);
      return this.#settle(group[0]!, { failed: error });
    }
    const again: Member[] = [];
    for (const [index, member] of group.entries()) {
      const one = settled[index];
      if (one && 'undone' in one && one.undone === 'bound') again.push(member);
      else this.#settle(member, one);
    }
    if (again.length === 0) return;
    if (again.length < group.length) return this.#together(again);
    if (group.length > 1) return this.#singly(group);
    const last = settled.at(-1)!;
    const explanation = 'message' in last ? last.message : 'broken' in last ? last.broken : 'it was undone';
    this.#settle(group[0]!, { broken: `The work of a group broke: ${explanation}` });
  }

  /**
   * Builds the common statements of one group after the other. In parallel all would be ready at once, and the writer
   * would wait.
   */
  #workOf(group: readonly Member[]): Promise<readonly Statement[]> {
    const work = this.#work.then(() => workOf(group));
    this.#work = work.catch(() => {});
    return work;
  }

  async #singly(group: readonly Member[]): Promise<void> {
    for (const member of group) await this.#together([member]);
  }

  #settle(member: Member, settled: Settled | undefined): void {
    if (settled === undefined) member.reject(refusalOf('unavailable', 'The database gave no answer'));
    else if ('undone' in settled)
      member.reject(refusalError(this.#guard?.refusal) ?? refusalOf('unavailable', 'The database refuses changes'));
    else if ('broken' in settled) member.reject(refusalOf('bad-sql', settled.broken));
    else if ('done' in settled) member.resolve(settled);
    else if (settled.failed instanceof ServiceError) member.reject(settled.failed);
    else member.reject(refusalOf('unavailable', messageOf(settled.failed)));
  }
}

const statementsOf = ({ statements }: Member) => statements;
const hasShare = ({ share }: Member) => share !== undefined;

/** The statements that the members of a group need once. */
async function workOf(group: readonly Member[]): Promise<readonly Statement[]> {
  const byWork = new Map<GroupWork, Committing[]>();
  for (const { share } of group) {
    for (const work of share?.works ?? []) {
      const commits = byWork.get(work);
      if (commits) commits.push(share!.commit);
      else byWork.set(work, [share!.commit]);
    }
  }
  const parts = await Promise.all(Array.from(byWork, async ([work, commits]) => work(commits)));
  return parts.flat();
}
