import { badParameter, list, text } from '../../http/parameters/index.ts';
import { fitsWildcard } from '../../storage/public.ts';

/** Query parameter that requests key-value metadata in definitions. */
export const data = list(text('Keys of the metadata to answer; "*" stands for any characters, "all" for every key'));

export type KeyFilter = (key: string) => boolean;

/** Maximum cost of matching keys: characters of patterns times characters of keys. */
const mostSteps = 3_000_000;

/** Filter for requested keys. Undefined: none requested. Results are cached, since many definitions share keys. */
export function keyFilterOf(wanted: readonly string[] | undefined): KeyFilter | undefined {
  if (wanted === undefined || wanted.length === 0) return undefined;
  if (wanted.some((each) => each === 'all' || each === '*')) return () => true;
  const names = new Set(wanted.filter((each) => !each.includes('*')));
  // Only the asterisk is a wildcard; a question mark is a plain character.
  const patterns = [...new Set(wanted.filter((each) => each.includes('*')))];
  const cost = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  const answers = new Map<string, boolean>();
  let steps = 0;
  return (key) => {
    if (names.has(key)) return true;
    if (patterns.length === 0) return false;
    const before = answers.get(key);
    if (before !== undefined) return before;
    steps += cost * key.length;
    if (steps > mostSteps) throw badParameter('data', 'Expected fewer or shorter patterns, or a smaller page');
    const isMatch = patterns.some((pattern) => fitsWildcard(pattern, key));
    answers.set(key, isMatch);
    return isMatch;
  };
}
