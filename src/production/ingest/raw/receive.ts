import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, nothing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { SentBytes } from '../../../http/form-body.ts';
import { badParameter, text, whole } from '../../../http/parameters/index.ts';
import { commitJob, type StartedJob } from '../../../room/jobs/contract.ts';
import type { Job } from '../../../room/jobs/documents.ts';
import type { Caller } from '../../../security/caller.ts';
import {
  bytesQuotaHook,
  chooseStorage,
  findByName,
  inventAhead,
  inventPath,
  nameFile,
  noRules,
  receiveBytes,
  ruledByHook,
  type StorageRow,
  safeExtensionOf,
  storageNamed,
  takesNew,
  type UploadAnnounced,
} from '../../../storage/public.ts';
import type { IngestParts } from '../parts.ts';
import { insertUpload, takenBy, uploadOf } from '../store.ts';

export const uploadParameters = {
  transferId: text('Name of an upload in parts, equal for all parts. The headers size and index define the part'),
  transferPriority: whole('The priority of an upload in parts', { least: 1, max: 1000 }),
};

/** Entities that an import makes. */
const newIds = ['file', 'item', 'access', 'shape', 'component', 'change-set', 'job'];

export interface UploadPlace {
  readonly storageId: string | undefined;
  readonly tags: readonly string[];
  readonly filename: string | undefined;
  readonly itemId?: string | undefined;
  /** Collection that the new item joins. */
  readonly collectionId?: string | undefined;
}

interface Upload extends UploadPlace {
  /** Names what the bytes are for: together with the owner and the word of the client it names the upload. */
  readonly target: string;
  readonly owner: string;
}

/** The job that takes the file, and the rest of the commit that tells of the file. */
interface TakeFile {
  take(fileId: string): Promise<Pick<StartedJob, 'work' | 'document'>>;
  /** Starts reads of `take`, for `Store.ahead`. */
  ahead?(): unknown;
}

/** Name that the client has for its file: the parameter, or else that of the form. */
export const sentFilename = async (
  { query }: { readonly query: { readonly filename?: string | undefined } },
  sent: SentBytes,
): Promise<string | undefined> => query.filename ?? sent.name();

/**
 * Takes the bytes of an import. Undefined: only a part of them has come. The job begins in the commit in which the file
 * is whole, so no client finds the one without the other. A client that asks again gets the same job.
 */
export async function receiveImport(
  parts: IngestParts,
  caller: Caller & { readonly query: UploadAnnounced },
  sent: SentBytes,
  upload: Upload,
  { take, ahead = () => undefined }: TakeFile,
): Promise<Job | undefined> {
  const { store, receiving } = parts;
  const { query } = caller;
  const { target, owner } = upload;
  let createdJob: Job | undefined;
  const taken = async (fileId: string): Promise<CommitPlan> => {
    const { work, document: job } = await take(fileId);
    createdJob = job;
    const row = { fileId, jobId: job.jobId, document: JSON.stringify(job) };
    const changed = changedMeanwhile('File', fileId);
    // The file belongs to the item of its job until a component has it.
    const named = nameFile({ fileId, jobId: job.jobId });
    return together(work, changing(insertUpload(row, changed), takenBy(row), named));
  };
  const place = await placeOf(parts, caller, sent, upload);
  const purpose = {
    ...{ ...place, file: undefined, state: 'CLOSED', target, owner, also: { plan: taken, ahead } },
    for: upload.itemId === undefined ? { user: owner } : { item: upload.itemId },
  };
  const file = await receiveBytes(receiving, caller, sent, purpose, query);
  if (createdJob) return createdJob;
  if (file.state === 'OPEN') return undefined;
  // A concurrent request has received the last bytes, or the service stopped after them.
  return commitJob(caller, async () => {
    const uploadRow = await uploadOf(store, { fileId: file.id });
    if (uploadRow) return { document: JSON.parse(uploadRow.document) as Job, work: nothing };
    const work = await taken(file.id);
    return { document: createdJob!, work };
  });
}

/** Path of the begun upload, or a new one. */
async function placeOf(
  parts: IngestParts,
  caller: Caller & { readonly query: UploadAnnounced },
  sent: SentBytes,
  upload: Upload,
) {
  const { store } = parts;
  const { target, owner } = upload;
  const name = caller.query.transferId;
  const begun = name === undefined ? undefined : await findByName(store, { owner, target, name });
  const isSame = begun?.state === 'FINISHED' && begun.size === sent.extent().size;
  if (begun && (isSame || begun.state === 'TRANSFERRING' || begun.state === 'WAITING')) {
    return { storageId: begun.storageId, path: begun.path };
  }
  return placeForUpload(parts, caller, { ...upload, filename: upload.filename ?? (await sent.name()) });
}

/** Storage, id and path of a file that an import is to receive. */
export async function placeForUpload(parts: IngestParts, caller: Pick<Caller, 'actor'>, place: UploadPlace) {
  const { store, destinations } = parts;
  await store.reserveIds(newIds);
  const fileId = await store.nextId('file');
  const extension = safeExtensionOf(place.filename ?? '');
  const ahead = (id: string) =>
    store.ahead(() => [
      destinations.newFileAhead({ storageId: id, path: `${fileId}${extension}` }),
      inventAhead(parts, id),
      parts.hooks.need(bytesQuotaHook).ahead(),
    ]);
  const storage = await storageOf(parts, place, ahead);
  const storageId = storage.id;
  const to = await destinations.writableOf(storage);
  const unnamed = { storageId, fileId, itemId: place.itemId, shapeTag: place.tags, extension, preferredPaths: [] };
  const path = await inventPath(parts, unnamed, to.driver, caller.actor());
  return { storageId, fileId, path, ...(takesNew(storage) && { to }) };
}

/** `ahead`: called with the id of the storage before its row is read. */
async function storageOf(
  { store, hooks, destinations }: IngestParts,
  { storageId, tags, itemId, collectionId }: UploadPlace,
  ahead: (id: string) => void,
): Promise<StorageRow> {
  if (storageId !== undefined) {
    ahead(storageId);
    return storageNamed(store, storageId);
  }
  const collections = collectionId === undefined ? [] : [collectionId];
  const about =
    itemId === undefined ? { ...noRules, collections } : await hooks.need(ruledByHook)(store, { item: itemId });
  const chosen = await chooseStorage(store, { ...about, tags: [...new Set([...about.tags, ...tags])] });
  if (chosen !== undefined) {
    ahead(chosen);
    return destinations.storageOf(chosen);
  }
  throw badParameter(
    'storageId',
    'Expected a storage that takes new files: there is none, make one with POST /storage',
  );
}
