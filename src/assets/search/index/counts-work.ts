import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { SearchContext } from '../parts.ts';
import { commitStep } from './commit-step.ts';
import {
  advanceCount,
  countStands,
  countsDue,
  fillCounts,
  forgetCount,
  hasCounts,
  keepCount,
  missingCounts,
  needlessCounts,
  nextCount,
  removeCounts,
  setCountState,
} from './counts-sql.ts';
import { fieldNumber } from './keys.ts';
import { sliceBelow } from './order-sql.ts';

/** Entities per step: those of a context share their rows. */
const batch = 2000;
/** Milliseconds until a retry after a failed step. */
const rest = 5000;

type Row = NonNullable<Awaited<ReturnType<typeof nextCount>>>;

/** Background work that begins and ends the counts of fields, as their data says. */
export function countsKind({ store, clock }: Pick<SearchContext, 'store' | 'clock'>): WorkKind {
  async function filled({ name, field, position }: Row): Promise<readonly Statement[]> {
    const [fieldSlice] = await sliceBelow(store, { field, position, limit: batch });
    const from = fieldSlice?.lowest ?? null;
    if (from === null) return [advanceCount({ name, position: 0 }), setCountState({ name, state: 'ready' })];
    return [fillCounts({ field, from, below: position }), advanceCount({ name, position: from })];
  }

  async function emptied({ name, field }: Row): Promise<readonly Statement[]> {
    const isEmpty = (await hasCounts(store, { field })).length === 0;
    return [isEmpty ? forgetCount({ name }) : removeCounts({ field, limit: batch })];
  }

  async function changes(): Promise<readonly Statement[] | undefined> {
    const row = await nextCount(store, {});
    if (row) {
      const { name, state, position } = row;
      const stands = countStands({ name, state, position }, changedMeanwhile('MetadataField', name));
      return [stands, ...(state === 'filling' ? await filled(row) : await emptied(row))];
    }
    const missing = await missingCounts(store, {});
    if (missing) return [keepCount({ name: missing.name, field: fieldNumber(missing.name) })];
    const needless = await needlessCounts(store, {});
    return needless && [setCountState({ name: needless.name, state: 'leaving' })];
  }

  return steps({
    name: 'search-counts',
    says: 'Counts the values of fields that are facets, and ends the counts of others',
    hosts: ['loop', 'edge'],
    priority: 72,
    clock,
    rest,
    due: () => countsDue,
    step: async () => commitStep(store, await changes()),
  });
}
