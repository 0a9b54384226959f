import { bytesOf, truncateUtf8 } from '../../../core/lib/bytes.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { extensionOf, isOwn, maxPathLength, newPath } from '../../../storage/public.ts';
import type { foldersAbove } from './folders-sql.ts';

/** Maximum bytes of a folder name on common file systems. */
const maxLength = 255;
/** Maximum bytes of the folders above a file: its name is part of the path, too. */
const maxFolderLength = maxPathLength - maxLength - 1;
/** Number of file names to try in a folder, before the name with the id of the file. */
const tries = 10;

/** Checks a folder name from a caller: one segment of a path. */
export function folderName(name: string): string {
  newPath(name, 'name');
  if (name.includes('/')) throw badParameter('name', 'Expected a name of a folder, without slashes', name);
  if (isOwn(name)) throw badParameter('name', 'Expected a folder that no storage keeps for itself', name);
  if (bytesOf(name) > maxLength)
    throw badParameter('name', `Expected a name of at most ${maxLength} bytes of UTF-8`, name);
  return name;
}

/** Default name of a folder: the title of the collection, without illegal characters. */
export function folderNameFrom(title: string | undefined, id: string): string {
  const plain = (title ?? '').trim().slice(0, maxLength).toWellFormed();
  const name = truncateUtf8(plain.replaceAll(/[/\\\0-\x1f\x7f]/g, '_'), maxLength).trim();
  return name === '' || name === '.' || name === '..' || isOwn(name) ? id : name;
}

/** Candidate names for a file in a folder, the best first. `id`: of the file. */
export function namesInFolder(name: string, id: string): readonly string[] {
  const extension = extensionOf(name);
  const stem = name.slice(0, name.length - extension.length);
  const numbered = Array.from({ length: tries - 1 }, (_, count) => `-${count + 1}`);
  return ['', ...numbered, `-${id}`].map((mark) => {
    const end = `${mark}${extension}`;
    return mark === '' ? name : `${truncateUtf8(stem, maxLength - bytesOf(end))}${end}`;
  });
}

type Above = Awaited<ReturnType<typeof foldersAbove>>;

/**
 * Folder of the files of an item, with a slash at the end. Undefined: no folder, or the path is too long. Among several
 * folders the oldest counts.
 */
export function folderPathOf(above: Above, itemId: string): string | undefined {
  let path = '';
  // Ids of items and collections may be equal.
  for (let [of, member] = ['item', itemId]; bytesOf(path) <= maxFolderLength; ) {
    const around = above.filter(({ type, memberId }) => type === of && memberId === member);
    const [oldest] = around.toSorted((one, other) => serialOf(one.collectionId) - serialOf(other.collectionId));
    if (!oldest) return path === '' ? undefined : path;
    path = `${oldest.name}/${path}`;
    [of, member] = ['collection', oldest.collectionId];
  }
  return undefined;
}
