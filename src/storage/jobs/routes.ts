import { endedLike, safeName } from '../../core/lib/file-name.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import { type Route, route, segment } from '../../http/route.ts';
import { beginJob, commitJob, pairOf } from '../../room/jobs/contract.ts';
import { jobDocument } from '../../room/jobs/documents.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import type { Caller } from '../../security/caller.ts';
import { bytesAllowedHook, fileDeletableHook, originalNameHook } from '../contract.ts';
import { whenOf } from '../files/changes/routes.ts';
import { type FileAddresses, usesOfFile, writeFiles } from '../files/entity.ts';
import { newPath } from '../files/path.ts';
import { noSuchFile, pathTaken, unable } from '../files/rules.ts';
import { type FileRow, fileAt } from '../files/store.ts';
import { storageNamed } from '../storages/entity.ts';
import { methodsOf, type StorageRow } from '../storages/store.ts';
import { copyOf, startCopy } from './copying/order.ts';
import { fileDeletionJob, startDeletion } from './deletion.ts';
import type { FileJobParts } from './file-job.ts';

const query = {
  move: flag('Deletes the source after the copy is verified', false),
  filename: text('The path of the new file below its storage'),
  useOriginalFilename: flag('Names the new file as the original of its item, with its own extension', false),
  timeRequirement: whole('Seconds before storage rules may move the new file', { max: 1_000_000_000 }),
  limitRate: whole('Maximum bytes per second', { least: 1 }),
  ...jobParameters,
};

export function copyRoutes(parts: FileJobParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store } = parts;

  /** Refuses impossible copies in the request, instead of letting the job fail. */
  async function requirePlace(storage: StorageRow, filename: string | undefined): Promise<void> {
    const { id, type, state } = storage;
    if (type === 'SHARED') throw unable(id, 'Expected a storage that this service writes to: SHARED');
    if (state.startsWith('EVACUAT')) throw unable(id, `Expected a storage for new files: ${state}`);
    const methods = await methodsOf(store, { id });
    if (methods.every((method) => method.write === 0)) throw unable(id, 'Expected a storage with a method that writes');
    const taken = filename === undefined ? undefined : await fileAt(store, { storageId: id, path: filename });
    if (taken) throw pathTaken(taken);
  }

  /** Path by the name of the original, with the ending of the file. One that is taken is left to the job. */
  async function originalPath(call: Caller, source: FileRow, storageId: string): Promise<string | undefined> {
    const name = await parts.hooks.need(originalNameHook)(call, source);
    const path = safeName(endedLike(name ?? '', source.path));
    return path === undefined || (await fileAt(store, { storageId, path })) ? undefined : path;
  }

  const living = (row: FileRow): FileRow => {
    if (row.state === 'TO_BE_DELETED') throw noSuchFile(row.id);
    return row;
  };

  return paths.map((place) =>
    route({
      method: 'POST',
      path: `${place}/storage/:target`,
      says: 'Copies or moves a file to a storage, as a job that compares the hashes.',
      query,
      answers: jobDocument,
      access: writeFiles,
      acting: 'allowed',
      handle(call, params) {
        const { filename, useOriginalFilename, move, limitRate, timeRequirement } = call.query;
        const path = filename === undefined || filename === '' ? undefined : newPath(filename, 'filename');
        return commitJob(call, async () => {
          const source = living(await fileOf(params));
          await parts.hooks.need(bytesAllowedHook)(call, source.id);
          const storage = await storageNamed(store, segment(params, 'target'));
          await requirePlace(storage, path);
          const { itemId } = await usesOfFile(store, source.id);
          const original = path === undefined && useOriginalFilename;
          const named = original ? await originalPath(call, source, storage.id) : path;
          const request = { moves: move, storageId: storage.id, path: named, limitRate, timeRequirement };
          // The data of the job then names this item of the file.
          const wanted = call.query.jobmetadata.map(pairOf).find(([key]) => key === 'itemId')?.[1];
          const copy = copyOf(source, request, itemId.find((id) => id === wanted) ?? itemId[0]);
          const job = await beginJob(parts, call, copy);
          return { ...job, work: startCopy(copy, job) };
        });
      },
    }),
  );
}

export function fileDeletionRoutes(parts: FileJobParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store, hooks } = parts;
  return paths.map((path) =>
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a file as a job. Its bytes and its entry are removed after the grace time.',
      query: jobParameters,
      answers: jobDocument,
      access: writeFiles,
      acting: 'allowed',
      handle: (call, params) =>
        commitJob(call, async () => {
          const row = await fileOf(params);
          const uses = await usesOfFile(store, row.id);
          const job = await beginJob(parts, call, fileDeletionJob(row, uses.itemId[0]));
          return { ...job, work: startDeletion(row, uses, job, hooks.need(fileDeletableHook)(row.id), whenOf(parts)) };
        }),
    }),
  );
}
