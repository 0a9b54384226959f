import { compilePattern } from '../../documents/pattern.ts';
import { type QueryOf, text, whole } from '../../http/parameters/index.ts';
import type { Choice } from './store.ts';

/** Query parameters for searching an enumeration. All must match. */
export const choiceFilter = {
  'key-exact': text('Only this key'),
  'key-start': text('Only keys with this prefix'),
  'key-regex': text('Only keys that fully match this regular expression'),
  'value-exact': text('Only this value'),
  'value-start': text('Only values with this prefix'),
  'value-regex': text('Only values that fully match this regular expression'),
  hits: whole('Maximum number of entries'),
};

type Fits = (choice: Choice) => boolean;

export function filterChoices(choices: readonly Choice[], query: QueryOf<typeof choiceFilter>): readonly Choice[] {
  const filters = (['key', 'value'] as const).flatMap((part): Fits[] => {
    const exact = query[`${part}-exact`];
    const start = query[`${part}-start`];
    const regex = query[`${part}-regex`];
    const matches = regex === undefined ? undefined : compilePattern(regex, `parameter ${part}-regex`);
    return [
      ...(exact === undefined ? [] : [(choice: Choice) => choice[part] === exact]),
      ...(start === undefined ? [] : [(choice: Choice) => choice[part].startsWith(start)]),
      ...(matches ? [(choice: Choice) => choice[part].length <= longestMatched && matches(choice[part])] : []),
    ];
  });
  return choices.filter((choice) => filters.every((filter) => filter(choice))).slice(0, query.hits);
}

/** Maximum characters of an entry to match against a pattern. Longer ones never match. */
const longestMatched = 1000;
