/** Compares by UTF-8 bytes, equal to code points. The usual comparison of texts differs above U+FFFF. */
export function inByteOrder(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** Rank of a code unit. Surrogates stand for characters above all others. */
const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit > 0xdfff ? unit - 0x800 : unit + 0x2000);

/** Cursor behind all texts of a folder. `folder`: with "/" at its end, or empty for all texts. */
export const afterAllIn = (folder = ''): string => `${folder}\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}`;
