import { RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js';
import { badValue } from './error.ts';

/** Limit of a pattern, so that compiling it, or matching ten thousand characters, takes at most some milliseconds. */
const maxLength = 500;
const largestProgram = 300;
/** Bytes for the cache of a pattern. Beyond it matching is slower, still in linear time. */
const memory = 256 * 1024;

/** Compiles a pattern that matches the whole text in linear time: RE2, without backtracking. */
export function compilePattern(pattern: string, place: string): (text: string) => boolean {
  if (pattern.length > maxLength) throw badValue(place, `at most ${maxLength} characters`, pattern);
  if (intersection.test(pattern)) throw badValue(place, without('intersections of character classes'), pattern);
  if (repetitions(pattern) > largestProgram) throw tooLarge(pattern, place);
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, 0, memory);
  try {
    set.add(pattern);
    set.compile();
  } catch (error) {
    throw error instanceof RE2JSException ? refusalOf(error, pattern, place) : error;
  }
  if (set.prog.numInst() > largestProgram) throw tooLarge(pattern, place);
  return (text) => set.match(text).length > 0;
}

/** Sum of counted repetitions, which determine the size of the program. Known before compiling. */
function repetitions(pattern: string): number {
  let sum = 0;
  for (const [, least, max] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) sum += Number(max || least);
  return sum;
}

/**
 * Intersections such as `[a-z&&[^b]]`: RE2 reads them with another meaning, and the pattern would silently never match.
 */
const intersection = /(?<!\\)\[[^\]]*&&/;

/** Syntax that RE2 does not support, as found at the point of the error. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\\[1-9k]|^\(\?P$/, 'back-references'],
  [/^\(\?<?[=!]/, 'look-around'],
  [/^\(\?>/, 'atomic groups'],
  [/^(?:[*+?]|\{[\d,]+\})\+/, 'possessive repetition'],
];

const without = (what: string) => `a regular expression without ${what}, as RE2 reads them`;

function refusalOf(error: RE2JSException, pattern: string, place: string) {
  const isSyntax = error instanceof RE2JSSyntaxException;
  const [reason, at] = isSyntax ? [error.getDescription(), error.getPattern() ?? pattern] : [error.message, pattern];
  const what = unsupported.find(([form]) => form.test(at))?.[1];
  return badValue(
    place,
    what === undefined ? `a regular expression, as RE2 reads them (${reason})` : without(what),
    at,
  );
}

function tooLarge(pattern: string, place: string) {
  return badValue(place, `a regular expression of at most ${largestProgram} steps, each repetition counted`, pattern);
}
