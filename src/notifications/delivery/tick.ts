import { nobodyWaits } from '../../lib/clock.ts';
import { describeError } from '../../lib/log.ts';
import type { Waker } from '../../lib/waker.ts';
import { systemActor } from '../../store/contract.ts';
import { claimLanes, type Head, headsOf, readyTimes, resumeDue } from '../outbox/store.ts';
import type { Lane, LaneParts } from './lane.ts';
import { keepLeases, type Leased } from './lease.ts';
import { createNextHeads } from './next-heads.ts';
import { laneLost } from './record.ts';

export interface TickParts extends Pick<LaneParts, 'store' | 'clock' | 'log'> {
  readonly lane: Lane;
  /** Told to others who look at a lane. */
  readonly owner: string;
  /** Lanes at a time. */
  readonly concurrency: number;
  /** Milliseconds. */
  readonly lease: number;
  /** Milliseconds after which it looks whether somebody else committed something. */
  readonly poll: number;
  /** A lane was lost to another instance. */
  lost(): void;
  /** Lanes came into these hands, or left them. */
  held(by: number): void;
}

export interface TickOptions {
  /** Claims nothing more after that moment, and begins no other call. */
  readonly end: number;
  /** The same, at any moment. */
  readonly stopping: AbortSignal;
  /** Ends the calls that are made, too. */
  readonly stopped: AbortSignal;
  /** Tells of what may be new; it is told of lanes that are free again. */
  readonly waker: Waker;
}

/** Deliveries of one lane until it is somebody else's turn. */
const mostInTurn = 100;
const mostResumed = 1_000;
/** Milliseconds after which a call counts as slow, and how many times as many lanes there may be with slow ones. */
const slow = 2_000;
const mostSlow = 10;

/**
 * Delivers until nothing is due, and says when to look again; undefined: not before somebody commits. Never rejects:
 * what goes wrong is logged, and whoever calls again later tries again.
 */
export async function tick(parts: TickParts, options: TickOptions): Promise<number | undefined> {
  const { clock, lease } = parts;
  const { end, stopping, stopped, waker } = options;
  const held = new Map<string, Leased>();
  const running = new Set<Promise<void>>();
  const nextHead = createNextHeads(parts.store);
  const over = new AbortController();
  const leases = keepLeases(held, parts, over.signal);
  const abandon = () => {
    for (const { stop } of held.values()) stop.abort(stopped.reason);
  };
  stopped.addEventListener('abort', abandon);
  const mayGoOn = () => !stopping.aborted && clock.now() < end;

  /** A receiver that hangs takes a hand and keeps it; the others go on with those that are left. */
  function freeHands(): number {
    if (held.size < parts.concurrency) return parts.concurrency - held.size;
    const late = clock.now() - slow;
    const quick = [...held.values()].filter(({ since }) => since > late).length;
    return Math.min(parts.concurrency - quick, parts.concurrency * mostSlow - held.size);
  }

  /** Takes what is ready into free hands. When something will be, where nothing is. */
  async function claim(): Promise<number | undefined> {
    const now = clock.now();
    const ready = await readyTimes(parts.store);
    if (ready.pause !== null && ready.pause <= now) {
      await resumeDue(parts.store, { now, most: mostResumed }, systemActor);
      return claim();
    }
    if (ready.lane === null || ready.lane > now) return earliest(ready.lane, ready.pause);
    const given = { now, until: now + lease, owner: parts.owner, most: freeHands() };
    const claims = await claimLanes(parts.store, given, systemActor);
    const leased = claims.map((each) => ({ claim: each, stop: new AbortController(), until: given.until, since: now }));
    const names = claims.map(({ lane }) => lane);
    const heads = new Map((await headsOf(parts.store, names)).map((head) => [head.lane, head]));
    for (const each of leased) start(each, heads.get(each.claim.lane));
    return now;
  }

  function start(leased: Leased, head: Head | undefined): void {
    const { claim: claimed, stop } = leased;
    if (stopped.aborted) stop.abort(stopped.reason);
    let left = mostInTurn;
    const begins = () => {
      leased.since = clock.now();
      return left-- > 0 && mayGoOn();
    };
    held.set(claimed.lane, leased);
    parts.held(1);
    const work = parts
      .lane({ claim: claimed, signal: stop.signal, mayGoOn: begins, nextHead: () => nextHead(claimed.lane) }, head)
      .catch((error: unknown) => {
        if (error === laneLost) parts.lost();
        parts.log.write('warn', 'lane-left', { lane: claimed.lane, ...describeError(error) });
      })
      .finally(() => {
        parts.held(-1);
        held.delete(claimed.lane);
        running.delete(work);
        waker.wake();
      });
    running.add(work);
  }

  /** The same where the database may be out of reach: what is held goes on meanwhile. */
  async function tryToClaim(): Promise<number | undefined> {
    try {
      return await claim();
    } catch (error) {
      parts.log.write('warn', 'delivery-halted', describeError(error));
      return clock.now() + parts.poll;
    }
  }

  let next: number | undefined;
  for (;;) {
    const { turn } = waker;
    const isFull = () => freeHands() <= 0;
    next = isFull() || !mayGoOn() ? undefined : await tryToClaim();
    const now = clock.now();
    const due = isFull() ? undefined : next;
    if (due !== undefined && due <= now && mayGoOn()) continue;
    if (held.size === 0 || !mayGoOn()) break;
    await waker.wait(turn, Math.min(due ?? Number.POSITIVE_INFINITY, now + parts.poll, end) - now);
  }
  await Promise.all(running);
  over.abort(nobodyWaits);
  await leases;
  stopped.removeEventListener('abort', abandon);
  return next;
}

function earliest(...times: readonly (number | null)[]): number | undefined {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}
