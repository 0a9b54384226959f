import { nextTurn } from '../../../core/lib/turn.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import { accountOf, type Caller } from '../../../security/caller.ts';
import { havingAmong } from '../../access/public.ts';
import { accessOf, type Viewer } from '../../access/public-reading.ts';
import { itemName } from '../../items/contract/entities.ts';
import { addItems } from './store.ts';

/** Items per read. */
const slice = 5000;

/** Adds items that a caller names. */
export async function itemsBy(
  { store }: { readonly store: Store },
  caller: Caller,
  id: string,
  ids: readonly string[],
): Promise<Statement[]> {
  const reader = store.reader(accountOf(caller));
  return itemsOf(reader, await accessOf(reader, caller), id, ids);
}

/**
 * Adds items to a library. Only items on which the viewer has ALL get its access entries. Otherwise callers who may
 * change a library would get rights on the items that they add.
 */
export async function itemsOf(
  reader: Reader,
  viewer: Viewer,
  id: string,
  ids: readonly string[],
): Promise<Statement[]> {
  const passing = new Set<string>();
  for (let at = 0; at < ids.length; at += slice) {
    if (at > 0) await nextTurn();
    const having = await havingAmong(reader, viewer, itemName.type, ids.slice(at, at + slice), 'ALL');
    for (const each of having) passing.add(each);
  }
  return addItems(id, ids, passing);
}
