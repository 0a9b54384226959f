import { RE2JS, RE2JSException } from 're2js';

/** Limit of a pattern, so that compiling takes at most some milliseconds. */
const maxLength = 1000;
const largestProgram = 2000;

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole, then its groups. */
  readonly groups: readonly (string | undefined)[];
}

interface Search {
  /** Steps for a character at worst. */
  readonly size: number;
  /** Whether all matches together take a single walk through the text. Otherwise each match may scan the rest. */
  readonly isNear: boolean;
  /** Whether there is a match. */
  any(text: string): boolean;
  /** Finds all matches. `onMatch` gets the start of each, and may throw. */
  all(text: string, onMatch: (start: number) => void): readonly Match[];
}

interface SearchFlags {
  readonly literal: boolean;
  readonly ignoresCase: boolean;
  readonly lines: boolean;
  readonly dots: boolean;
}

/** Characters of names, as XML Schema writes them. */
const nameClasses: Readonly<Record<string, string>> = {
  i: '\\p{L}_:',
  c: '\\p{L}\\p{N}\\p{M}_:.\\-',
};

const unsupported: readonly (readonly [RegExp, string])[] = [
  [/-\[/, 'subtractions of character classes'],
  [/\\[1-9]/, 'back-references'],
  [/\(\?<?[=!]/, 'look-around'],
];

/** A choice, or a group that may be left out: a shorter match stands while the search goes on for a longer one. */
const mayGoOn = /\||\)[?*{]/;
const withoutClasses = (pattern: string): string => pattern.replaceAll(/\\[\s\S]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');

const searches = new Map<string, Search>();
const maxKnown = 200;

/** Finds each match in time proportional to the text, for any pattern: RE2, no backtracking. */
export function searchOf(pattern: string, flags: SearchFlags): Search | { readonly refused: string } {
  const key = `${JSON.stringify(flags)}${pattern}`;
  const search = searches.get(key);
  if (search) return search;
  const compiled = makeSearch(pattern, flags);
  if (!('refused' in compiled)) {
    if (searches.size >= maxKnown) searches.clear();
    searches.set(key, compiled);
  }
  return compiled;
}

function makeSearch(pattern: string, flags: SearchFlags): Search | { readonly refused: string } {
  if (pattern.length > maxLength) return { refused: `a regular expression of at most ${maxLength} characters` };
  const sum = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce((all, each) => all + Number(each[2] || each[1]), 0);
  const tooLarge = { refused: `a regular expression of at most ${largestProgram} steps, each repetition counted` };
  if (sum > largestProgram / 4) return tooLarge;
  const what = flags.literal ? undefined : unsupported.find(([form]) => form.test(pattern.replaceAll('\\\\', '')))?.[1];
  if (what !== undefined) return { refused: `a regular expression without ${what}` };
  const source = flags.literal ? RE2JS.quote(pattern) : withNames(pattern);
  const { CASE_INSENSITIVE, DOTALL, MULTILINE } = RE2JS;
  const bits = (flags.ignoresCase ? CASE_INSENSITIVE : 0) | (flags.dots ? DOTALL : 0) | (flags.lines ? MULTILINE : 0);
  let program: RE2JS;
  try {
    program = RE2JS.compile(source, bits);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { refused: `a regular expression (${error.message.slice(0, 120)})` };
  }
  const size = program.programSize();
  if (size > largestProgram) return tooLarge;
  const groups = program.groupCount();
  return {
    size,
    isNear: flags.literal || !mayGoOn.test(withoutClasses(pattern)),
    any: (text) => program.test(text),
    all(text, onMatch) {
      const matcher = program.matcher(text);
      const matches: Match[] = [];
      while (matcher.find()) {
        onMatch(matcher.start());
        const parts = Array.from({ length: groups + 1 }, (_each, index) => matcher.group(index) ?? undefined);
        matches.push({ start: matcher.start(), end: matcher.end(), groups: parts });
      }
      return matches;
    },
  };
}

/** `\i` and `\c` in and out of brackets. */
function withNames(pattern: string): string {
  let within = false;
  return pattern.replaceAll(/\\([\s\S])|[[\]]/g, (all, escaped: string | undefined) => {
    if (escaped === undefined) {
      within = all === '[';
      return all;
    }
    const lower = nameClasses[escaped.toLowerCase()];
    if (lower === undefined || !/[icIC]/.test(escaped)) return all;
    if (within) return escaped === escaped.toLowerCase() ? lower : all;
    return `[${escaped === escaped.toLowerCase() ? '' : '^'}${lower}]`;
  });
}
