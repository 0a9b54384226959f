import { readableAmong } from '../../../assets/access/public.ts';
import { accessOf, type Viewer, viewerOfGroup, viewerOfUser } from '../../../assets/access/public-reading.ts';
import { libraryItemsHook } from '../../../assets/items/public.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import type { Caller } from '../../../security/caller.ts';
import type { ExportParts } from '../parts.ts';
import type { ListMemo } from './list-job.ts';
import { itemsBehind } from './store.ts';

/** Viewers of whom a list is, by the names of the order. */
export async function viewersOf(
  reader: Reader,
  { user, group }: { readonly user?: string | undefined; readonly group?: string | undefined },
): Promise<readonly Viewer[]> {
  const viewers: Viewer[] = [];
  for (const [noun, name, find] of [
    ['User', user, viewerOfUser],
    ['Group', group, viewerOfGroup],
  ] as const) {
    if (name === undefined) continue;
    const viewer = await find(reader, name);
    if (!viewer) throw noSuchEntity({ noun }, name);
    viewers.push(viewer);
  }
  return viewers;
}

/** Items that are read at once. */
const slice = 100;

/** The ids of a list in slices: what the caller may read, and whom else the list is about. */
export async function* listedItems(
  parts: ExportParts,
  call: Caller,
  { libraryId: library, user, group }: ListMemo,
): AsyncGenerator<readonly string[], void> {
  const { store } = parts;
  const viewer = await accessOf(store, call);
  const others = await viewersOf(store, { user, group });
  const readable = async (ids: readonly string[], by: readonly Viewer[]): Promise<readonly string[]> => {
    let left = ids;
    for (const each of by) {
      const readableIds = await readableAmong(store, each, 'item', left);
      left = left.filter((id) => readableIds.has(id));
    }
    return left;
  };
  if (library !== undefined) {
    const all = await parts.hooks.need(libraryItemsHook)(library);
    for (let at = 0; at < all.length; at += slice) {
      yield await readable(all.slice(at, at + slice), [viewer, ...others]);
      await yieldTurn();
    }
    return;
  }
  for (let after = -1; ; ) {
    const rows = await itemsBehind(store, viewer, after, slice);
    yield await readable(
      rows.map(({ id }) => id),
      others,
    );
    if (rows.length < slice) return;
    after = rows.at(-1)!.serial;
    await yieldTurn();
  }
}
