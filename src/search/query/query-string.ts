import { and, type Node, not, or } from './ast.ts';
import { badSearch } from './refusals.ts';

/** What a query text is made of: one word, a phrase, or a range. */
export interface Leaves {
  word(text: string): Node;
  phrase(text: string): Node;
  range(from: string, to: string, open: readonly [from: boolean, to: boolean]): Node;
}

type Lexeme =
  | { readonly is: 'word' | 'phrase'; readonly text: string }
  | { readonly is: 'range'; readonly from: string; readonly to: string; readonly open: readonly [boolean, boolean] }
  | { readonly is: 'AND' | 'OR' | 'NOT' | '+' | '-' | '(' | ')' };

const lexeme =
  /\s*(?:"([^"]*)"(?:~\d*)?|([[{])\s*(\S+)\s+TO\s+([^\s\]}]+)\s*([\]}])|([()])|([+-])(?=\S)|(AND|OR|NOT|&&|\|\|)(?=[\s(]|$)|([^\s()"]+))/y;
const most = 200;
const deepest = 20;

/** Words, `"phrases"`, AND, OR, NOT, `+` and `-`, parentheses, and ranges `[a TO b]`. Words side by side: all of them. */
export function queryOf(text: string, leaves: Leaves): Node {
  const lexemes = lexemesOf(text);
  let at = 0;
  const peek = () => lexemes[at]?.is;

  function alternatives(depth: number): Node {
    if (depth > deepest) throw badSearch('text', `Expected at most ${deepest} levels of parentheses`);
    const nodes = [sequence(depth)];
    while (peek() === 'OR') {
      at++;
      nodes.push(sequence(depth));
    }
    return or(nodes);
  }

  function sequence(depth: number): Node {
    const nodes: Node[] = [];
    for (let next = peek(); next !== undefined && next !== 'OR' && next !== ')'; next = peek()) {
      if (next === 'AND' || next === '+') at++;
      else nodes.push(single(depth));
    }
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
    if (next?.is === 'word') return leaves.word(next.text);
    if (next?.is === 'phrase') return leaves.phrase(next.text);
    if (next?.is === 'range') return leaves.range(next.from, next.to, next.open);
    throw badSearch('text', 'Expected a word behind the operator', text);
  }

  const node = alternatives(0);
  if (at < lexemes.length) throw badSearch('text', 'Expected an opening parenthesis', text);
  return node;
}

function lexemesOf(text: string): readonly Lexeme[] {
  const found: Lexeme[] = [];
  lexeme.lastIndex = 0;
  let end = 0;
  for (let match = lexeme.exec(text); match !== null && match[0].length > 0; match = lexeme.exec(text)) {
    end = lexeme.lastIndex;
    const [, phrase, opens, from, to, closes, parenthesis, sign, operator, word] = match;
    if (found.length >= most) throw badSearch('text', `Expected at most ${most} words and operators in one text`);
    if (phrase !== undefined) found.push({ is: 'phrase', text: phrase });
    else if (opens !== undefined) {
      found.push({ is: 'range', from: from!, to: to!, open: [opens === '{', closes === '}'] });
    } else if (parenthesis !== undefined) found.push({ is: parenthesis as '(' | ')' });
    else if (sign !== undefined) found.push({ is: sign as '+' | '-' });
    else if (operator !== undefined) {
      found.push({ is: operator === '&&' ? 'AND' : operator === '||' ? 'OR' : (operator as 'AND' | 'OR' | 'NOT') });
    } else found.push({ is: 'word', text: word!.replace(/~\d*(?:\.\d+)?$/, '') });
  }
  if (text.slice(end).trim() !== '') throw badSearch('text', 'Expected words, phrases and operators', text.slice(end));
  return found;
}
