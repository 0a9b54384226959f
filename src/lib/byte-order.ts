/** In the order of UTF-8 bytes, which is that of code points. Comparing texts differs from it above U+FFFF. */
export function inByteOrder(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** Of a code unit: surrogates stand for characters above all others. */
const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit > 0xdfff ? unit - 0x800 : unit + 0x2000);

/** Behind all texts of a folder: the folder with "/" at its end, or nothing for all texts there are. */
export const behindAll = (folder = ''): string => `${folder}\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}`;
