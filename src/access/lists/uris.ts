import type { Caller } from '../../security/caller.ts';
import type { Reader } from '../../store/statement.ts';
import { readableAmong } from '../access.ts';
import type { Guarded } from '../levels.ts';
import { accessOf } from '../viewer.ts';

/** Entities of a page that the caller may read, in the order of the page. */
export async function readableIds(
  reader: Reader,
  call: Caller,
  kind: Guarded,
  ids: readonly string[],
): Promise<readonly string[]> {
  const readable = await readableAmong(reader, await accessOf(reader, call), kind, ids);
  return ids.filter((id) => readable.has(id));
}
