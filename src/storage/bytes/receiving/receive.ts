import { ServiceError } from '../../../core/lib/errors.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import type { ByteBody } from '../../../http/body.ts';
import type { SentBytes } from '../../../http/form-body.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import type { Staged } from '../../../spi/index.ts';
import { bytesQuotaHook, type NewBytes } from '../../contract.ts';
import { storageRefusal } from '../../drivers.ts';
import { fileHashes, keptAlgorithms } from '../../files/hashes.ts';
import { unable } from '../../files/rules.ts';
import { type FileRow, findFile } from '../../files/store.ts';
import type { StorageParts } from '../../parts.ts';
import type { StorageRow } from '../../storages/store.ts';
import { discard, type Publisher, type Publishing } from '../publishing/publish.ts';
import { beginTransfer } from '../transfers/begin.ts';
import { type ReceiveParts, receivePart, stride } from '../transfers/receive.ts';
import { badHeader, partInterval, requireSize, transferTarget } from '../transfers/rules.ts';
import { findByName, type TransferRow } from '../transfers/store.ts';
import { ByteSource, sourceStream } from './byte-source.ts';
import type { Destinations, NewFileLocation, Writable } from './destination.ts';
import type { Space, Uploads } from './upload-limits.ts';

interface StagingParts {
  readonly uploads: Uploads;
  readonly space: Space;
}

/** Bytes that come in one go. */
interface WholeBody {
  readonly body: ByteBody;
  readonly owner: string;
  /** Size as announced by the client. */
  readonly size: number | undefined;
}

/** Takes bytes that come in one go. Nothing stays where they do not all come. */
async function stageWhole(
  { uploads, space }: StagingParts,
  { method, driver }: Writable,
  { body, owner, size }: WholeBody,
): Promise<Staged> {
  const source = new ByteSource(body);
  const upload = uploads.begin(owner, size ?? 0);
  let refusal: unknown;

  async function look(count: number): Promise<void> {
    if (size === undefined) upload.take(count);
    else if (source.taken > size) throw otherSize(size);
    const crosses = Math.floor(source.taken / stride) > Math.floor((source.taken - count) / stride);
    if (crosses) await space.mustHold(method, driver, 0);
  }

  try {
    await space.mustHold(method, driver, size ?? 0);
    const stream = sourceStream(source, Number.POSITIVE_INFINITY, async ({ byteLength }) => {
      try {
        await look(byteLength);
      } catch (error) {
        refusal = error;
        throw error;
      }
    });
    const announced = body.length === undefined ? {} : { size: body.length };
    const staged = await driver.stage!(stream, { hashes: keptAlgorithms, ...announced });
    if (size === undefined || staged.size === size) return staged;
    await discard(driver, staged.token);
    throw otherSize(size);
  } catch (error) {
    throw refusal ?? source.failure ?? storageRefusal(error, { storage: method.storageId });
  } finally {
    upload.end();
  }
}

const otherSize = (size: number): ServiceError =>
  new ServiceError('bad-value', { context: 'body', explanation: `Expected ${size} bytes, as the header size says` });

export interface ReceivingParts extends ReceiveParts {
  readonly context: StorageParts;
  readonly destinations: Destinations;
  readonly uploads: Uploads;
  readonly publishing: Publishing;
}

/** Target of the bytes of a request. */
interface Purpose extends NewFileLocation {
  /** The file whose bytes are replaced. Undefined: a new file is made. */
  readonly file: FileRow | undefined;
  /** State of the file after the upload. */
  readonly state: string;
  /** Id of the new file, if it is reserved already. */
  readonly fileId?: string;
  /** Where the path of the new file was found free. */
  readonly to?: Writable;
  /** Target name by which later parts find their upload. Default: the path. */
  readonly target?: string;
  /** Item that gets the file. Undefined: none, or that of the replaced file. */
  readonly for?: NewBytes['for'];
  /** Owner of the upload, if not the caller. */
  readonly owner?: string;
  /** Extends the commit that registers the file. */
  readonly also?: Publisher['also'];
}

/** Parameters that a client sends with its bytes. */
export interface UploadAnnounced {
  /** The client's own name for a resumable upload. */
  readonly transferId?: string | undefined;
  readonly transferPriority?: number | undefined;
}

const defaultPriority = 500;
/** Milliseconds in which the rules about room count as those of the end of an upload. */
const recently = 1_000;
const maxNameLength = 255;

/** Commits in the name of a caller. */
export const callerPublisher = (caller: Caller): Publisher => ({
  actor: caller.actor(),
  commit: (work) => caller.commit(work),
});

/** Takes the bytes of a request: a whole file, or a part of one. Gives the file as callers see it afterwards. */
export async function receiveBytes(
  parts: ReceivingParts,
  caller: Caller,
  sent: SentBytes,
  purpose: Purpose,
  { transferId, transferPriority: priority = defaultPriority }: UploadAnnounced,
): Promise<FileRow> {
  const { size, index } = sent.extent();
  if (index !== undefined && size === undefined) {
    throw badHeader('size', 'Expected the bytes of the whole file beside the header index', '');
  }
  if (transferId !== undefined && transferId.length > maxNameLength) {
    throw badParameter('transferId', `Expected a name of at most ${maxNameLength} characters`, transferId);
  }
  // Without credentials the caller has a link to one file, and cannot continue an upload.
  const owner = purpose.owner ?? (transferId === undefined ? (caller.subject?.name ?? '') : subjectOf(caller).name);
  const by = { ...callerPublisher(caller), ...(purpose.also && { also: purpose.also }) };
  const body = sent.open(parts.context.hasher);
  try {
    const total = size ?? body.length;
    const isAll = (index ?? 0) === 0 && (body.length ?? total) === total;
    if (transferId === undefined && !isAll) {
      throw badParameter('transferId', 'Expected a name for an upload in parts, the same for each part');
    }
    const upload = { owner, body, by, purpose };
    if (transferId === undefined || total === undefined) return await takeWhole(parts, { ...upload, size: total });
    return await takePart(parts, { ...upload, size: total, index: index ?? 0, name: transferId, priority });
  } finally {
    await body.cancel();
  }
}

interface UploadInput {
  readonly owner: string;
  readonly body: ByteBody;
  readonly by: Publisher;
  readonly purpose: Purpose;
}

async function takeWhole(
  parts: ReceivingParts,
  input: UploadInput & { readonly size: number | undefined },
): Promise<FileRow> {
  return putWhole(parts, input, input.purpose.to ?? (await placeOf(parts, input.purpose)));
}

async function putWhole(
  parts: ReceivingParts,
  { owner, body, by, purpose, size }: UploadInput & { readonly size: number | undefined },
  to: Writable,
): Promise<FileRow> {
  const { storageId, path, file, state } = purpose;
  const roomFor = (bytes: number) =>
    parts.context.hooks.need(bytesQuotaHook).guards({ storageId, fileId: file?.id, bytes, for: purpose.for });
  // Reserves space before the bytes arrive, if the caller announces their number.
  const askedAt = parts.clock.now();
  const early = size === undefined ? [] : await roomFor(size);
  if (early.length > 0) await parts.store.commit({ changes: early, events: [] }, by.actor);
  const staged = await stageWhole(parts, to, { body, owner, size });
  const bytes = { token: staged.token, size: staged.size, ...fileHashes(staged.hashes) };
  const fileId = file?.id ?? purpose.fileId ?? (await parts.store.nextId('file'));
  const place = { methodId: to.method.id, storageId, path, fileId, mode: file ? 'replace' : 'create' } as const;
  const isRecent = staged.size === size && parts.clock.now() - askedAt < recently;
  const room = isRecent ? early : await roomFor(staged.size);
  return parts.publishing.publish({ ...bytes, ...place, state, transferId: null }, to.driver, by, room);
}

interface PartInput extends UploadInput {
  readonly name: string;
  readonly size: number;
  readonly index: number;
  readonly priority: number;
}

async function takePart(parts: ReceivingParts, input: PartInput): Promise<FileRow> {
  const { body, by, index, size } = input;
  const open = await retryWhenChanged(() => openOrFind(parts, input));
  if ('finished' in open) {
    if (size <= stride) await drain(body);
    return open.finished;
  }
  if ('whole' in open) return putWhole(parts, input, open.whole);
  requireSize(open, size);
  return (await receivePart(parts, open, { index, body }, by)).file;
}

/** Opens the upload. Of concurrent first parts one creates it, and the others use that one. */
async function openOrFind(parts: ReceivingParts, input: PartInput): Promise<Opened> {
  try {
    return await openPart(parts, input);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'file-exists') throw error;
    const { owner, name, purpose } = input;
    const begun = await findByName(parts.store, { owner, target: nameOf(purpose), name });
    if (begun?.state === 'TRANSFERRING') return begun;
    throw error;
  }
}

const nameOf = (purpose: Purpose): string => purpose.target ?? transferTarget(purpose);

type Opened = TransferRow | { readonly finished: FileRow } | { readonly whole: Writable };

/** The transfer that a part belongs to: one that is open, or a new one. */
async function openPart(parts: ReceivingParts, input: PartInput): Promise<Opened> {
  const { owner, name, size, index, priority, body, by, purpose } = input;
  const { storageId, path, file, state } = purpose;
  const target = nameOf(purpose);
  const old = await findByName(parts.store, { owner, target, name });
  if (old?.state === 'TRANSFERRING' || old?.state === 'WAITING') return old;
  const finishedFile =
    old?.state === 'FINISHED' && !file ? await findFile(parts.store, { id: old.fileId! }) : undefined;
  // The client lost the answer to the last part and sends it again.
  if (finishedFile && finishedFile.state !== 'TO_BE_DELETED' && old?.size === size) return { finished: finishedFile };
  // Checked first: a refused first part must leave no file behind.
  partInterval(index, body.length, size);
  const to = await placeOf(parts, purpose);
  if (!to.driver.can.parts && index === 0 && body.length === size) return { whole: to };
  return beginTransfer(
    { ...parts, random: parts.context.random, settings: parts.context.settings, hooks: parts.context.hooks },
    { owner, target, name, storageId, path, file, size, for: purpose.for, priority, rest: { state }, old },
    to,
    by,
  );
}

/** Writable destination for staging the bytes. */
const placeOf = (parts: ReceivingParts, { storageId, path, file }: Purpose): Promise<Writable> =>
  file ? parts.destinations.ofFile(file) : newPlaceOf(parts, { storageId, path });

/** Whether new files may come to a storage. */
export const takesNew = ({ state }: Pick<StorageRow, 'state'>): boolean => !state.startsWith('EVACUAT');

/** Writable destination of a new file. Refuses a taken path before the bytes are read. */
export async function newPlaceOf(
  { destinations }: ReceivingParts,
  { storageId, path }: NewFileLocation,
): Promise<Writable> {
  const storage = await destinations.storageOf(storageId);
  if (!takesNew(storage)) throw unable(storageId, `Expected a storage for new files: ${storage.state}`);
  const to = await destinations.writableOf(storage);
  await destinations.requireFree({ storageId, path }, to.driver);
  return to;
}

async function drain(body: ByteBody): Promise<void> {
  let piece = await body.read();
  while (piece) piece = await body.read();
}
