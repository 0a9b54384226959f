import { prepareMetadata } from '../../../src/assets/metadata/write.ts';
import { systemClock } from '../../../src/core/lib/clock.ts';
import type { Participant } from '../../../src/core/store/contract.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { measure } from '../commit.ts';
import { median } from '../row.ts';
import { valuesOf } from './content.ts';
import { firstItem } from './data-set.ts';

/** A way to commit. `prepare`: what it needs in the database. */
interface CommitWay {
  readonly participants: readonly Participant[];
  prepare?(): Promise<unknown>;
}

export const medianRatio = (these: readonly number[], those: readonly number[]): number =>
  median(these.map((rate, round) => rate / those[round]!));

/**
 * Commits of three changed fields of one item each, in several ways that take turns: rates of each round. Each way has
 * items of its own, so that all find theirs right.
 */
export async function compareCommits<Name extends string>(
  store: Store,
  items: number,
  ways: Readonly<Record<Name, CommitWay>>,
  rounds = 12,
  seconds = 1,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const parts = { store, clock: systemClock, settings: { maxStateBytes: 1_000_000 } };
  const names = Object.keys(ways) as Name[];
  const changed = ['b_text0', 'b_exact1', 'b_number0'];
  let turn = 0;
  const change = async (way: number) => {
    // Values that no item has: a set with fewer items than there are turns is changed each time, too.
    const values = valuesOf(items + turn, items);
    const place = (turn++ * 7919) % (items - names.length);
    const field = [values[1]!, values[8]!, values[12]!].map((value, at) => ({
      name: changed[at]!,
      value: [{ value }],
    }));
    // Neighbours are items that no other way changes.
    const id = `VX-${firstItem + place - (place % names.length) + way}`;
    const wish = { by: 'bench', document: { timespan: [{ start: '-INF', end: '+INF', field }] } };
    await store.commit(await prepareMetadata(parts, { kind: 'item', id }, [wish]), { user: 'bench' });
  };
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as unknown as Record<Name, number[]>;
  // The first rounds warm up here, too: on a slow machine they compile for seconds, beside two threads that are busy.
  for (let round = -3; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await ways[name].prepare?.();
      store.join(ways[name].participants);
      const rate = await measure(() => change(names.indexOf(name)), name, seconds);
      if (round > 0) rates[name].push(rate);
    }
  }
  return rates;
}
