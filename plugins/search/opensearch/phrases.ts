import type { EngineCondition, EngineToken } from '../../../src/spi/index.ts';
import { type Dsl, either, everything } from './dsl.ts';
import { valueGap } from './fields.ts';

type Phrase = Extract<EngineCondition, { is: 'phrase' }>;

/** Tokens of a phrase in any order of which some may fit the same word. Each order becomes a query. */
const maxOrdered = 4;
/** Edits that the engine can compute. */
const maxEdits = 2;

/** Why the engine does not answer the phrase. */
export function phraseDefect({ tokens, slop: max }: Phrase): string | undefined {
  const [slop, isAnyOrder] = [max ?? 0, max !== undefined];
  if (slop + tokens.length > valueGap - 100)
    return `Expected tokens with at most ${valueGap - 100} words between: ${slop}`;
  const distance = Math.max(0, ...tokens.map(({ kind, distance: edits }) => (kind === 'near' ? (edits ?? 0) : 0)));
  if (distance > maxEdits) return `Expected an edit distance of at most ${maxEdits}: ${distance}`;
  if (isAnyOrder && tokens.length > maxOrdered && mayOverlap(tokens))
    return `Expected at most ${maxOrdered} words in any order if two of them may be the same one: ${tokens.length}`;
  return undefined;
}

/** Query for documents with the phrase in one of the fields. */
export function phraseDsl(phrase: Phrase): Dsl {
  const { spans, in: part } = phrase;
  const letter = part === 'words' ? 'w' : 'f';
  const prefixes = spans === 'all' ? ['u', 't'] : [spans === 'untimed' ? 'u' : 't'];
  return either(prefixes.map((prefix) => inField(`${prefix}${letter}`, phrase)));
}

function inField(field: string, { tokens, slop }: Phrase): Dsl {
  const [first] = tokens;
  if (first === undefined) return everything;
  if (tokens.length === 1) return tokenDsl(field, first);
  // Slop of 0 differs from none: any order.
  if (slop === undefined) return tokens.every(isWord) ? wholePhrase(field, tokens) : ordered(field, tokens, 0);
  if (!mayOverlap(tokens)) return { span_near: { clauses: spansOf(field, tokens), slop, in_order: false } };
  // Unordered spans take one word for two tokens. Ordered ones do not.
  return either(ordersOf(tokens).map((order) => ordered(field, order, slop)));
}

const isWord = ({ kind }: EngineToken): boolean => kind === 'word';

const wholePhrase = (field: string, tokens: readonly EngineToken[]): Dsl => ({
  match_phrase: { [field]: { query: tokens.map(({ text }) => text).join(' ') } },
});

const ordered = (field: string, tokens: readonly EngineToken[], slop: number): Dsl => ({
  span_near: { clauses: spansOf(field, tokens), slop, in_order: true },
});

const spansOf = (field: string, tokens: readonly EngineToken[]): readonly Dsl[] =>
  tokens.map((token) => {
    const isTerm = isWord(token) || (token.kind === 'near' && !token.distance);
    return isTerm ? { span_term: { [field]: token.text } } : { span_multi: { match: tokenDsl(field, token, false) } };
  });

function tokenDsl(field: string, { text, kind, distance = 0, fixed = 0 }: EngineToken, isAlone = true): Dsl {
  // Alone all words count, however many fit. In spans each word becomes a clause.
  const rewrite = isAlone ? { rewrite: 'constant_score' } : {};
  switch (kind) {
    case 'word':
      return { term: { [field]: { value: text } } };
    case 'start':
      return { prefix: { [field]: { value: text, ...rewrite } } };
    case 'pattern':
      return { wildcard: { [field]: { value: escapedPattern(text), ...rewrite } } };
    case 'near':
      if (distance === 0) return { term: { [field]: { value: text } } };
      return {
        fuzzy: {
          [field]: {
            ...{ value: text, fuzziness: distance, prefix_length: fixed, transpositions: false },
            ...(isAlone ? rewrite : { rewrite: 'scoring_boolean' }),
          },
        },
      };
  }
}

/** The engine reads a backslash as the escape of the next character. */
export const escapedPattern = (pattern: string): string => pattern.replaceAll('\\', '\\\\');

/** Whether one word may fit two tokens. */
function mayOverlap(tokens: readonly EngineToken[]): boolean {
  return tokens.some((one, index) => tokens.slice(index + 1).some((other) => overlaps(one, other)));
}

function overlaps(one: EngineToken, other: EngineToken): boolean {
  if (isWord(one) && isWord(other)) return one.text === other.text;
  const [simple, ...rest] = [one, other].filter(({ kind }) => kind === 'word' || kind === 'start');
  if (simple === undefined || rest.length === 0) return true;
  const [start, word] = one.kind === 'start' ? [one, other] : [other, one];
  return word.text.startsWith(start.text) || (word.kind === 'start' && start.text.startsWith(word.text));
}

function ordersOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length <= 1) return [list];
  return list.flatMap((first, index) => ordersOf(list.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}
