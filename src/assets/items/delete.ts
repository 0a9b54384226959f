import { askEach } from '../../core/lib/maybe.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import { forgetAccess } from '../access/public.ts';
import { forgetMetadata } from '../metadata/public.ts';
import { deleteShapes, hasNoShape, loadShapesOf, type RetainedFiles } from '../shapes/public.ts';
import { leaveCollections, parentCollections } from './collections/members/store.ts';
import { itemName } from './contract/entities.ts';
import { unlockedFor } from './contract/item-locks.ts';
import { deleteItemRow, type ItemRow, itemMustExist, removeLockRow } from './contract/store.ts';
import { deletable, forgetDeletionLocks } from './deletion-locks/rules.ts';
import { itemEvent } from './events.ts';
import { leaveLibraries } from './libraries-sql.ts';
import { removeRelationsOf } from './relations/store.ts';
import type { ItemsContext } from './settings.ts';

/** Deletes items with all dependent data, in one commit. The caller has `ALL` on each. */
export async function deleteItems(
  parts: ItemsContext,
  call: Caller,
  keep: RetainedFiles,
  rows: readonly ItemRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await call.change(async () => {
    const works = await askEach(ids, (id) => deletion(parts, id));
    const guards = ids.flatMap((id) => mayGo(parts, call, id));
    // Deletes all shapes at once: two of the items may share a file.
    const shapes = await deleteShapes(parts, await loadShapesOf(parts.store, ids), keep);
    const work = together(changing(...guards), shapes, ...works);
    return { ...work, events: onceEach(work.events) };
  });
}

function mayGo({ clock }: ItemsContext, call: Caller, id: string): readonly Statement[] {
  const now = clock.now();
  return [itemMustExist(id, noSuchEntity(itemName, id)), unlockedFor(call, id, now), deletable(itemName, id, now)];
}

async function deletion({ store }: ItemsContext, id: string): Promise<CommitPlan> {
  const changed = changedMeanwhile('Item', id);
  const collections = await parentCollections(store, { type: 'item', id });
  const locks = await forgetDeletionLocks(store, 'item', id);
  const changes = [
    hasNoShape({ id }, changed),
    ...leaveCollections({ type: 'item', id }, collections, changed),
    leaveLibraries({ itemId: id }),
    deleteItemRow({ id }),
    removeLockRow({ itemId: id }),
    ...removeRelationsOf(id),
    forgetAccess('item', id),
    ...locks.changes,
    ...forgetEntity('item', id),
    ...forgetMetadata({ kind: 'item', id }),
  ];
  const events = [
    ...locks.events,
    ...collections.map((each) => itemEvent('collection/modify', each, { collectionId: each })),
    itemEvent('item/delete', id, { itemId: id }),
  ];
  const touches = [
    { kind: 'item', id, aspect: 'owner' },
    ...collections.map((each) => ({ kind: 'collection', id: each, aspect: 'members' })),
  ];
  return { changes, events, touches };
}

/** Merges events of collections that lose several members. */
function onceEach(events: CommitPlan['events']): CommitPlan['events'] {
  const modified = new Set<string>();
  return events.filter(({ name, entityId }) => {
    if (name !== 'collection/modify') return true;
    const isNew = !modified.has(entityId);
    modified.add(entityId);
    return isNew;
  });
}
