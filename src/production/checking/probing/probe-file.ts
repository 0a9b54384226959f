import { Recent } from '../../../core/lib/cache.ts';
import type { Store } from '../../../core/store/store.ts';
import { JobFails, JobWaits, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { ProbeResult } from '../../../spi/index.ts';
import { fileOfJob, jobError, storageRefusal } from '../../../storage/public.ts';
import type { FileRow } from '../../../storage/public-reading.ts';
import type { CheckParts } from '../parts.ts';
import { runnersHook } from '../runners.ts';
import { mediaKindOf } from './faults.ts';
import { mediaSourceOf } from './source.ts';

export interface ProbedFile {
  readonly row: FileRow;
  readonly size: number;
  readonly probe: ProbeResult;
}

/** Probes of late: a step that decides anew need not read the file again. */
const rememberFor = 60_000;
const remembered = new WeakMap<Store, Recent<string, Omit<ProbedFile, 'row'>>>();

function memoryOf(store: Store): Recent<string, Omit<ProbedFile, 'row'>> {
  const memory = remembered.get(store) ?? new Recent<string, Omit<ProbedFile, 'row'>>(100);
  remembered.set(store, memory);
  return memory;
}

/**
 * Probes a file for a step of a job. Unreadable media fails the job; an offline storage lets it wait. `embedded`: wanted
 * properties inside the file.
 */
export async function probeFile(
  parts: CheckParts,
  job: LeasedJob,
  fileId: string,
  embedded: readonly string[] = [],
): Promise<ProbedFile> {
  const row = await fileOfJob(parts.store, fileId, 'checked');
  const memory = memoryOf(parts.store);
  const { probeBytes: maxBytes, probeSeconds } = parts.settings;
  try {
    const { source, version } = await mediaSourceOf(parts, row, job.signal);
    const key = `${job.id} ${fileId} ${version} ${embedded.length}`;
    const now = parts.clock.now();
    const cachedProbe = memory.get(key, now);
    if (cachedProbe) return { row, ...cachedProbe };
    const order = { maxBytes, embedded };
    const here = () => parts.media.probe(source, { ...order, signal: job.signal }, parts.security.probers());
    const part = { job, name: `probe ${fileId}`, source: row, labels: [] };
    const probe = await (parts.hooks.find(runnersHook)?.probe(part, order, here) ?? here());
    const probed = { size: source.size, probe };
    memory.set(key, probed, parts.clock.now() + rememberFor);
    return { row, ...probed };
  } catch (error) {
    job.signal.throwIfAborted();
    if (error instanceof JobWaits) throw error;
    const kind = mediaKindOf(error);
    if (kind === undefined)
      throw jobError(storageRefusal(error, { storage: row.storageId, path: row.path }), row.storageId);
    // The process was ended from outside: another attempt may do.
    if (kind === 'aborted') throw error;
    const limit = kind === 'exhausted' ? ` (probeBytes, probeSeconds: ${probeSeconds})` : '';
    throw new JobFails(`${(error as Error).message}${limit}: file ${row.id}`);
  }
}
