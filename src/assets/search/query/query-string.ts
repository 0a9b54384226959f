import { and, type Node, not, or } from './ast.ts';
import { badSearch } from './refusals.ts';
import { maxDistance } from './terms.ts';

/** Builder for the parts of a query text: words, phrases and ranges. */
interface Leaves {
  word(text: string): Node;
  phrase(text: string): Node;
  /** A word within the edit distance. */
  near(text: string, distance: number): Node;
  /** Words within the distance of each other. */
  spread(text: string, distance: number): Node;
  /** A node with a boost for relevance. */
  boosted(node: Node, by: number): Node;
  range(from: string, to: string, open: readonly [from: boolean, to: boolean]): Node;
}

type Lexeme =
  | { readonly is: 'word' | 'phrase'; readonly text: string; readonly boost: number | undefined }
  | {
      readonly is: 'near' | 'spread';
      readonly text: string;
      readonly distance: number;
      readonly boost: number | undefined;
    }
  | { readonly is: 'range'; readonly from: string; readonly to: string; readonly open: readonly [boolean, boolean] }
  | { readonly is: 'AND' | 'OR' | 'NOT' | '+' | '-' | '(' | ')' };

const lexeme =
  /\s*(?:"([^"]*)"((?:~\d*)?(?:\^[\d.]+)?)|([[{])\s*(\S+)\s+TO\s+([^\s\]}]+)\s*([\]}])|([()])|([+-])(?=\S)|(AND|OR|NOT|&&|\|\|)(?=[\s()"]|$)|([^\s()"]+))/y;
const max = 200;
const maxDepth = 20;
/** Number of other words between those of a phrase: default and maximum. */
const [defaultSpread, maxSpread] = [2, 100];

/**
 * Parses words, near words (`word~1`), `"phrases"`, proximity (`"some words"~3`), boosts (`word^2`), AND, OR, NOT, `+`,
 * `-`, parentheses, and ranges `[a TO b]`. Adjacent words must all match.
 */
export function queryOf(text: string, leaves: Leaves): Node {
  const lexemes = lexemesOf(text);
  let at = 0;
  const peek = () => lexemes[at]?.is;

  function alternatives(depth: number): Node {
    if (depth > maxDepth) throw badSearch('text', `Expected at most ${maxDepth} levels of parentheses`);
    const nodes = [sequence(depth)];
    while (peek() === 'OR') {
      at++;
      nodes.push(sequence(depth));
    }
    return or(nodes);
  }

  function sequence(depth: number): Node {
    const nodes: Node[] = [];
    const begin = at;
    for (let next = peek(); next !== undefined && next !== 'OR' && next !== ')'; next = peek()) {
      if (next === 'AND' || next === '+') at++;
      else nodes.push(single(depth));
    }
    // An empty operand of OR would match everything.
    const isBesideOr = peek() === 'OR' || lexemes[begin - 1]?.is === 'OR';
    if (nodes.length === 0 && isBesideOr) throw badSearch('text', 'Expected a word on both sides of OR', text);
    return and(nodes);
  }

  function single(depth: number): Node {
    const next = lexemes[at++];
    if (next?.is === 'NOT' || next?.is === '-') return not(single(depth));
    if (next?.is === '(') {
      const inner = alternatives(depth + 1);
      if (lexemes[at++]?.is !== ')') throw badSearch('text', 'Expected a closing parenthesis', text);
      return inner;
    }
    if (next?.is === 'word' || next?.is === 'phrase' || next?.is === 'near' || next?.is === 'spread') {
      const node = 'distance' in next ? leaves[next.is](next.text, next.distance) : leaves[next.is](next.text);
      return next.boost === undefined ? node : leaves.boosted(node, next.boost);
    }
    if (next?.is === 'range') return leaves.range(next.from, next.to, next.open);
    throw badSearch('text', 'Expected a word behind the operator', text);
  }

  const node = alternatives(0);
  if (at < lexemes.length) throw badSearch('text', 'Expected an opening parenthesis', text);
  return node;
}

function lexemesOf(text: string): readonly Lexeme[] {
  const lexemes: Lexeme[] = [];
  lexeme.lastIndex = 0;
  let end = 0;
  for (let match = lexeme.exec(text); match !== null && match[0].length > 0; match = lexeme.exec(text)) {
    end = lexeme.lastIndex;
    const [, phrase, ending = '', opens, from, to, closes, parenthesis, sign, operator, word] = match;
    if (lexemes.length >= max) throw badSearch('text', `Expected at most ${max} words and operators in one text`);
    if (phrase !== undefined) {
      const [, wave, number] = /^(~)?(\d*)/.exec(ending)!;
      const distance = number === '' ? defaultSpread : Number(number);
      if (distance > maxSpread)
        throw badSearch('text', `Expected at most ${maxSpread} other words between those of a phrase`, ending);
      const boost = boostOf(ending);
      lexemes.push(
        wave === undefined ? { is: 'phrase', text: phrase, boost } : { is: 'spread', text: phrase, distance, boost },
      );
    } else if (opens !== undefined) {
      lexemes.push({ is: 'range', from: from!, to: to!, open: [opens === '{', closes === '}'] });
    } else if (parenthesis !== undefined) lexemes.push({ is: parenthesis as '(' | ')' });
    else if (sign !== undefined) lexemes.push({ is: sign as '+' | '-' });
    else if (operator !== undefined) {
      lexemes.push({ is: operator === '&&' ? 'AND' : operator === '||' ? 'OR' : (operator as 'AND' | 'OR' | 'NOT') });
    } else lexemes.push(wordOf(word!));
  }
  if (text.slice(end).trim() !== '') throw badSearch('text', 'Expected words, phrases and operators', text.slice(end));
  return lexemes;
}

const boostOf = (text: string): number | undefined => {
  const boost = /\^(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  return boost === undefined ? undefined : Number(boost);
};

/** Fractions after the tilde are similarities, as in older engines. */
function wordOf(word: string): Lexeme {
  const boost = boostOf(word);
  const written = boost === undefined ? word : word.slice(0, word.lastIndexOf('^'));
  const near = /^(.+)~(\d*(?:\.\d+)?)$/.exec(written);
  if (!near) return { is: 'word', text: written, boost };
  const [, text, number] = near;
  const wanted = number === '' ? maxDistance : Number(number);
  const isFraction = number!.includes('.') && wanted < 1;
  const distance = isFraction ? Math.floor((1 - wanted) * text!.length) : Math.floor(wanted);
  return { is: 'near', text: text!, distance: Math.min(distance, maxDistance), boost };
}
