import { StylesheetFails, shown } from '../fails.ts';
import type { Arithmetic, Ast, Axis, Binding, Comparison, NodeTest } from './ast.ts';
import { foundText, type Names, parts, readerOf } from './lexer.ts';
import { parseNodeTest, parseSequenceType } from './parse-types.ts';

/** Levels of parentheses and the like. */
const maxDepth = 100;

const axes = new Set<string>([
  'child',
  'descendant',
  'attribute',
  'self',
  'descendant-or-self',
  'following-sibling',
  'following',
  'namespace',
  'parent',
  'ancestor',
  'preceding-sibling',
  'preceding',
  'ancestor-or-self',
]);
const kindTests = new Set<string>([
  'node',
  'text',
  'comment',
  'processing-instruction',
  'element',
  'attribute',
  'document-node',
]);
const values: Readonly<Record<string, Comparison>> = { eq: '=', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' };
const generals = new Set<string>(['=', '!=', '<', '<=', '>', '>=']);

const anyNode: NodeTest = { kind: 'node' };
const below: Ast = { is: 'step', axis: 'descendant-or-self', test: anyNode, predicates: [] };

/** Reads an expression of XPath 2.0. */
export function parseExpression(source: string, names: Names): Ast {
  const reader = readerOf(source, names);
  const { peek, next, takes, expect, isNext } = reader;
  let depth = 0;

  function whole(): Ast {
    if (++depth > maxDepth) throw new StylesheetFails(`Expected at most ${maxDepth} levels in ${shown(source)}`);
    const parts = [single()];
    while (takes(',')) parts.push(single());
    depth--;
    return parts.length === 1 ? parts[0]! : { is: 'sequence', of: parts };
  }

  function single(): Ast {
    if (isNext('for', '$')) return loop('for', 'return');
    if (isNext('some', '$')) return loop('some', 'satisfies');
    if (isNext('every', '$')) return loop('every', 'satisfies');
    if (isNext('if', '(')) {
      next();
      expect('(');
      const test = whole();
      expect(')');
      expect('then');
      const yes = single();
      expect('else');
      return { is: 'if', test, yes, no: single() };
    }
    return either();
  }

  function loop(is: 'for' | 'some' | 'every', word: string): Ast {
    next();
    const bindings: Binding[] = [];
    do {
      expect('$');
      const name = variableName();
      if (takes('as')) parseSequenceType(reader);
      expect('in');
      bindings.push({ name, of: single() });
    } while (takes(','));
    expect(word);
    return { is, bindings, answer: single() };
  }

  const either = leftToRight(both, (word) =>
    word === 'or' ? (left, right) => ({ is: 'or', left, right }) : undefined,
  );
  function both(): Ast {
    return all();
  }
  const all = leftToRight(compared, (word) =>
    word === 'and' ? (left, right) => ({ is: 'and', left, right }) : undefined,
  );

  function compared(): Ast {
    const left = range();
    const { text, type } = peek();
    if (type === 'symbol' && generals.has(text)) {
      next();
      return { is: 'general', sign: text as Comparison, left, right: range() };
    }
    if (type === 'symbol' && (text === '<<' || text === '>>')) {
      next();
      return { is: text, left, right: range() };
    }
    if (type === 'name' && Object.hasOwn(values, text)) {
      next();
      return { is: 'value', sign: values[text]!, left, right: range() };
    }
    if (type === 'name' && takes('is')) return { is: 'is', left, right: range() };
    return left;
  }

  function range(): Ast {
    const left = added();
    return peek().type === 'name' && takes('to') ? { is: 'to', left, right: added() } : left;
  }

  function added(): Ast {
    return sums();
  }
  const arithmetic =
    (...signs: string[]) =>
    (sign: string): Join | undefined =>
      signs.includes(sign) ? (left, right) => ({ is: 'arithmetic', sign: sign as Arithmetic, left, right }) : undefined;
  const sums = leftToRight(() => products(), arithmetic('+', '-'));
  const products = leftToRight(() => unions(), arithmetic('*', 'div', 'idiv', 'mod'));
  const unions = leftToRight(
    () => meets(),
    (sign) => (sign === '|' || sign === 'union' ? (left, right) => ({ is: 'union', left, right }) : undefined),
  );
  const meets = leftToRight(typed, (sign) =>
    sign === 'intersect' || sign === 'except' ? (left, right) => ({ is: sign, left, right }) : undefined,
  );

  function typed(): Ast {
    let left = signed();
    const words = { instance: 'of', treat: 'as', castable: 'as', cast: 'as' } as const;
    for (;;) {
      const is = (Object.keys(words) as (keyof typeof words)[]).find((word) => isNext(word, words[word]));
      if (is === undefined) return left;
      next();
      next();
      left = { is, of: left, type: parseSequenceType(reader, is === 'cast' || is === 'castable') };
    }
  }

  function signed(): Ast {
    if (takes('-')) return { is: 'minus', of: signed() };
    return takes('+') ? { is: 'arithmetic', sign: '+', left: { is: 'literal', value: 0 }, right: signed() } : path();
  }

  function path(): Ast {
    if (takes('//')) return rest(throughAll({ is: 'root' }, step()));
    if (takes('/')) return startsStep() ? rest({ is: 'slash', left: { is: 'root' }, right: step() }) : { is: 'root' };
    return rest(step());
  }

  function rest(left: Ast): Ast {
    if (takes('//')) return rest(throughAll(left, step()));
    return takes('/') ? rest({ is: 'slash', left, right: step() }) : left;
  }

  function startsStep(): boolean {
    const { type, text } = peek();
    return type === 'symbol' ? ['*', '@', '.', '..', '(', '$'].includes(text) : type !== 'end';
  }

  function step(): Ast {
    const { type, text } = peek();
    if (takes('..')) return withPredicates('parent', anyNode);
    if (takes('@')) return withPredicates('attribute', parseNodeTest(reader, 'attribute'));
    if (type === 'name' && isNextSign(1, '::')) {
      if (!axes.has(text)) throw new StylesheetFails(`Expected an axis in ${shown(source)}: found ${shown(text)}`);
      next();
      next();
      return withPredicates(text as Axis, parseNodeTest(reader, text));
    }
    const isCall = type === 'name' && isNextSign(1, '(') && !kindTests.has(text);
    if (text === '*' || (type === 'name' && !isCall)) {
      const axis = text === 'attribute' && isNextSign(1, '(') ? 'attribute' : 'child';
      return withPredicates(axis, parseNodeTest(reader, axis));
    }
    const base = primary();
    const predicates = bracketed();
    return predicates.length === 0 ? base : { is: 'filter', base, predicates };
  }

  const isNextSign = (ahead: number, text: string): boolean => {
    const token = peek(ahead);
    return token.type === 'symbol' && token.text === text;
  };

  const withPredicates = (axis: Axis, test: NodeTest): Ast => ({ is: 'step', axis, test, predicates: bracketed() });

  function bracketed(): readonly Ast[] {
    const predicates: Ast[] = [];
    while (takes('[')) {
      predicates.push(whole());
      expect(']');
    }
    return predicates;
  }

  function primary(): Ast {
    const { type, text } = peek();
    if (type === 'string' || type === 'number') {
      next();
      return { is: 'literal', value: type === 'string' ? text : Number(text) };
    }
    if (takes('$')) return { is: 'variable', name: variableName() };
    if (takes('.')) return { is: 'context' };
    if (takes('(')) {
      if (takes(')')) return { is: 'sequence', of: [] };
      const inside = whole();
      expect(')');
      // Wrapped, so that following predicates apply to the whole expression.
      return inside.is === 'step' || inside.is === 'slash' ? { is: 'sequence', of: [inside] } : inside;
    }
    if (type === 'name' && isNextSign(1, '(')) return call();
    throw new StylesheetFails(`Expected an expression in ${shown(source)}: found ${foundText(peek())}`);
  }

  function call(): Ast {
    const [prefix, local] = parts(next().text);
    const uri = prefix === '' ? '' : reader.address(prefix);
    expect('(');
    const args: Ast[] = [];
    if (!takes(')')) {
      do args.push(single());
      while (takes(','));
      expect(')');
    }
    return { is: 'call', uri, local, given: args };
  }

  function variableName(): string {
    const token = next();
    if (token.type !== 'name') {
      throw new StylesheetFails(`Expected the name of a variable in ${shown(source)}: found ${foundText(token)}`);
    }
    const [prefix, local] = parts(token.text);
    return prefix === '' ? local : `{${reader.address(prefix)}}${local}`;
  }

  type Join = (left: Ast, right: Ast) => Ast;

  function leftToRight(part: () => Ast, joinOf: (sign: string) => Join | undefined): () => Ast {
    return () => {
      let left = part();
      for (;;) {
        const { type, text } = peek();
        const join = type === 'symbol' || type === 'name' ? joinOf(text) : undefined;
        if (!join) return left;
        next();
        left = join(left, part());
      }
    };
  }

  const ast = whole();
  reader.end();
  return ast;
}

/** `//`: where no predicate counts, one axis stands for both steps and visits each node once. */
function throughAll(left: Ast, right: Ast): Ast {
  if (right.is === 'step' && right.axis === 'child' && !right.predicates.some(mayCount)) {
    return { is: 'slash', left, right: { ...right, axis: 'descendant' } };
  }
  return { is: 'slash', left: { is: 'slash', left, right: below }, right };
}

const truths = new Set(['general', 'value', 'and', 'or', 'is', 'some', 'every', 'step', 'slash', 'castable']);
const truthCalls = new Set(['not', 'contains', 'starts-with', 'ends-with', 'exists', 'empty', 'matches', 'boolean']);

/** Whether a predicate may be a number, or ask for the position. */
export function mayCount(predicate: Ast): boolean {
  const isTruth = truths.has(predicate.is) || (predicate.is === 'call' && truthCalls.has(predicate.local));
  return !isTruth || asksPosition(predicate);
}

function asksPosition(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { is, local } = given as { is?: string; local?: string };
  if (is === 'call' && (local === 'position' || local === 'last')) return true;
  return Object.values(given).some(asksPosition);
}
