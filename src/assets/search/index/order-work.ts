import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { SearchContext } from '../parts.ts';
import { commitStep } from './commit-step.ts';
import { fieldNumber } from './keys.ts';
import {
  advanceOrder,
  endFilling,
  fillSlice,
  forgetOrder,
  hasPlaces,
  keepOrder,
  leaveOrder,
  missingOrders,
  needlessOrders,
  nextOrder,
  orderStands,
  ordersDue,
  removeSlice,
  sliceBelow,
  tellSeveral,
} from './order-sql.ts';

/** Entities per step: each has two rows, mostly on separate pages. */
const batch = 500;
/** Milliseconds until a retry after a failed step. */
const rest = 5000;

type Row = NonNullable<Awaited<ReturnType<typeof nextOrder>>>;

/** Background work that builds and deletes orders, as the `sortable` property of fields requires. */
export function orderKind({ store, clock }: Pick<SearchContext, 'store' | 'clock'>): WorkKind {
  async function filled({ name, field, position }: Row): Promise<readonly Statement[]> {
    const [fieldSlice] = await sliceBelow(store, { field, position, limit: batch });
    const from = fieldSlice?.lowest ?? null;
    if (from === null) return [endFilling({ name })];
    const slice = { field, from, below: position };
    return [fillSlice(slice), tellSeveral(slice), advanceOrder({ name, position: from })];
  }

  async function emptied({ name, field }: Row): Promise<readonly Statement[]> {
    const isEmpty = (await hasPlaces(store, { field })).length === 0;
    return [isEmpty ? forgetOrder({ name }) : removeSlice({ field, limit: 2 * batch })];
  }

  async function changes(): Promise<readonly Statement[] | undefined> {
    const row = await nextOrder(store, {});
    if (row) {
      const { name, state, position } = row;
      const stands = orderStands({ name, state, position }, changedMeanwhile('MetadataField', name));
      return [stands, ...(state === 'filling' ? await filled(row) : await emptied(row))];
    }
    const [missing] = await missingOrders(store, {});
    if (missing) return [keepOrder({ name: missing.name, field: fieldNumber(missing.name) })];
    const [needless] = await needlessOrders(store, {});
    return needless && [leaveOrder({ name: needless.name })];
  }

  return steps({
    name: 'search-order',
    says: 'Updates the sort order of sortable fields',
    hosts: ['loop', 'edge'],
    priority: 71,
    clock,
    rest,
    due: () => ordersDue,
    step: async () => commitStep(store, await changes()),
  });
}
