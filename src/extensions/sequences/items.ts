import { readableAmong } from '../../assets/access/public.ts';
import { accessOf } from '../../assets/access/public-reading.ts';
import { itemName } from '../../assets/items/contract/entities.ts';
import type { Reader } from '../../core/store/statement.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import { idsWithoutItem } from './store.ts';

/** Refuses missing items in a sequence. Unreadable ones count as missing. */
export async function expectItems(reader: Reader, call: Caller, ids: readonly string[]): Promise<void> {
  const [gone] = await idsWithoutItem(reader, { ids });
  const readable = await readableAmong(reader, await accessOf(reader, call), 'item', ids);
  const bad = gone?.id ?? ids.find((id) => !readable.has(id));
  if (bad !== undefined) throw noSuchEntity(itemName, bad);
}
