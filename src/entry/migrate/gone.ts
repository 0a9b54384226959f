import type { Migration } from './carry.ts';

/** Items and collections that came over, and that the original has no more. They are deleted only on request. */
export async function carryDeletions(
  migration: Migration,
  kind: 'item' | 'collection',
  seen: ReadonlySet<string>,
): Promise<void> {
  const { original, target, journal, report, options, signal } = migration;
  for (const old of [...journal.oldIds(kind)].filter((id) => !seen.has(id))) {
    signal.throwIfAborted();
    // A list may miss an entity that is there.
    if (await original.api.find(`/${kind}/${encodeURIComponent(old)}`)) continue;
    if (!options.deletes) {
      report.remark(`Gone from the original, and still here: each ${kind}. --delete removes it`, old);
      continue;
    }
    const path = `/${kind}/${encodeURIComponent(journal.find(kind, old)!.id)}`;
    // The bytes may still be those of the original.
    const query = kind === 'item' ? '?keepShapeTagMedia=*' : '';
    if (await target.find(path)) await target.write('DELETE', `${path}${query}`);
    await journal.forget(kind, old);
    report.count(kind, 'deleted');
  }
}
