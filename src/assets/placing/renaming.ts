import type { CommitPlan } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { fileAt, findFile } from '../../storage/public-reading.ts';
import { folderOfItem, type ItemsContext, otherwisePlaced } from '../items/public.ts';
import { otherwiseNamed } from '../shapes/public.ts';
import { beginCopy } from './begin-copy.ts';
import type { PlacedFile } from './load.ts';

/** Move to be started, with the record for its component. */
interface Renaming {
  readonly work: CommitPlan;
  readonly fileId: string;
  readonly storageId: string;
}

interface Move {
  readonly fileId: string;
  /** Undefined: a free name in the folder of the item, which the job chooses when it starts. */
  readonly path: string | undefined;
  readonly isInJob: number;
  /** 0: the storage takes no files now, or the file is locked. */
  readonly mayMove: number;
}

/**
 * Move of a file to the name given by its shape, or to the folder of its item. `later`: another job uses the file.
 * `unable`: not possible now. Undefined: nothing to move, or the name is taken.
 */
export async function renamingOf(
  parts: ItemsContext,
  placed: PlacedFile,
  now: number,
): Promise<Renaming | 'later' | 'unable' | undefined> {
  const { store } = parts;
  const move = (await toName(store, placed, now)) ?? (await toFolder(store, placed, now));
  const source = move && (await findFile(store, { id: move.fileId }));
  if (!source) return undefined;
  const { storageId } = source;
  const { path, isInJob, mayMove } = move;
  if (path !== undefined && (await fileAt(store, { storageId, path }))) return undefined;
  if (isInJob === 1) return 'later';
  // Includes locks of its item, and callers that want the file to stay.
  const isHeld = placed.copies.some((copy) => copy.fileId === source.id && copy.isHeld);
  if (mayMove === 0 || isHeld) return 'unable';
  const work = await beginCopy(parts, placed, source, { moves: true, storageId, path });
  return { work, fileId: source.id, storageId };
}

async function toName(reader: Reader, { componentId }: PlacedFile, now: number): Promise<Move | undefined> {
  const [file] = await otherwiseNamed(reader, { componentId, now });
  return file && { ...file, path: file.filename };
}

async function toFolder(reader: Reader, { componentId, itemId }: PlacedFile, now: number): Promise<Move | undefined> {
  const folder = await folderOfItem(reader, itemId);
  const [file] = folder === undefined ? [] : await otherwisePlaced(reader, { componentId, folder, now });
  return file && { ...file, path: undefined };
}
