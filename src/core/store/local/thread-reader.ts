import type { Maybe } from '../../lib/maybe.ts';
import type { Reduced, Row, RowCount, SqlValue } from '../contract.ts';
import type { LimitedReader } from '../statement.ts';
import { checkValues } from '../values.ts';
import type { InterruptibleStatement, Statements } from './native.ts';
import { readOffThread } from './native.ts';
import { reduced } from './reduced.ts';

/**
 * Reader of a reading on its own thread: a visit to another thread would be a detour. Reads whose work grows
 * with the number of rows can be interrupted; look-ups take less than to hand them over. `expectTime` may throw.
 */
export function threadReader(cache: Statements<InterruptibleStatement>, expectTime: () => void): LimitedReader {
  /** A connection runs one statement at a time: waiting for it inside the engine would delay the interrupt. */
  let last: Promise<unknown> | undefined;

  const lookUp = (sql: string, args: readonly SqlValue[], max: RowCount): Row[] => {
    expectTime();
    checkValues(args);
    const statement = cache.get(sql);
    return max === 'one' ? statement.first(args) : statement.all(args);
  };

  function inTurn<T>(ask: () => Promise<T> | T): Promise<T> {
    const answer = last ? last.then(ask) : (async () => ask())();
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    const mine = settled.then(() => {
      if (last === mine) last = undefined;
    });
    last = mine;
    return answer;
  }

  const find = (sql: string, args: readonly SqlValue[], max: RowCount): Promise<Row[]> =>
    inTurn(() => {
      expectTime();
      checkValues(args);
      return readOffThread(cache, sql, args, max);
    });

  const settled = (sql: string, args: readonly SqlValue[], max: RowCount): Maybe<Row[]> => {
    if (last) return inTurn(() => lookUp(sql, args, max));
    try {
      return lookUp(sql, args, max);
    } catch (error) {
      return Promise.reject(error);
    }
  };

  return {
    isLimited: true,
    isReaderThread: true,
    read: (sql, args = [], max = 'all') => find(sql, args, max),
    lookups: { read: (sql, args = [], max = 'all') => settled(sql, args, max) },
    bounded: { read: (sql, args) => settled(sql, args, 'one') },
    tally: async (sql: string, args: readonly SqlValue[], how: Reduced) => reduced(await find(sql, args, 'one'), how),
    origin: cache,
  };
}
