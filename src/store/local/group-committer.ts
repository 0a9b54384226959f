import { ServiceError } from '../../lib/errors.ts';
import type { Outcome, Statement } from '../contract.ts';
import { messageOf, refusalOf } from '../faults.ts';
import type { Settled } from './executor.ts';

/** Whatever can run a group of transactions as one: this thread, another one, a server. */
export interface GroupPort {
  runGroup(transactions: readonly (readonly Statement[])[]): Promise<readonly Settled[]>;
}

export interface GroupSettings {
  /** Transactions that share one disk sync at most. */
  readonly groupLimit?: number;
  /** Transactions that may wait; beyond, callers are told that the database is busy. */
  readonly queueLimit?: number;
  /** Groups on their way at once: with two, one is made ready while the other is synced. They still run in order. */
  readonly groupsAhead?: number;
  /** Runs a function soon, after the continuations of the group that has just ended: they bring the next one. */
  readonly soon?: (run: () => void) => void;
}

interface Member {
  readonly statements: readonly Statement[];
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
  #running = 0;
  #inFlight = 0;
  #planned = false;
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

  write(statements: readonly Statement[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closing) return reject(refusalOf('unavailable', 'The database is closed'));
      if (this.#queue.length >= this.#queueLimit) {
        return reject(refusalOf('busy', `More than ${this.#queueLimit} changes are waiting to be stored`));
      }
      this.#queue.push({ statements, resolve, reject });
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
    if (this.#planned || this.#running >= this.#groupsAhead) return;
    this.#planned = true;
    this.#soon(this.#send);
  }

  readonly #send = (): void => {
    this.#planned = false;
    while (this.#queue.length > 0 && this.#running < this.#groupsAhead) {
      // Shared out among the groups that may be ahead, so that both threads have something to do.
      const share = Math.max(16, Math.ceil(this.depth / this.#groupsAhead));
      const size = Math.min(share, this.#groupLimit);
      const group = this.#queue.length <= size ? this.#queue : this.#queue.slice(0, size);
      this.#queue = group === this.#queue ? [] : this.#queue.slice(size);
      void this.#run(group);
    }
  };

  async #run(group: readonly Member[]): Promise<void> {
    this.#running++;
    this.#inFlight += group.length;
    try {
      const settled = await this.#port.runGroup(group.map((member) => member.statements));
      for (let index = 0; index < group.length; index++) settle(group[index]!, settled[index]);
    } catch (error) {
      for (const member of group) settle(member, { failed: error });
    }
    this.#running--;
    this.#inFlight -= group.length;
    if (this.#queue.length > 0) this.#plan();
    else if (this.depth === 0) this.#closing?.drained();
  }
}

function settle(member: Member, settled: Settled | undefined): void {
  if (settled === undefined) member.reject(refusalOf('unavailable', 'The database gave no answer'));
  else if ('broken' in settled) member.reject(refusalOf('bad-sql', settled.broken));
  else if ('done' in settled) member.resolve(settled);
  else if (settled.failed instanceof ServiceError) member.reject(settled.failed);
  else member.reject(refusalOf('unavailable', messageOf(settled.failed)));
}
