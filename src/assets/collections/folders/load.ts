import { extensionOf } from '../../../media/files/naming/names.ts';
import { findFile, namesIn, usesOf } from '../../../media/files/store.ts';
import type { Reader } from '../../../store/statement.ts';
import { folderPathOf } from './rules.ts';
import { foldersAbove } from './store.ts';

/** Where files of an item belong. Undefined: in no folder. */
export async function folderOfItem(reader: Reader, itemId: string): Promise<string | undefined> {
  const above = await foldersAbove(reader, { itemId });
  return above.length === 0 ? undefined : folderPathOf(above, itemId);
}

/** Names that are tried in a folder. */
const tries = 100;

/** Paths of a file in the folder of its item, the one with its own name first. None: the item is in no folder. */
export async function pathsInFolder(reader: Reader, fileId: string): Promise<readonly string[]> {
  const uses = await usesOf(reader, { ids: JSON.stringify([fileId]) });
  const [itemId] = uses.map((use) => use.itemId).toSorted();
  const folder = itemId === undefined ? undefined : await folderOfItem(reader, itemId);
  const source = folder === undefined ? undefined : await findFile(reader, { id: fileId });
  if (!source) return [];
  const { name } = namesIn(source.path);
  const extension = extensionOf(name);
  const stem = `${folder}${name.slice(0, name.length - extension.length)}`;
  return Array.from({ length: tries }, (_, count) => `${stem}${count === 0 ? '' : `-${count}`}${extension}`);
}
