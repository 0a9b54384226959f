import type { LimitedReader } from '../../../core/store/statement.ts';
import { boundsFor } from '../../../room/entities/search/bounds.ts';
import type { MediaParts } from '../../parts.ts';
import { findFiles } from '../list/find.ts';
import { usageIn } from '../list/scope/scope.ts';
import { type FileSearch, fileSearchFrom } from './rules.ts';

/** A page of files that fit, with the plans of lists: they look at few rows. */
export async function findFilesBy(
  { store, settings }: Pick<MediaParts, 'store' | 'settings'>,
  reader: LimitedReader,
  document: FileSearch,
  { counts, ...page }: { readonly offset: number; readonly limit: number; readonly counts: boolean },
) {
  const bounds = boundsFor(store.kind, settings);
  const { query, storages } = fileSearchFrom(document, bounds.pattern);
  return findFiles({
    reader,
    kind: store.kind,
    bounds,
    usage: await usageIn(reader, { storage: undefined, storages, groups: undefined, importables: false }),
    query,
    slice: { after: undefined, ...page },
    counts,
  });
}
