import { everything, exactKey, existsKey, fieldKey, referenceKey } from '../index/keys.ts';
import { canonical } from '../index/values.ts';
import { encoded } from '../index/words.ts';
import type { Node } from './ast.ts';
import { badSearch } from './refusals.ts';
import type { SearchToken, SearchUnit } from './terms.ts';

/**
 * Values that a condition considers. `generic`: untimed ones. `both` and `timed`: those that may be in a timespan, with
 * or without untimed ones. `sure` and `nothing`: those that are in every timespan.
 */
export type Spans = 'generic' | 'both' | 'sure' | 'timed' | 'nothing';

/** Words matched by patterns. */
export type Expansions = ReadonlyMap<string, readonly string[]>;

/** Maximum words per text with wildcards. */
export const maxWords = 128;

const columns = {
  words: { generic: 'gw', sure: 'gw', timed: 'tw', both: '{gw tw}' },
  fieldWords: { generic: 'gp', sure: 'gp', timed: 'tp', both: '{gp tp}' },
  keys: { generic: 'gk', sure: 'gk', timed: 'tk', both: '{gk tk}' },
} as const;

/** Query without any hit: no such key exists. */
const nothing = 'gk : "none"';

/** Query of the text index equivalent to the node. Undefined: the text index alone cannot decide. */
export function matchOf(node: Node, spans: Spans, expansions: Expansions): string | undefined {
  const inner = (each: Node, inSpans = spans) => matchOf(each, inSpans, expansions);
  switch (node.is) {
    case 'all':
      return `gk : "${everything}"`;
    case 'none':
      return nothing;
    case 'words':
      return wordsMatch(node, spans, expansions);
    case 'near':
      return nearMatch(node, spans);
    case 'reference':
      return keyMatch(referenceKey(node.uuid), spans);
    case 'value': {
      const key = fieldKey(node.field.name);
      if (node.test.is === 'some') return keyMatch(existsKey(key), spans);
      return node.test.is === 'equals' ? keyMatch(exactKey(key, canonical(node.test.value)), spans) : undefined;
    }
    case 'or': {
      const parts = node.of.map((each) => inner(each));
      return parts.includes(undefined) ? undefined : `(${parts.join(' OR ')})`;
    }
    case 'not': {
      const part = inner(node.of, opposite(spans));
      return part === undefined ? undefined : `(gk : "${everything}" NOT ${part})`;
    }
    case 'and':
      return andMatch(node.of, spans, expansions);
    default:
      return undefined;
  }
}

/** Spans under a NOT: possible values become certain ones, and the reverse. */
export const opposite = (spans: Spans): Spans => opposites[spans];

const opposites = { generic: 'generic', both: 'sure', sure: 'both', timed: 'nothing', nothing: 'timed' } as const;

function andMatch(nodes: readonly Node[], spans: Spans, expansions: Expansions): string | undefined {
  const wanted = nodes.filter(({ is }) => is !== 'not').map((each) => matchOf(each, spans, expansions));
  const refused = nodes.flatMap((each) => (each.is === 'not' ? [matchOf(each.of, opposite(spans), expansions)] : []));
  if (wanted.includes(undefined) || refused.includes(undefined)) return undefined;
  const base = wanted.length === 0 ? `gk : "${everything}"` : wanted.join(' AND ');
  return refused.reduce<string>((text, part) => `(${text} NOT ${part})`, `(${base})`);
}

function keyMatch(key: string, spans: Spans): string {
  return spans === 'nothing' ? nothing : `${columns.keys[spans]} : "${key}"`;
}

function wordsMatch({ field, units }: Extract<Node, { is: 'words' }>, spans: Spans, expansions: Expansions): string {
  if (spans === 'nothing') return nothing;
  const tokens = tokensIn(units);
  if (tokens.length === 0) return field ? keyMatch(existsKey(fieldKey(field.name)), spans) : `gk : "${everything}"`;
  const prefix = field ? fieldKey(field.name) : '';
  const phrases = phrasesOf(tokens, prefix, expansions);
  if (phrases.length === 0) return nothing;
  const column = columns[field ? 'fieldWords' : 'words'][spans];
  return phrases.length === 1 ? `${column} : ${phrases[0]}` : `${column} : (${phrases.join(' OR ')})`;
}

/**
 * Approximation with false hits, since words of two values may be near each other. It selects the metadata to read, and
 * cannot decide untimed values.
 */
function nearMatch({ field, tokens, distance }: Extract<Node, { is: 'near' }>, spans: Spans): string | undefined {
  if (spans === 'generic') return undefined;
  if (spans === 'sure' || spans === 'nothing') return nothing;
  const prefix = field ? fieldKey(field.name) : '';
  const phrases = tokens.map(({ text, kind }) => `"${prefix}${encoded(text)}"${kind === 'start' ? ' *' : ''}`);
  const column = columns[field ? 'fieldWords' : 'words'][spans];
  return `${column} : NEAR(${phrases.join(' ')}, ${distance + Math.max(tokens.length - 2, 0)})`;
}

/** Drops single stars, which match any word. */
export const tokensIn = (units: readonly SearchUnit[]): readonly SearchToken[] =>
  units.flat().filter(({ text }) => text !== '');

/** Tokens to be expanded to words: patterns, near words, and prefixes in front of other words. */
export const isLookedUp = ({ kind }: SearchToken, index: number, all: readonly SearchToken[]): boolean =>
  kind === 'pattern' || kind === 'near' || (kind === 'start' && index < all.length - 1);

function phrasesOf(tokens: readonly SearchToken[], prefix: string, expansions: Expansions): readonly string[] {
  let phrases = [''];
  for (const [index, token] of tokens.entries()) {
    const words = isLookedUp(token, index, tokens) ? (expansions.get(keyOf(token)) ?? []) : [token.text];
    const before = index === 0 ? prefix : ` ${prefix}`;
    phrases = phrases.flatMap((phrase) => words.map((word) => `${phrase}${before}${encoded(word)}`));
    if (phrases.length > maxWords) throw tooManyWords(tokens.map(({ text }) => text).join(' '));
  }
  const end = tokens.at(-1)!.kind === 'start' ? ' *' : '';
  return phrases.map((phrase) => `"${phrase}"${end}`);
}

export const keyOf = ({ kind, text, distance }: SearchToken): string =>
  kind === 'start' ? `${text}*` : kind === 'near' ? `${text}~${distance}` : text;

export const tooManyWords = (text: string) =>
  badSearch('text', `Expected a text with wildcards or near words that fits at most ${maxWords} words`, text);
