import { isRefusal } from '../../core/lib/errors.ts';
import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type Actor, type CommitPlan, tableConcern } from '../../core/store/contract.ts';
import type { WorkKind } from '../../core/work/work-kind.ts';
import { steps } from '../../core/work/work-kind.ts';
import { noSuchGroup, noSuchUser } from '../../identity/public.ts';
import type { CoreContext } from '../../room/context.ts';
import {
  advanceBulk,
  type BulkRow,
  bulkDue,
  bulkStands,
  endBulk,
  entriesAreStill,
  entriesOfItems,
  insertEntries,
  itemsBelow,
  itemsThere,
  nextBulk,
  removeEntriesOf,
} from './bulk-sql.ts';
import { entryEvents, type Grantee, type Grantor, touched } from './entries/change.ts';
import type { EntryRequest } from './entries/rules.ts';
import { groupThere, userThere } from './entries/store.ts';

type Parts = Pick<CoreContext, 'store' | 'log'>;

/** The entry that every item gets, with the same id on each. */
export interface BulkEntry extends Grantor {
  readonly id: string;
  readonly wish: EntryRequest;
  readonly grantee: Omit<Grantee, 'guard'>;
}

/** Items per commit. */
const slice = 100;

/** Applies one slice of the oldest change. False: no change is waiting. */
export async function carryOutSlice(parts: Parts): Promise<boolean> {
  const { store, log } = parts;
  const row = await nextBulk(store, {});
  if (!row) return false;
  try {
    await store.commit(await workOf(parts, row), actorOf(row));
  } catch (error) {
    // Conflict: another instance was faster, or an item changed. The next step reads again.
    if (isChanged(error)) return true;
    // Refusals (4xx) would meet every further item too, so the change ends here.
    if (!isRefusal(error)) throw error;
    log.write('warn', 'bulk-access', { id: row.id, error: String(error) });
    await store.commit(changing(endBulk({ id: row.id })), actorOf(row));
    throw error;
  }
  return true;
}

const actorOf = ({ user, runAs, requestId }: BulkRow): Actor => ({
  user,
  ...(runAs !== null && { runAs }),
  ...(requestId !== null && { requestId }),
});

async function workOf({ store }: Parts, row: BulkRow): Promise<CommitPlan> {
  const { id, position } = row;
  const stands = bulkStands({ id, position }, changedMeanwhile('Access', String(id)));
  const items = await itemsBelow(store, { position, limit: slice });
  const last = items.at(-1);
  if (!last) return changing(stands, endBulk({ id }));
  const changed = row.entry === null ? await revoked(store, items) : granted(JSON.parse(row.entry) as BulkEntry, items);
  return { ...changed, changes: [stands, ...changed.changes, advanceBulk({ id, position: last.serial })] };
}

type Items = Awaited<ReturnType<typeof itemsBelow>>;

/** Items with the maximum number of entries stay as they are. */
function granted({ id, wish, grantee, grantorId, rooted }: BulkEntry, items: Items): CommitPlan {
  const { named, userId, groupId } = grantee;
  const those = items.filter(({ hasRoom }) => hasRoom === 1).map((item) => item.id);
  const ids = those;
  const guard =
    'user' in named
      ? userThere({ id: userId! }, noSuchUser(named.user))
      : groupThere({ id: groupId! }, noSuchGroup(named.group));
  const { permission, priority, appliesTo, reach, operation, extradata } = wish;
  const entry = {
    id,
    userId,
    groupId,
    grantorId,
    rooted,
    permission,
    priority,
    appliesTo,
    reach,
    operation,
    extradata,
  };
  return {
    changes: [
      guard,
      itemsThere({ ids, count: those.length }, changedMeanwhile('Item', those[0] ?? '')),
      insertEntries({ ...entry, ids }),
    ],
    events: those.flatMap((item) =>
      entryEvents('access/create', { type: 'item', id: item }, { ...wish, id, grantee: named }),
    ),
    touches: those.flatMap((item) => touched({ type: 'item', id: item })),
  };
}

async function revoked(store: Parts['store'], items: Items): Promise<CommitPlan> {
  const those = items.map(({ id }) => id);
  const ids = those;
  const entries = await entriesOfItems(store, { ids });
  const still = entriesAreStill({ ids, count: entries.length }, changedMeanwhile('Access', those[0]!));
  return {
    changes: [still, removeEntriesOf({ ids })],
    events: entries.flatMap(({ itemId, id, permission, user, group }) =>
      entryEvents(
        'access/delete',
        { type: 'item', id: itemId },
        { id, permission, grantee: group === null ? { user: user! } : { group } },
      ),
    ),
    touches: [...new Set(entries.map(({ itemId }) => itemId))].flatMap((id) => touched({ type: 'item', id })),
  };
}

/** Background work that completes a change after its request was interrupted. */
export const bulkAccessKind = (parts: CoreContext): WorkKind =>
  steps({
    name: 'bulk-access',
    says: 'Carries out a change of the access entries on all items, which a request began and could not end',
    priority: 55,
    clock: parts.clock,
    rest: 2000,
    due: () => bulkDue,
    wokenBy: [tableConcern('access_bulk')],
    step: () => carryOutSlice(parts),
  });
