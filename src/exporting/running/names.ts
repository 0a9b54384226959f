import { bytesOf, truncateUtf8 } from '../../lib/utf8.ts';

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
  const { stem, extension } = split(name);
  const end = bytesOf(extension) > 40 ? '' : extension;
  return truncateUtf8(stem, longest - bytesOf(end)) + end;
}

/** `a.mov`, `a_1.mov`, `a_2.mov`: the names of one file, until one is free. */
export function numbered(name: string, number: number): string {
  if (number === 0) return name;
  const { stem, extension } = split(name);
  return `${stem}_${number}${extension}`;
}

/** A name with the extension of a file: `film.mov` for `low.mp4` is `film.mp4`. One of the same in capitals stays. */
export function endedLike(name: string, path: string): string {
  const [{ stem, extension }, wanted] = [split(name), split(path).extension];
  return name === '' || wanted === '' || extension.toLowerCase() === wanted.toLowerCase() ? name : stem + wanted;
}

/** The file beside a file that holds its metadata. */
export const sidecarOf = (name: string): string => `${split(name).stem}.xml`;

/** The extension begins with the last dot of the last part. A dot in front is none. */
function split(name: string): { readonly stem: string; readonly extension: string } {
  const begin = name.lastIndexOf('/') + 1;
  const dot = name.lastIndexOf('.');
  return dot > begin ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: '' };
}

/** Path below the folder, as returned by a script. Undefined: invalid. */
export function pathOf(text: string): string | undefined {
  const parts = text.split('/');
  const safe = parts.map(safeName);
  return parts.length <= 10 && safe.every((part, at) => part !== undefined && part === parts[at]) ? text : undefined;
}
