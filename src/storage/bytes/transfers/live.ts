import type { NewHasher } from '../../../core/lib/bytes.ts';
import { Recent } from '../../../core/lib/cache.ts';
import { KeyedQueue } from '../../../core/lib/turn.ts';
import { type FileHashes, newFileHasher, noHashes } from '../../files/hashes.ts';
import type { Interval } from './intervals.ts';
import { partConflict } from './rules.ts';

/** A part that arrives just now. */
interface LivePart {
  readonly interval: Interval;
  /** Ends the part: what came of it so far counts. */
  cancel(): void;
  readonly ended: Promise<void>;
  end(): void;
}

/** The hash of the first bytes of a transfer. */
export interface LiveHash {
  readonly hasher: ReturnType<typeof newFileHasher>;
  end: number;
}

const maxHashes = 1000;
const hashTime = 24 * 3_600_000;

export type LiveTransfers = ReturnType<typeof createLiveTransfers>;

/** In-memory state of transfers on this instance: parts that arrive now, and running hashes of parts in order. */
export function createLiveTransfers(newHasher: NewHasher) {
  const parts = new Map<string, Set<LivePart>>();
  const turns = new KeyedQueue();
  const hashes = new Recent<string, LiveHash>(maxHashes);

  return {
    isActive: (id: string): boolean => parts.has(id),

    /** Begins a part. Overlapping parts that arrive concurrently are refused: their write order would be undefined. */
    begin(id: string, interval: Interval, cancel: () => void): LivePart {
      const others = parts.get(id) ?? new Set();
      for (const { interval: other } of others) {
        if (interval[0] < other[1] && other[0] < interval[1]) {
          throw partConflict(id, 'Expected a part that no other one overlaps which arrives just now');
        }
      }
      let ended = () => {};
      const part: LivePart = {
        interval,
        cancel,
        ended: new Promise((resolve) => (ended = resolve)),
        end() {
          others.delete(part);
          if (others.size === 0) parts.delete(id);
          ended();
        },
      };
      parts.set(id, others.add(part));
      return part;
    },

    /** Ends the parts that arrive: a client that comes back need not wait until its broken connection is noticed. */
    async takeOver(id: string): Promise<void> {
      const active = [...(parts.get(id) ?? [])];
      for (const part of active) part.cancel();
      await Promise.all(active.map(({ ended }) => ended));
    },

    /** Parts of one transfer change its row one after the other. */
    inTurn: <T>(id: string, task: () => Promise<T>): Promise<T> => turns.take(id, task),

    /** The hash to go on with from there. Undefined: the bytes before did not come in order, or in another process. */
    hashAt(id: string, from: number, now: number): LiveHash | undefined {
      const liveHash = hashes.get(id, now);
      if (liveHash?.end === from) return liveHash;
      if (from > 0 || liveHash) return undefined;
      const hash = { hasher: newFileHasher(newHasher), end: 0 };
      hashes.set(id, hash, now + hashTime);
      return hash;
    },

    forgetHash: (id: string): void => hashes.delete(id),

    /** Hashes of the whole file, if its parts arrived in order. */
    hashesOf(id: string, size: number, now: number): FileHashes {
      const liveHash = size === 0 ? { hasher: newFileHasher(newHasher), end: 0 } : hashes.get(id, now);
      hashes.delete(id);
      return liveHash?.end === size ? liveHash.hasher.read() : noHashes;
    },
  };
}
