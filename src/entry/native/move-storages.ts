import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'libsql';
import { folderOfUri } from './file-storage/roots.ts';

/** Storages below one folder lie below another one after a restore. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

const address = (text: string): string =>
  resolve(/^file:/i.test(text) ? fileURLToPath(text.replace(/^file:(?!\/\/)/i, 'file://')) : text);

/** `OLD=NEW`, two absolute folders or addresses of folders. Undefined: it is something else. */
export function readMove(text: string): Move | undefined {
  const [from, to, ...rest] = text.split('=');
  if (!from || !to || rest.length > 0) return undefined;
  if (![from, to].every((each) => isAbsolute(each) || /^file:\//i.test(each))) return undefined;
  return { from: address(from), to: address(to) };
}

const isBelow = (folder: string, { from }: Move): boolean => {
  const inside = relative(from, folder);
  return !isAbsolute(inside) && inside.split(sep)[0] !== '..';
};

/**
 * Writes the new folders into the methods of storages. What was known of their file system is forgotten, since it is
 * another one now. Gives a line for each method, and one for each move that is about none.
 */
export function moveStorages(path: string, moves: readonly Move[]): readonly string[] {
  if (moves.length === 0) return [];
  const database = new Database(path);
  try {
    const text = `SELECT id, storage_id, uri FROM storage_method WHERE uri LIKE 'file:%' ORDER BY serial`;
    const rows = database.prepare(text).raw(true).all([]) as [id: string, storage: string, uri: string][];
    const update = database.prepare(
      'UPDATE storage_method SET uri = ?, identity = NULL, version = version + 1 WHERE id = ?',
    );
    const moveLines: string[] = [];
    const used = new Set<Move>();
    for (const [id, storage, uri] of rows) {
      const place = folderOfUri(uri);
      const folder = 'folder' in place ? place.folder : undefined;
      const move = folder === undefined ? undefined : moves.find((each) => isBelow(folder, each));
      if (folder === undefined || !move) continue;
      used.add(move);
      const to = join(move.to, relative(move.from, folder));
      update.run([pathToFileURL(uri.endsWith('/') ? `${to}/` : to).href, id]);
      moveLines.push(`moved storage ${storage} to ${to}`);
    }
    for (const move of moves) if (!used.has(move)) moveLines.push(`no storage lies below ${move.from}`);
    return moveLines;
  } finally {
    database.close();
  }
}
