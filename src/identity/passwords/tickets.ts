import { Recent } from '../../core/lib/cache.ts';

/** Limit of tickets, enough for a flood of 10,000 refusals a second within the longest wait of a first try. */
const maxTickets = 50_000;
const maxBlocks = 20_000;
const keptFor = 15 * 60_000;
const maxWait = 15 * 60_000;
/** Delay after the first failure. Each further failure multiplies it by four. */
const waitAfterFailure = 5_000;
/** Interval between attempts for one account from one address block, because whole blocks are cheap to rent. */
const blockPause = 5_000;

/** Due time of a ticket whose attempt is in progress. */
const spent = Number.POSITIVE_INFINITY;

interface TicketRequest {
  readonly pair: string;
  readonly account: string;
  readonly block: string;
  /** Number of failures of the account from the network. */
  readonly failures: number;
  /** Milliseconds that the account is still paused. */
  readonly wait: number;
  readonly now: number;
  /** False where the attempt is refused anyway: then the ticket is kept. */
  readonly redeem: boolean;
}

/**
 * While strangers guess at an account, its pause has no end. So a refused network gets a ticket: when it comes back
 * after the time that it was told, it is let through once. A network that failed there waits longer for its ticket.
 */
export class Tickets {
  readonly #due = new Recent<string, number>(maxTickets);
  readonly #blockUntil = new Recent<string, number>(maxBlocks);

  /** Milliseconds until the network should come back; 0: it may go on now. */
  wait({ pair, account, block, failures, wait, now, redeem }: TicketRequest): number {
    const due = this.#due.get(pair, now);
    if (due === undefined) {
      const delay = failures === 0 ? wait : Math.min(maxWait, waitAfterFailure * 4 ** Math.min(failures, 10));
      this.#due.set(pair, now + delay, now + delay + keptFor);
      return wait;
    }
    if (now < due) return failures === 0 && due !== spent ? due - now : wait;
    const place = `${block} ${account}`;
    const blocked = (this.#blockUntil.get(place, now) ?? now) - now;
    if (blocked > 0 || !redeem) return Math.max(blocked, 1);
    this.#due.set(pair, spent, now + keptFor);
    this.#blockUntil.set(place, now + blockPause, now + blockPause);
    return 0;
  }

  /** Whether the attempt in progress was let through by its ticket. */
  isSpent(pair: string, now: number): boolean {
    return this.#due.get(pair, now) === spent;
  }

  /** The attempt is over. One that found the service busy may come back with its ticket. */
  settle(pair: string, now: number, busy: boolean): void {
    if (this.#due.get(pair, now) !== spent) return;
    if (busy) this.#due.set(pair, now, now + keptFor);
    else this.#due.delete(pair);
  }
}
