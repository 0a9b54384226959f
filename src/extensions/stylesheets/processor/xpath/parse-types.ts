import { StylesheetFails, shown } from '../fails.ts';
import type { NodeKind } from '../tree/node.ts';
import type { NodeTest, Occurs, SequenceType } from './ast.ts';
import { type Names, parts, type Reader, readerOf } from './lexer.ts';

export const schemaUri = 'http://www.w3.org/2001/XMLSchema';

const kinds: Readonly<Record<string, NodeKind | 'node'>> = {
  node: 'node',
  text: 'text',
  comment: 'comment',
  'processing-instruction': 'processing-instruction',
  element: 'element',
  attribute: 'attribute',
  'document-node': 'document',
};

/** A name, a wildcard or a kind of node, as steps of that axis name them. */
export function parseNodeTest(reader: Reader, axis: string): NodeTest {
  const { next, peek, takes, expect, address, names } = reader;
  const { type, text } = next();
  const own = axis === 'attribute' ? 'attribute' : axis === 'namespace' ? 'namespace' : 'element';
  if (text === '*' && type === 'symbol') return { kind: own };
  if (type !== 'name') throw new StylesheetFails(`Expected the name of a node: found ${shown(text)}`);
  const paren = peek();
  if (paren.type === 'symbol' && paren.text === '(' && Object.hasOwn(kinds, text)) {
    expect('(');
    const kind = kinds[text]!;
    let inside: NodeTest = { kind };
    const named = peek();
    if (kind === 'processing-instruction' && (named.type === 'string' || named.type === 'name')) {
      inside = { kind, local: next().text };
    } else if (kind === 'document' && named.type === 'name') {
      parseNodeTest(reader, 'child');
    } else if (!takes(')')) {
      inside = { ...parseNodeTest(reader, kind === 'attribute' ? 'attribute' : 'child'), kind };
      if (takes(',')) {
        next();
        takes('?');
      }
    } else return inside;
    expect(')');
    return inside;
  }
  const [prefix, local] = parts(text);
  if (prefix === '*') return { kind: own, local };
  const uri = prefix !== '' ? address(prefix) : own === 'element' ? names.defaultValue : '';
  return local === '*' ? { kind: own, uri } : { kind: own, uri, local };
}

/** `xs:string?`, `element(a)*`, `item()+`. `isSingle`: casts know no lists. */
export function parseSequenceType(reader: Reader, isSingle = false): SequenceType {
  const { peek, next, takes, expect, address } = reader;
  const { type, text } = peek();
  const isCall = peek(1).type === 'symbol' && peek(1).text === '(';
  let of: SequenceType['of'];
  if (isCall && (text === 'item' || text === 'empty-sequence')) {
    next();
    expect('(');
    expect(')');
    of = text === 'item' ? 'item' : 'empty';
  } else if (isCall) {
    of = parseNodeTest(reader, text === 'attribute' ? 'attribute' : 'child');
  } else if (type === 'name') {
    next();
    const [prefix, local] = parts(text);
    if (prefix === '' || address(prefix) !== schemaUri) {
      throw new StylesheetFails(`Expected a type of XML Schema such as xs:string: found ${shown(text)}`);
    }
    of = local;
  } else {
    throw new StylesheetFails(`Expected a type: found ${shown(text)}`);
  }
  const signs: readonly Occurs[] = isSingle ? ['?'] : ['?', '*', '+'];
  return { of, occurs: signs.find((sign) => takes(sign)) ?? '' };
}

export function parseType(source: string, names: Names): SequenceType {
  const reader = readerOf(source, names);
  const type = parseSequenceType(reader);
  reader.end();
  return type;
}
