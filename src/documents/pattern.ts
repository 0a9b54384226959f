import { RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js';
import { badValue } from './bad-value.ts';

/** So that no pattern takes more than some milliseconds to compile, nor for ten thousand characters to match. */
const longest = 500;
const largestProgram = 300;
/** What a pattern may remember to be fast, in bytes. Beyond it, it is slower, still in linear time. */
const memory = 256 * 1024;

/** Matches the whole text, in time proportional to it whatever the pattern: RE2, no backtracking. */
export function compilePattern(pattern: string, place: string): (text: string) => boolean {
  if (pattern.length > longest) throw badValue(place, `at most ${longest} characters`, pattern);
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

/** What counted repetitions add up to: known before the program is made, which is what they make large. */
function repetitions(pattern: string): number {
  let sum = 0;
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) sum += Number(most || least);
  return sum;
}

/** `[a-z&&[^b]]`: RE2 reads it as something else than its author means, and nothing would say why it never matches. */
const intersection = /(?<!\\)\[[^\]]*&&/;

/** What RE2 leaves out, as it looks where it stops reading. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\\[1-9k]|^\(\?P$/, 'back-references'],
  [/^\(\?<?[=!]/, 'look-around'],
  [/^\(\?>/, 'atomic groups'],
  [/^(?:[*+?]|\{[\d,]+\})\+/, 'possessive repetition'],
];

const without = (what: string) => `a regular expression without ${what}, as RE2 reads them`;

function refusalOf(error: RE2JSException, pattern: string, place: string) {
  const known = error instanceof RE2JSSyntaxException;
  const [reason, at] = known ? [error.getDescription(), error.getPattern() ?? pattern] : [error.message, pattern];
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
