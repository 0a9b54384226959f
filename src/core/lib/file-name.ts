import { bytesOf, truncateUtf8 } from './bytes.ts';

/** Bytes: what common file systems take for one name, with room for a number. */
const maxLength = 200;

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

/** Characters that no file name of common systems has. */
const refused = /[/\\:*?"<>|\0-\x1f\x7f-\x9f]/g;
/** Marks that turn the direction of a text, so that an ending looks like another one. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** File name from a text, with what follows it: `AC/DC` and ` (WebM).webm` are `AC-DC (WebM).webm`. */
export function fileNameFrom(text: string, end: string): string {
  const stem = cleaned(text.slice(0, 4 * maxLength))
    .replace(/^[\s.]+/, '')
    .trim();
  const own = stem === '' ? 'untitled' : device.test(stem) ? `_${stem}` : stem;
  const tail = truncateUtf8(cleaned(end), 120);
  return truncateUtf8(own, maxLength - bytesOf(tail)).trimEnd() + tail;
}

/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

const cleaned = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(turning, '').replace(refused, '-');

/** Too long a name loses its middle and keeps its extension. */
function shortened(name: string): string {
  if (bytesOf(name) <= maxLength) return name;
  const { stem, extension } = splitName(name);
  const end = bytesOf(extension) > 40 ? '' : extension;
  return truncateUtf8(stem, maxLength - bytesOf(end)) + end;
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

/** Names of one folder, none of which is another one in capitals: the second of a name is `a (2).mov`. */
export class FolderNames {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, number>();

  /** The name, or the next one that is free. */
  take(name: string): string {
    const { stem, extension } = splitName(name);
    for (let free = name; ; ) {
      const key = free.toLowerCase();
      if (!this.#taken.has(key)) {
        this.#taken.add(key);
        return free;
      }
      const number = (this.#last.get(name.toLowerCase()) ?? 1) + 1;
      this.#last.set(name.toLowerCase(), number);
      free = `${stem} (${number})${extension}`;
    }
  }
}
