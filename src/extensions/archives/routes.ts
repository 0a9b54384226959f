import { itemAt, readItems, writeItems } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, list, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import { type Params, type Route, route } from '../../http/route.ts';
import { startJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import { fileAddresses, readFiles, unable, writeFiles } from '../../storage/public.ts';
import type { FileRow } from '../../storage/public-reading.ts';
import { type ArchivedFile, type ArchiveParts, archivedOfItem, askAboutAll } from './archived.ts';
import { restoreDocument } from './documents.ts';
import { estimateOf } from './estimate.ts';
import { restoreJob, tierOf } from './restore-job.ts';

const parameters = {
  expirationInDays: whole('Days for which the files can be read', { least: 1, max: 3650, required: true }),
  retrievalTier: text('Speed of the restore. Default: that of the storage, Standard in S3'),
  ...jobParameters,
};
const chosen = { tag: list(text('Only shapes with any of these tags')) };

/** A speed that a class does not have is refused before there is a job. */
function requireTier(files: readonly ArchivedFile[], wanted: string | undefined): void {
  for (const file of files) {
    if (file.archive.state === 'readable') {
      throw unable(file.row.storageId, `Expected a file in an archive: ${file.row.id} can be read`);
    }
    if (tierOf(file, wanted)) continue;
    const names = file.tiers.map(({ name }) => name).join(', ');
    throw badParameter('retrievalTier', `Expected one of ${names} for ${file.archive.storageClass}`, wanted);
  }
}

/** Estimates of restores, and restores as jobs. */
export function restoreRoutes(parts: ItemsContext & ArchiveParts): readonly Route[] {
  const { store } = parts;
  const { paths, fileOf } = fileAddresses(store);
  const item = itemAt(store);

  async function restored(
    call: Call<QueryOf<typeof parameters>>,
    rows: readonly FileRow[],
    itemId?: string,
  ): Promise<Job> {
    const { expirationInDays, retrievalTier } = call.query;
    requireTier(await askAboutAll(parts, rows), retrievalTier);
    const memo = { fileIds: rows.map(({ id }) => id), itemId, expirationInDays, retrievalTier };
    return startJob(parts, call, { job: restoreJob, memo });
  }

  const answers = answer(jobDocument, { text: ({ jobId = '' }) => jobId });
  return [
    ...paths.flatMap((path) => [
      route({
        method: 'GET',
        path: `${path}/restore`,
        says: 'How long a restore of an archived file takes, and what it costs by the prices of the operator.',
        answers: restoreDocument,
        access: readFiles,
        handle: async (_call, params: Params) => estimateOf(store, await askAboutAll(parts, [await fileOf(params)])),
      }),
      route({
        method: 'PUT',
        path: `${path}/restore`,
        says: 'Asks an archive for a file, as a job that waits until the file can be read.',
        query: parameters,
        answers,
        access: writeFiles,
        acting: 'allowed',
        handle: async (call, params: Params) => restored(call, [await fileOf(params)]),
      }),
    ]),
    route({
      method: 'GET',
      path: '/item/:item/restore',
      says: 'How long a restore of the archived files of an item takes, and what it costs by the prices of the operator.',
      entities: { item: item('READ') },
      query: chosen,
      answers: restoreDocument,
      access: readItems,
      handle: async (call, { item: { id } }) =>
        estimateOf(store, await askAboutAll(parts, await archivedOfItem(parts, call, id, call.query.tag))),
    }),
    ...(['POST', 'PUT'] as const).map((method) =>
      route({
        method,
        path: '/item/:item/restore',
        says: 'Asks archives for the files of an item that have no copy which can be read, as a job.',
        entities: { item: item('WRITE') },
        query: { ...parameters, ...chosen },
        answers,
        access: writeItems,
        acting: 'allowed',
        handle: async (call, { item: { id } }) =>
          restored(call, await archivedOfItem(parts, call, id, call.query.tag), id),
      }),
    ),
  ];
}
