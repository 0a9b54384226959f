import { expect, it } from 'vitest';
import { createNextHeads } from '../../../../src/administration/notifications/delivery/delivery-work.ts';
import type { Store } from '../../../../src/core/store/store.ts';

it('a read that fails fails for all that asked with it, and the next one is made again', async () => {
  const reads: unknown[] = [];
  const broken = new Error('Expected the database');
  const store = {
    read: (_sql: string, args: readonly unknown[]) => {
      reads.push(args);
      return reads.length === 1 ? Promise.reject(broken) : Promise.resolve([]);
    },
  } as unknown as Store;
  const nextHead = createNextHeads(store, { now: () => 7 });
  const asked = await Promise.allSettled([nextHead('a'), nextHead('b')]);
  expect(asked).toEqual([
    { status: 'rejected', reason: broken },
    { status: 'rejected', reason: broken },
  ]);
  expect(await nextHead('a')).toBeUndefined();
  expect(reads).toEqual([
    ['["a","b"]', 7],
    ['["a"]', 7],
  ]);
});
