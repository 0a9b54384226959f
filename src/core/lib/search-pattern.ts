/**
 * Translates a search pattern into the language of the database's matcher: `*` for any characters, each other character
 * for itself. Without regard to case a letter stands for both cases.
 */
export function matcherOf(value: string, ignoreCase: boolean): string {
  return Array.from(value, (character) => (character === '*' ? '*' : literal(variantsOf(character, ignoreCase)))).join(
    '',
  );
}

/** Set of characters in brackets, where only the closing bracket and the negation have a meaning. */
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
 * Maximal cost of matching, for each byte of a text. The matcher tries the part after an asterisk at each position, and
 * never goes back to an earlier asterisk. It tries the part before the first asterisk once.
 */
export function costOf(matcher: string): number {
  // In brackets an asterisk is an ordinary character, and so is an opening bracket.
  const parts = matcher.replace(/\[(?:\]|[^\]]*)[^\]]*\]/gu, (set) => 'x'.repeat(utf8.encode(set).length)).split('*');
  return Math.max(0, ...parts.slice(1).map((part) => utf8.encode(part).length));
}

/** Limit of spellings of a prefix. The matcher checks the rest of it. */
const maxSpellings = 16;

/** Prefixes that a match must begin with, in all spellings. Empty: any beginning. */
export function prefixesOf(value: string, ignoreCase: boolean): readonly string[] {
  let spellings = [''];
  for (const character of value) {
    const variants = variantsOf(character, ignoreCase);
    if (character === '*' || spellings.length * variants.length > maxSpellings) break;
    spellings = spellings.flatMap((spelling) => variants.map((variant) => spelling + variant));
  }
  return spellings[0] === '' ? [] : spellings;
}

const lastCharacter = 0x10ffff;
const surrogates = { first: 0xd800, after: 0xe000 };

/** Range of texts with the prefix, in the order of the database: inclusive start, exclusive end. */
export function rangeOf(prefix: string): readonly [from: string, to: string | null] {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.at(-1) === lastCharacter) points.pop();
  const last = points.pop();
  if (last === undefined) return [prefix, null];
  const next = last + 1 === surrogates.first ? surrogates.after : last + 1;
  return [prefix, String.fromCodePoint(...points, next)];
}

/** Whether a text is what a pattern says: `*` stands for any characters, `?` for one. It never goes back to an earlier `*`. */
export function fitsWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resumed = 0;
  while (from < text.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      resumed = from;
    } else if (wanted === '?' || (wanted !== undefined && wanted === text[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++resumed;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
