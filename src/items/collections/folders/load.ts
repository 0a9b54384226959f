import { findFile, pathNames, usesOf } from '../../../media/public-reading.ts';
import type { Reader } from '../../../store/statement.ts';
import { folderPathOf, namesInFolder } from './rules.ts';
import { foldersAbove } from './store.ts';

/** Folder for files of an item. Undefined: none. */
export async function folderOfItem(reader: Reader, itemId: string): Promise<string | undefined> {
  const above = await foldersAbove(reader, { itemId });
  return above.length === 0 ? undefined : folderPathOf(above, itemId);
}

/** Candidate paths of a file in the folder of its item, its own name first. Empty: the item is in no folder. */
export async function pathsInFolder(reader: Reader, fileId: string): Promise<readonly string[]> {
  const uses = await usesOf(reader, { ids: JSON.stringify([fileId]) });
  const [itemId] = uses.map((use) => use.itemId).toSorted();
  const folder = itemId === undefined ? undefined : await folderOfItem(reader, itemId);
  const source = folder === undefined ? undefined : await findFile(reader, { id: fileId });
  if (!source) return [];
  const { name } = pathNames(source.path);
  return namesInFolder(name, fileId).map((each) => `${folder}${each}`);
}
