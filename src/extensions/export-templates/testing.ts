import { ServiceError } from '../../core/lib/errors.ts';
import { type ExportParts, filesToExport } from '../../production/exporting/public.ts';
import { JobFails } from '../../room/jobs/job-type.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import { ableOutline, filesOfTemplate } from './files.ts';
import type { Outline } from './outline.ts';
import { tested } from './rules.ts';

/** Job that stylesheets of a tested template see: there is none yet. */
const jobOfTest = (caller: Caller) => ({
  ...{ jobId: tested, type: 'EXPORT', status: 'READY', priority: 'MEDIUM', data: [] },
  user: accountOf(caller),
});

/** Paths of the files that an export of the item by this template makes. Throws the refusal of what fails the job. */
export async function pathsOf(
  parts: ExportParts,
  caller: Caller,
  outline: Outline,
  item: string,
): Promise<readonly string[]> {
  const order = { target: 'item', id: item, tags: undefined, version: 'latest', track: '*', template: tested } as const;
  try {
    const template = { name: tested, outline: ableOutline(outline), lenient: false, data: [] };
    const run = { ...template, job: async () => jobOfTest(caller) };
    const { ofItem, around } = filesOfTemplate(parts, caller, run);
    const { files } = await ofItem(item, (await filesToExport(parts, caller, order, [item])).files);
    return [...files, ...(await around())].map(([, , , path]) => path);
  } catch (error) {
    if (!(error instanceof JobFails)) throw error;
    throw new ServiceError('bad-value', { context: '/ExportTemplateDocument', explanation: error.message });
  }
}
