import type { Reader } from '../../core/store/statement.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { readableAmong } from '../access/public.ts';
import { askingOf, viewerFor } from '../access/public-reading.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { displayNamesOf } from './read.ts';

/** Roles of those who read metadata of items. */
const reading = ['_item_read', '_metadata_read'];

/** Display names of items by id, as far as the caller may read items and the fields that name them. */
export async function itemNamesFor(
  reader: Reader,
  call: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const subject = subjectOf(call);
  const roles = await Promise.all(reading.map((role) => subject.has(role)));
  if (ids.length === 0 || !roles.includes(true)) return new Map();
  const viewer = await viewerFor(reader, await askingOf(call));
  const readable = await readableAmong(reader, viewer, 'item', [...new Set(ids)]);
  const owners = Array.from(readable, (id) => ({ kind: 'item', id }) as const);
  return displayNamesOf(reader, owners, await askerOf(call));
}
