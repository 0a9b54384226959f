import type { LimitedReader } from '../../../core/store/statement.ts';
import type { SearchPlan } from '../documents/plan.ts';
import type { HitPage } from '../find.ts';

interface Reads {
  serving: number;
  reader: number;
}

/** Reader that counts its reads by thread. */
export function countReads(reader: LimitedReader): { readonly reader: LimitedReader; readonly reads: Reads } {
  const reads: Reads = { serving: 0, reader: 0 };
  const own = reader.isReaderThread ? 'reader' : 'serving';
  // Queries of a file leave the serving thread, where there are look-ups to stay on it.
  const query = reader.lookups ? 'reader' : own;
  const counted =
    <Given extends unknown[], Result>(thread: keyof Reads, read: (...given: Given) => Result) =>
    (...given: Given): Result => {
      reads[thread]++;
      return read(...given);
    };
  const { lookups, bounded, tally } = reader;
  return {
    reads,
    reader: {
      ...reader,
      read: counted(query, (...given) => reader.read(...given)),
      ...(lookups && { lookups: { read: counted(own, (...given) => lookups.read(...given)) } }),
      ...(bounded && { bounded: { ...bounded, read: counted(own, (...given) => bounded.read(...given)) } }),
      ...(tally && { tally: counted(query, (...given) => tally(...given)) }),
    },
  };
}

/** How a page was found. The caller adds the time. */
export function explain(
  { hits, planned, search }: HitPage,
  reads: Reads,
  { isReaderThread }: LimitedReader,
): SearchPlan {
  const candidate = planned.candidates();
  const fitting = candidate.filter(({ cost }) => cost !== undefined);
  const cost = fitting.find(({ name }) => name === planned.strategy)?.cost;
  return {
    strategy: planned.strategy,
    reason: `Its cost of ${cost} is the lowest of ${fitting.length}`,
    estimatedHits: planned.estimate,
    hits,
    thread: isReaderThread ? 'reader' : 'serving',
    servingReads: reads.serving,
    readerReads: reads.reader,
    cached: search.names.index.isCached,
    candidate,
  };
}
