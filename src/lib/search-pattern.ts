/**
 * What callers search with, in the language of the database's matcher: `*` for any characters, and each other character
 * for itself. Without regard to case a letter stands for itself in either case.
 */
export function matcherOf(value: string, ignoreCase: boolean): string {
  return Array.from(value, (character) => (character === '*' ? '*' : literal(variantsOf(character, ignoreCase)))).join(
    '',
  );
}

/** In brackets nothing else has a meaning, but for the bracket that closes them and the sign that negates. */
function literal(variants: readonly string[]): string {
  const [only = ''] = variants;
  if (variants.length === 1) return '?[*'.includes(only) ? `[${only}]` : only;
  return `[${variants.join('')}]`;
}

function variantsOf(character: string, ignoreCase: boolean): readonly string[] {
  if (!ignoreCase) return [character];
  // Not what becomes more than one character: that could not stand in one place.
  const cased = [character.toLowerCase(), character.toUpperCase()].filter((variant) => [...variant].length === 1);
  return [...new Set([character, ...cased])];
}

const utf8 = new TextEncoder();

/**
 * What one byte of a text costs the database's matcher at most. The matcher tries the part behind an asterisk at each
 * place of the text, and never goes back to an earlier asterisk. It tries the part before the first one once.
 */
export function costOf(matcher: string): number {
  // In brackets an asterisk is a character like others, and so is what would open brackets.
  const parts = matcher.replace(/\[(?:\]|[^\]]*)[^\]]*\]/gu, (set) => 'x'.repeat(utf8.encode(set).length)).split('*');
  return Math.max(0, ...parts.slice(1).map((part) => utf8.encode(part).length));
}

/** More spellings of one prefix than this, and the rest of it is left to the matcher. */
const mostSpellings = 16;

/** What a match must begin with, in all its spellings; none when anything may come first. */
export function prefixesOf(value: string, ignoreCase: boolean): readonly string[] {
  let spellings = [''];
  for (const character of value) {
    const variants = variantsOf(character, ignoreCase);
    if (character === '*' || spellings.length * variants.length > mostSpellings) break;
    spellings = spellings.flatMap((spelling) => variants.map((variant) => spelling + variant));
  }
  return spellings[0] === '' ? [] : spellings;
}

const lastCharacter = 0x10ffff;
const surrogates = { first: 0xd800, after: 0xe000 };

/** From the first text with this prefix to the first that comes after them all, as the database orders texts. */
export function rangeOf(prefix: string): readonly [from: string, to: string | null] {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.at(-1) === lastCharacter) points.pop();
  const last = points.pop();
  if (last === undefined) return [prefix, null];
  const next = last + 1 === surrogates.first ? surrogates.after : last + 1;
  return [prefix, String.fromCodePoint(...points, next)];
}
