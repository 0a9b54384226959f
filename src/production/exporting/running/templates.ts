import { hook } from '../../../room/hook.ts';
import type { LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import type { ExportMemo } from './export-job.ts';
import type { ExportFile } from './files.ts';
import type { ExportedFile } from './store.ts';

/** Files that a template defines. */
export interface FilesByTemplate {
  /** The files of one item. */
  ofItem(
    id: string,
    found: readonly ExportFile[],
  ): Promise<{ readonly files: readonly ExportedFile[]; readonly missing: boolean }>;
  /** The files that belong to no item, once those of all items are known. */
  around(): Promise<readonly ExportedFile[]>;
}

/** Templates of exports. */
interface Templates {
  /** Refuses an unknown template. */
  mustExist(name: string): Promise<void>;
  /** Files of an export by its templates. Throws `JobFails`. */
  files(job: LeasedJob, call: Caller, asked: ExportMemo): Promise<FilesByTemplate>;
}

export const exportTemplatesHook = hook<Templates>('export-templates');
