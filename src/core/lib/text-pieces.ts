import { nextTurn } from './turn.ts';

/** Characters that become bytes in one turn of the loop. */
export const piece = 256 * 1024;

/** A text as UTF-8. The loop is given back when pieces of `most` characters are made. */
export async function* piecesOf(
  text: string | readonly string[],
  most = piece,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const utf8 = new TextEncoder();
  let length = 0;
  for (const part of typeof text === 'string' ? [text] : text) {
    for (let at = 0; at < part.length; ) {
      const end = pieceEnd(part, at + most);
      length += end - at;
      if (length > most) {
        await nextTurn();
        length = end - at;
      }
      yield utf8.encode(part.slice(at, end));
      at = end;
    }
  }
}

/** End of a piece of at most this length, without splitting a surrogate pair. */
export function pieceEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
