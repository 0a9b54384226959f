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

export interface IniToken {
  readonly text: string;
  /** Offset in the text that was split. */
  readonly at: number;
}

interface Tokens {
  readonly tokens: readonly IniToken[];
  /** A quote was opened and never closed: the original lets it run to the end. */
  readonly open: boolean;
}

interface Quotes {
  readonly delimiter?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly keep?: boolean;
}

/**
 * Splits at delimiters outside quotes and trims. A doubled quote inside quotes is one quote; quotes vanish wherever
 * they stand, unless kept; empty parts are kept. A blank text has no parts.
 */
export function splitQuoted(
  text: string,
  { delimiter = ',', begin = '"', end = '"', keep = false }: Quotes = {},
): Tokens {
  const tokens: IniToken[] = [];
  if (trimBlanks(text) === '') return { tokens, open: false };
  let part = '';
  let start = 0;
  let inQuotes = false;
  const push = (until: number) => {
    tokens.push({ text: trimBlanks(part), at: Math.min(start + leadingBlanks(text.slice(start, until)), until) });
    part = '';
    start = until + 1;
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === begin && inQuotes && text[i + 1] === begin) {
      part += character;
      i++;
    } else if (character === begin || character === end) {
      inQuotes = !inQuotes;
      if (keep) part += character;
    } else if (character === delimiter && !inQuotes) {
      push(i);
    } else part += character;
  }
  push(text.length);
  return { tokens, open: inQuotes };
}
