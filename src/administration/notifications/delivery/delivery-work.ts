import type { Clock } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import {
  type Measured,
  type Piece,
  type PieceContext,
  type WorkHost,
  type WorkKind,
  workKind,
} from '../../../core/work/work-kind.ts';
import { mailOnly } from '../mail/kinds.ts';
import {
  type Claim,
  claimLanes,
  type Head,
  headsOf,
  lanesDue,
  readyTimes,
  renewLane,
  resumeDue,
  stillMine,
  takeBackLanes,
} from '../outbox-sql.ts';
import type { Lane, LaneParts } from './lane.ts';
import { laneLost } from './record.ts';

interface HeadRequest {
  readonly lane: string;
  resolve(head: Head | undefined): void;
  reject(reason: unknown): void;
}

/**
 * Tells what is next in a lane. Lanes whose deliveries one commit has recorded continue in the same turn, and ask
 * together. One read for each lane would cost more than the rows.
 */
export function createNextHeads(store: Store, clock: Pick<Clock, 'now'>): (lane: string) => Promise<Head | undefined> {
  let asking: HeadRequest[] = [];

  async function answer(): Promise<void> {
    const batch = asking;
    asking = [];
    try {
      const rows = await headsOf(
        store,
        batch.map(({ lane }) => lane),
        clock.now(),
      );
      const heads = new Map(rows.map((head) => [head.lane, head]));
      for (const { lane, resolve } of batch) resolve(heads.get(lane));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (lane) =>
    new Promise((resolve, reject) => {
      if (asking.length === 0) queueMicrotask(answer);
      asking.push({ lane, resolve, reject });
    });
}

interface KindParts extends Pick<LaneParts, 'store' | 'clock'> {
  readonly lane: Lane;
  /** Names of the events that notifications can be made for. */
  readonly firing: readonly string[];
  /** Owner of leases, shown to other instances. */
  readonly owner: string;
  /** Number of concurrent lanes. */
  readonly concurrency: number;
  /** Milliseconds of a lease. */
  readonly lease: number;
  /** Called if a lane was lost to another instance. */
  lost(): void;
  /** Called when lanes are acquired or released. */
  held(by: number): void;
  measure(): Promise<Measured>;
}

interface LanePiece extends Piece {
  readonly claim: Claim;
  readonly head: Head | undefined;
}

const hosts: readonly WorkHost[] = ['loop', 'edge'];
/** Deliveries of one lane until other lanes have their turn. */
const maxPerTick = 100;
const maxResumed = 1_000;
/** Milliseconds after which a call counts as slow, and how many times as many lanes there may be with slow ones. */
const slow = 2_000;
const maxSlow = 10;

/** Tells receivers what happened. A piece is a lane: its events go out one after the other. */
export function deliveriesKind(parts: KindParts): WorkKind {
  const { store, clock, lane, owner, concurrency } = parts;
  const nextHead = createNextHeads(store, clock);

  async function claim(max: number, now: number): Promise<readonly LanePiece[]> {
    const ready = await readyTimes(store);
    if (ready.pause !== null && ready.pause <= now) {
      await resumeDue(store, { now, max: maxResumed }, systemActor);
      return claim(max, now);
    }
    if (ready.lane === null || ready.lane > now) return [];
    const claims = await claimLanes(store, { now, until: now + parts.lease, owner, max }, systemActor);
    const names = claims.map((each) => each.lane);
    const heads = new Map((await headsOf(store, names, now)).map((head) => [head.lane, head]));
    return claims.map((each) => ({ key: each.lane, claim: each, head: heads.get(each.lane) }));
  }

  async function deliverLane({ claim: claimed, head }: LanePiece, held: PieceContext): Promise<void> {
    let left = maxPerTick;
    const mayGoOn = () => held.mayGoOn() && left-- > 0;
    parts.held(1);
    try {
      await lane({ ...held, mayGoOn, claim: claimed, nextHead: () => nextHead(claimed.lane) }, head);
    } catch (error) {
      if (error === laneLost) parts.lost();
      throw error;
    } finally {
      parts.held(-1);
    }
  }

  return workKind<LanePiece>({
    name: 'deliveries',
    says: 'Delivers notifications',
    hosts,
    priority: 10,
    concurrency,
    slow: { after: slow, max: concurrency * maxSlow },
    wokenBy: [...parts.firing, ...mailOnly, 'notification/test', 'notification.queue'],
    lease: {
      milliseconds: parts.lease,
      renew: ({ claim: claimed }, until) => {
        const changes = [stillMine(claimed, laneLost), renewLane({ ...claimed, until })];
        return store.commit({ changes, events: [] }, systemActor);
      },
      lost: laneLost,
    },
    due: () => lanesDue,
    claim,
    do: deliverLane,
    measure: parts.measure,
    takeBack: () => takeBackLanes(store, { now: clock.now() }, systemActor),
  });
}
