import { bytesOf, truncateUtf8 } from './bytes.ts';

/** Bytes: what common file systems take for one name, with room for a number. */
const longest = 200;

/** Last part of a name in user input, made safe as a file name in one folder. */
export function safeName(text: string): string | undefined {
  const last = text
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\0-\x1f\x7f]/g, '')
    .trim();
  if (last === '' || last === '.' || last === '..' || !last.isWellFormed()) return undefined;
  return shortened(last);
}

/** Too long a name loses its middle and keeps its extension. */
function shortened(name: string): string {
  if (bytesOf(name) <= longest) return name;
  const { stem, extension } = splitName(name);
  const end = bytesOf(extension) > 40 ? '' : extension;
  return truncateUtf8(stem, longest - bytesOf(end)) + end;
}

/** A name with the extension of a file: `film.mov` for `low.mp4` is `film.mp4`. One of the same in capitals stays. */
export function endedLike(name: string, path: string): string {
  const [{ stem, extension }, wanted] = [splitName(name), splitName(path).extension];
  return name === '' || wanted === '' || extension.toLowerCase() === wanted.toLowerCase() ? name : stem + wanted;
}

/** The extension begins with the last dot of the last part. A dot in front is none. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const begin = name.lastIndexOf('/') + 1;
  const dot = name.lastIndexOf('.');
  return dot > begin ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: '' };
}
