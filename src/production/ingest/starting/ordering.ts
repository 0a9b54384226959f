import { beginJob, type JobCaller, type StartedJob } from '../../../room/jobs/contract.ts';
import type { IngestParts } from '../parts.ts';
import { callerMayHave, filesNamedBy } from '../sources/foreign.ts';
import { type ImportType, type ImportWish, newImport } from '../steps/import-job.ts';

/** Prepares an import that a caller orders. Known files at its addresses are files that the caller may have. */
export async function beginImport(
  parts: IngestParts,
  caller: JobCaller,
  type: ImportType,
  wish: ImportWish & { readonly itemId: string },
): Promise<StartedJob> {
  const mayHave = callerMayHave(parts, caller);
  for (const named of [wish.uri ?? [], wish.sidecars ?? []].flat()) {
    for (const id of await filesNamedBy(parts.store, named)) await mayHave(id);
  }
  return beginJob(parts, caller, newImport(type, wish));
}
