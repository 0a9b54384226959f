import { retryWhenChanged } from '../../../../core/lib/retry-when-changed.ts';
import { nextTurn } from '../../../../core/lib/turn.ts';
import { badParameter } from '../../../../http/parameters/index.ts';
import { accountOf, type Caller } from '../../../../security/caller.ts';
import { mayRead, readableAmong } from '../../../access/public.ts';
import { accessOf } from '../../../access/public-reading.ts';
import { collectionNamed } from '../../contract/collection/kind.ts';
import type { CollectionRow } from '../../contract/collection/store.ts';
import { libraryName, libraryNamed } from '../../libraries/kinds.ts';
import type { ItemsContext } from '../../settings.ts';
import { arrangeMembers, metadataChange } from './change.ts';
import { keyOf, type MemberKey } from './order.ts';
import { takeSteps } from './rules.ts';

const slice = 1000;
/** Maximum memberships with metadata per commit. */
const mostDescribed = 1000;

/** Adds the current items of a library as members, as far as the caller may read them. */
export async function addItemsOf(
  parts: ItemsContext,
  call: Caller,
  { id }: CollectionRow,
  wanted: MemberKey,
  pairs: readonly string[],
): Promise<void> {
  const { store, settings, services } = parts;
  const library = await libraryNamed(store, wanted.id);
  await mayRead(store, call, libraryName, library, wanted.id);
  const { set } = metadataChange(pairs);
  const all = await services.itemsOfLibrary(library.id);
  const viewer = await accessOf(store, call);
  const items: MemberKey[] = [];
  for (let at = 0; at < all.length; at += slice) {
    const ids = all.slice(at, at + slice);
    const readable = await readableAmong(store.reader(accountOf(call)), viewer, 'item', ids);
    items.push(...ids.filter((id) => readable.has(id)).map((id) => ({ type: 'item', id })));
    await nextTurn();
  }
  if (set.length > 0 && items.length > mostDescribed) {
    throw badParameter('metadata', `Expected none with more than ${mostDescribed} items`, pairs[0]!);
  }
  const described = { pairs: set, mostBytes: settings.maxMetadataBytes };
  const metadata = new Map(set.length > 0 ? items.map((item) => [keyOf(item), described]) : []);
  const steps = items.map((item) => ({ ...item, mode: 'add' as const }));
  await retryWhenChanged(async () => {
    const row = await collectionNamed(store, id);
    const work = await arrangeMembers(parts, call, row, (order) => takeSteps(order, steps), metadata);
    if (work) await call.commit(work);
  });
}
