import type { Maybe } from '../../lib/maybe.ts';
import type { Row, RowCount, Value } from '../contract.ts';
import type { LimitedReader } from '../statement.ts';
import { checkValues } from '../values.ts';
import type { StatementCache } from './native.ts';
import { reduced } from './reduced.ts';

/** What a reading reads by on the thread that does it: a visit to another thread would be a detour. `expectTime` may throw. */
export function threadReader(cache: StatementCache, expectTime: () => void): LimitedReader {
  const rows = (sql: string, args: readonly Value[], most: RowCount): Row[] => {
    expectTime();
    checkValues(args);
    const statement = cache.get(sql);
    return most === 'one' ? statement.first(args) : statement.all(args);
  };
  const settled = (read: () => Row[]): Maybe<Row[]> => {
    try {
      return read();
    } catch (error) {
      return Promise.reject(error);
    }
  };
  const read = (sql: string, args: readonly Value[] = [], most: RowCount = 'all') =>
    settled(() => rows(sql, args, most));
  return {
    isLimited: true,
    read,
    lookups: { read },
    bounded: { read: (sql, args) => read(sql, args, 'one') },
    tally: (sql, args, how) => settled(() => reduced(rows(sql, args, 'one'), how)),
    origin: cache,
  };
}
