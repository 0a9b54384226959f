import type { Pairs } from '../../events/payloads.ts';
import type { Call } from '../../http/call.ts';
import { type Beginning, beginJob } from '../../jobs/contract.ts';
import type { JobQuery } from '../../jobs/parameters.ts';
import type { IngestParts } from '../parts.ts';
import { callerMayHave, filesNamedBy } from '../sources/foreign.ts';
import { shownAddress } from '../sources/source.ts';
import { type ImportWish, memoFrom } from '../steps/wanted.ts';

export type ImportType =
  | 'PLACEHOLDER_IMPORT'
  | 'RAW_IMPORT'
  | 'AUTO_IMPORT'
  | 'SHAPE_IMPORT'
  | 'ESSENCE_VERSION'
  | 'SIDECAR_IMPORT';

/** Public data of an import job. */
export function dataOf({ itemId, uri, fileId, filename, others }: ImportWish): Pairs {
  const tags = typeof others?.['tags'] === 'string' ? others['tags'].split(',') : [];
  const pairs: readonly (readonly [string, string | undefined])[] = [
    // Clients read either key. Events derive both by themselves.
    ['item', itemId],
    ['itemId', itemId],
    ['uri', uri === undefined ? undefined : shownAddress(uri)],
    ['fileId', fileId],
    ['originalFilename', filename],
    ...tags.map((tag) => ['tags', tag] as const),
  ];
  return pairs.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
}

/** Prepares an import that a caller orders. Known files at its addresses are files that the caller may have. */
export async function beginImport(
  parts: IngestParts,
  call: Call<JobQuery>,
  type: ImportType,
  wish: ImportWish,
): Promise<Beginning> {
  const mayHave = callerMayHave(parts, call);
  for (const named of [wish.uri ?? [], wish.sidecars ?? []].flat()) {
    for (const id of await filesNamedBy(parts.store, named)) await mayHave(id);
  }
  return beginJob(parts, call, { type, data: dataOf(wish), memo: memoFrom(wish) });
}
