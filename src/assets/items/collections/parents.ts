import type { Reader } from '../../../core/store/statement.ts';
import type { Page } from '../../../http/parameters/index.ts';
import type { MemberKey } from './members/order.ts';
import { collectionsWith } from './members/store.ts';

/** All collections that contain an entity. */
export const parentCollections = (reader: Reader, member: MemberKey): Promise<readonly string[]> =>
  parentsPage(reader, member, { offset: 0, limit: -1 });

export async function parentsPage(
  reader: Reader,
  { type, id }: MemberKey,
  { offset, limit }: Page,
): Promise<readonly string[]> {
  return (await collectionsWith(reader, { type, id, offset, limit })).map((row) => row.id);
}
