import { badParameter } from '../../../http/parameters/index.ts';
import { newPath } from '../../../media/files/path.ts';
import { serialOf } from '../../../media/files/store.ts';
import type { foldersAbove } from './store.ts';

/** Bytes: what common file systems take for the name of a folder. */
const longest = 255;
/** Folders in each other. A file system takes no more of them than a path has room for. */
const deepest = 64;

const isTooLong = (name: string): boolean => new TextEncoder().encode(name).byteLength > longest;

/** A name that a caller gives to a folder: one part of a path. */
export function folderName(name: string): string {
  newPath(name, 'name');
  if (name.includes('/')) throw badParameter('name', 'Expected a name of a folder, without slashes', name);
  if (isTooLong(name)) throw badParameter('name', `Expected a name of at most ${longest} bytes of UTF-8`, name);
  return name;
}

/** The name of a folder that nobody has given: the title of the collection, without what no folder can be called. */
export function folderNameFrom(title: string | undefined, id: string): string {
  const characters = Array.from(
    (title ?? '')
      .toWellFormed()
      .replaceAll(/[/\\\0-\x1f\x7f]/g, '_')
      .trim(),
  );
  while (isTooLong(characters.join(''))) characters.pop();
  const name = characters.join('').trim();
  return name === '' || name === '.' || name === '..' ? id : name;
}

type Above = Awaited<ReturnType<typeof foldersAbove>>;

/** Where files of an item belong, with a slash at the end. Undefined: in no folder. Of several folders the oldest counts. */
export function folderPathOf(above: Above, itemId: string): string | undefined {
  const names: string[] = [];
  // An item and a collection may have the same id.
  for (let [of, member] = ['item', itemId]; names.length <= deepest; ) {
    const around = above.filter(({ type, memberId }) => type === of && memberId === member);
    const [oldest] = around.toSorted((one, other) => serialOf(one.collectionId) - serialOf(other.collectionId));
    if (!oldest) return names.length === 0 ? undefined : `${names.reverse().join('/')}/`;
    names.push(oldest.name);
    [of, member] = ['collection', oldest.collectionId];
  }
  return undefined;
}
