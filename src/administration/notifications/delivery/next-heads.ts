import type { Store } from '../../../core/store/store.ts';
import { type Head, headsOf } from '../outbox/store.ts';

interface HeadRequest {
  readonly lane: string;
  resolve(head: Head | undefined): void;
  reject(reason: unknown): void;
}

/**
 * Tells what is next in a lane. Lanes whose deliveries one commit has recorded continue in the same turn, and ask
 * together. One read for each lane would cost more than the rows.
 */
export function createNextHeads(store: Store): (lane: string) => Promise<Head | undefined> {
  let asking: HeadRequest[] = [];

  async function answer(): Promise<void> {
    const batch = asking;
    asking = [];
    try {
      const rows = await headsOf(
        store,
        batch.map(({ lane }) => lane),
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
