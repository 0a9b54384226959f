import type { SearchField } from '../documents.ts';
import { encoded } from '../index/words.ts';
import { type Fact, type Node, none, or } from './ast.ts';
import type { JoinedKind, Joins } from './joined.ts';
import { queryOf } from './query-string.ts';
import { badSearch } from './refusals.ts';
import { type SearchUnit, unitsOf } from './terms.ts';

/** Texts in criteria of linked entities, which have no metadata. */

/** Counts a part of the search, up to a limit. */
type Count = () => void;

const path: Fact = { of: 'file', name: 'path', type: 'text' };
/** Maximum characters of a pattern, and of the words of a joined row. */
export const maxPatternLength = 256;

/** Maximum texts of a criterion of joined rows: each is a query of their text index. */
const maxTexts = 32;

function refusingLong(text: string): void {
  if (text.length > maxPatternLength)
    throw badSearch('text', `Expected a text of at most ${maxPatternLength} characters`, text);
}

/** Matches the text of a file against its path. */
export function textOfFile(value: string, noescape: boolean | undefined, count: Count): Node {
  const inside = (text: string): Node => {
    count();
    refusingLong(text);
    return { is: 'fact', fact: path, test: { is: 'like', pattern: `*${text}*`, ignoresCase: true } };
  };
  return noescape ? queried(value, inside, inside) : inside(value);
}

/** Matches words of a joined row, in any order. */
export function textOfJoined(value: string, noescape: boolean | undefined, count: Count): Node {
  const word = (text: string): Node => {
    count();
    return matching(unitsIn(text).map((unit) => [unit]));
  };
  const phrase = (text: string): Node => phraseOfJoined(text, count);
  return noescape ? queried(value, word, phrase) : word(value);
}

/** Words of a joined row in their order. */
function phraseOfJoined(text: string, count: Count): Node {
  count();
  return matching([unitsIn(text)]);
}

function queried(value: string, word: (text: string) => Node, phrase: (text: string) => Node): Node {
  const range = () => {
    throw badSearch('text', 'Expected ranges in fields only', value);
  };
  return queryOf(value, { word, phrase, near: word, spread: phrase, boosted: (node) => node, range });
}

function unitsIn(text: string): readonly SearchUnit[] {
  refusingLong(text);
  const units = unitsOf(text);
  if (units.flat().some(({ kind }) => kind === 'pattern'))
    throw badSearch('text', 'Expected wildcards at the end of words only', text);
  return units;
}

/** All of the phrases. */
function matching(phrases: readonly (readonly SearchUnit[])[]): Node {
  const parts = phrases.flatMap((units) => {
    const tokens = units.flat().filter(({ text }) => text !== '');
    if (tokens.length === 0) return [];
    const end = tokens.at(-1)!.kind === 'start' ? ' *' : '';
    return [`"${tokens.map(({ text }) => encoded(text)).join(' ')}"${end}`];
  });
  return parts.length === 0 ? none : { is: 'joinedWords', match: parts.join(' AND ') };
}

type JoinedFact = { readonly fact: Fact } | { readonly words: (criterion: SearchField, count: Count) => Node };

/** Field of joined rows: a fact, or words. */
export function joinedField(joins: Joins, kind: JoinedKind, name: string): JoinedFact {
  const { fields } = joins[kind]!;
  if (!Object.hasOwn(fields, name))
    throw badSearch(`${kind}/field`, `Expected one of ${Object.keys(fields).join(', ')}`, name);
  const { type } = fields[name]!;
  if (type !== 'words') return { fact: { of: kind, name, type } };
  const exists: Node = { is: 'fact', fact: { of: kind, name, type: 'text' }, test: { is: 'some' } };
  return {
    words({ value = [], range = [] }, count) {
      if (range.length > 0) throw badSearch(`${kind}/field`, 'Expected no range of a text', name);
      if (value.length > maxTexts) throw badSearch(`${kind}/field`, `Expected at most ${maxTexts} texts`, name);
      if (value.length === 0) return exists;
      return or(
        value.map(({ value: text = '', noescape }) =>
          text.trim() === '*' ? exists : noescape ? textOfJoined(text, true, count) : phraseOfJoined(text, count),
        ),
      );
    },
  };
}
