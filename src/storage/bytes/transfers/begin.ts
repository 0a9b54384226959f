import type { Clock } from '../../../core/lib/clock.ts';
import { type Random, textOfBytes } from '../../../core/lib/random.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { Store } from '../../../core/store/store.ts';
import type { Hooks } from '../../../room/hook.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import { bytesQuotaHook, type NewBytes } from '../../contract.ts';
import { storageRefusal } from '../../drivers.ts';
import { fileTaken, noSuchFile, unable } from '../../files/rules.ts';
import { type FileRow, fileAt } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { discard, isCertain, type Publisher } from '../publishing/publish.ts';
import { fileLives } from '../publishing/store.ts';
import type { Writable } from '../receiving/destination.ts';
import type { Space } from '../receiving/upload-limits.ts';
import { tooLarge, tooManyBytes, tooManyUploads, type UploadLimits } from '../receiving/upload-limits.ts';
import { openTransferFile, type TransferRest } from './rules.ts';
import {
  deleteTransfer,
  fewerBytesThan,
  fewerThan,
  insertTransfer,
  type TransferRow,
  transferUnchanged,
} from './store.ts';

interface NewTransfer {
  readonly owner: string;
  readonly target: string;
  /** Undefined: the id of the transfer. */
  readonly name: string | undefined;
  readonly storageId: string;
  readonly path: string;
  /** The file whose bytes it replaces. Undefined: it makes one. */
  readonly file: FileRow | undefined;
  /** Id of the new file, if it is reserved already. */
  readonly fileId?: string | undefined;
  readonly size: number;
  /** Item that gets the file. Undefined: none, or that of the replaced file. */
  readonly for?: NewBytes['for'];
  readonly priority: number;
  readonly rest: TransferRest;
  /** Ended transfer whose name the new one takes over. */
  readonly old: TransferRow | undefined;
}

interface BeginParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: UploadLimits;
  readonly space: Space;
  readonly hooks: Hooks;
}

/** Begins an upload in parts: a staged file, its row, and for a new file a row in the state OPEN. */
export async function beginTransfer(
  parts: BeginParts,
  upload: NewTransfer,
  to: Writable,
  by: Publisher,
): Promise<TransferRow> {
  const { settings, space } = parts;
  const { size, storageId } = upload;
  const { method, driver } = to;
  if (!driver.can.parts || !driver.openParts) {
    throw unable(storageId, 'Expected all bytes in one request: this storage takes no parts');
  }
  if (size > settings.maxTransferBytes) throw tooLarge(settings.maxTransferBytes);
  await space.mustHold(method, driver, size);
  const row = await newRow(parts, upload, to, await openToken(driver, upload));
  try {
    await insert(parts, upload, row, by);
    return row;
  } catch (error) {
    if (isCertain(error)) await discard(driver, row.token);
    throw error;
  }
}

async function openToken(driver: StorageDriver, { size, storageId, path }: NewTransfer): Promise<string> {
  try {
    const sink = await driver.openParts!({ size });
    await sink.close();
    return sink.token;
  } catch (error) {
    throw storageRefusal(error, { storage: storageId, path });
  }
}

async function newRow(
  { store, clock, random }: BeginParts,
  { owner, target, name, storageId, path, file, fileId, size, priority, rest }: NewTransfer,
  { method }: Writable,
  token: string,
): Promise<TransferRow> {
  const now = clock.now();
  const id = textOfBytes(random.bytes(16));
  return {
    id,
    owner,
    target,
    name: name ?? id,
    storageId,
    methodId: method.id,
    path,
    fileId: file?.id ?? fileId ?? (await store.nextId('file')),
    mode: file ? 'replace' : 'create',
    size,
    ranges: '[]',
    received: 0,
    token,
    state: 'TRANSFERRING',
    priority,
    rest: JSON.stringify(rest),
    version: 1,
    createdAt: now,
    touchedAt: now,
  };
}

async function insert(
  { store, settings, hooks }: BeginParts,
  upload: NewTransfer,
  row: TransferRow,
  by: Publisher,
): Promise<void> {
  const { owner, size, storageId, path, file, old } = upload;
  const { maxTransfers, maxTransferBytes } = settings;
  const faster = changedMeanwhile('Transfer', row.name);
  const taken = fileTaken({ storageId, path });
  const fileWork = file
    ? changing(fileLives({ id: file.id }, noSuchFile(file.id)))
    : openTransferFile(row, row.fileId!, row.createdAt, taken);
  const changes = [
    storageThere({ id: storageId }, noSuchStorage(storageId)),
    fewerThan({ owner, max: maxTransfers }, tooManyUploads(maxTransfers)),
    fewerBytesThan({ owner, size, max: maxTransferBytes }, tooManyBytes(maxTransferBytes)),
    ...(old ? [transferUnchanged(old.id, old.version, faster), deleteTransfer({ id: old.id })] : []),
    ...(await hooks.need(bytesQuotaHook).guards({ storageId, fileId: file?.id, bytes: size, for: upload.for })),
    insertTransfer(row, faster),
    ...fileWork.changes,
  ];
  try {
    await by.commit({ changes, events: fileWork.events });
  } catch (error) {
    if (error !== taken) throw error;
    const other = await fileAt(store, { storageId, path });
    throw fileTaken({ storageId, path, ...(other && { fileId: other.id }) });
  }
}
