import { readableAmong } from '../../../assets/access/public.ts';
import { accessOf } from '../../../assets/access/public-reading.ts';
import { membersOfCollection } from '../../../assets/items/public.ts';
import type { Caller } from '../../../security/caller.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportMemo } from './export-job.ts';

const slice = 1000;

/** The items of an export that the caller may read, each once. Collections have those of the collections in them. */
export async function* itemsToExport(parts: ExportParts, call: Caller, memo: ExportMemo): AsyncGenerator<string, void> {
  const { store } = parts;
  if (memo.target === 'item') return yield memo.id;
  if (memo.target === 'shape') return yield memo.itemId!;
  const viewer = await accessOf(store, call);
  const seen = new Set<string>();

  async function* readable(ids: readonly string[]): AsyncGenerator<string, void> {
    const fresh = ids.filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    const allowed = await readableAmong(store, viewer, 'item', fresh);
    for (const id of fresh) if (allowed.has(id)) yield id;
  }

  if (memo.target === 'library') {
    const all = await parts.services.itemsOfLibrary(memo.id);
    for (let at = 0; at < all.length; at += slice) yield* readable(all.slice(at, at + slice));
    return;
  }
  const collections = new Set([memo.id]);
  // A set is walked in the order in which it grows.
  for (const collection of collections) {
    for await (const members of membersOfCollection(store, collection)) {
      yield* readable(members.filter(({ type }) => type === 'item').map(({ id }) => id));
      const inner = members.filter(({ type }) => type === 'collection').map(({ id }) => id);
      const allowed = await readableAmong(store, viewer, 'collection', inner);
      for (const id of inner) if (allowed.has(id)) collections.add(id);
    }
  }
}
