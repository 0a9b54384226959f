/** Trims as the original does: everything up to and including U+0020. U+00A0 and other Unicode blanks stay. */
export function trimBlanks(text: string): string {
  return text.slice(leadingBlanks(text), trailing(text));
}

/** Number of leading characters that `trim` removes. */
export function leadingBlanks(text: string): number {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function trailing(text: string): number {
  let at = text.length;
  while (at > 0 && text.charCodeAt(at - 1) <= 0x20) at--;
  return Math.max(at, leadingBlanks(text));
}

/**
 * Whether the character ends a key: `=`, `:`, or white space of the original, without U+00A0, U+2007, U+202F and
 * U+0085.
 */
export const isSeparator = (character: string): boolean =>
  /[=:\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/.test(character);
