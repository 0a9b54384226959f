import { StylesheetFails, shown } from '../fails.ts';
import { type Node, qualified, scopeOf, uriOf } from '../tree/node.ts';
import { parts } from '../xpath/lexer.ts';
import { empty, nodeOf, QName, type Sequence } from '../xpath/values.ts';
import { type Call, itemIn, ofItem, onContext, type Rows, row, textIn } from './row.ts';

const nodeIn = (given: Sequence | undefined, call: Call): Node | undefined => {
  const item = itemIn(given, call);
  return item === undefined ? undefined : nodeOf(item, `for ${call.name}()`);
};

const named = (make: (node: Node) => string) =>
  onContext(1, ([given], _at, call) => {
    const node = nodeIn(given, call);
    return [node === undefined ? '' : make(node)];
  });

const isNamed = ({ kind }: Node): boolean =>
  kind === 'element' || kind === 'attribute' || kind === 'processing-instruction';

const ofName = (make: (name: QName) => string | undefined) =>
  ofItem((item) => {
    if (item instanceof QName) return make(item);
    throw new StylesheetFails('Expected the name of a node, as node-name() and QName() make them');
  });

export const nodeFunctions: Rows = {
  name: named((node) => qualified(node.name)),
  'local-name': named((node) => node.name.local),
  'namespace-uri': named((node) => node.name.uri),
  root: onContext(1, ([given], _at, call) => {
    const node = nodeIn(given, call);
    return node === undefined ? empty : [node.root];
  }),
  'node-name': onContext(1, ([given], _at, call) => {
    const node = nodeIn(given, call);
    if (node === undefined || !isNamed(node)) return empty;
    return [new QName(node.name.prefix, node.name.local, node.name.uri)];
  }),
  'generate-id': onContext(1, ([given], _at, call) => {
    const node = nodeIn(given, call);
    return [node === undefined ? '' : `n${node.order}`];
  }),
  'base-uri': row(0, 1, () => empty),
  'document-uri': row(0, 1, () => empty),
  position: row(0, 0, (_given, at) => [at.position]),
  last: row(0, 0, (_given, at) => [at.last]),
  QName: row(2, 2, ([uri, name], _at, call) => {
    const [prefix, local] = parts(textIn(name, call));
    return [new QName(prefix, local, textIn(uri, call))];
  }),
  'resolve-QName': row(2, 2, ([name, element], _at, call) => {
    const [prefix, local] = parts(textIn(name, call));
    const uri = uriOf(nodeIn(element, call), prefix);
    if (uri === undefined) throw new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`);
    return [new QName(prefix, local, uri)];
  }),
  'prefix-from-QName': ofName(({ prefix }) => (prefix === '' ? undefined : prefix)),
  'local-name-from-QName': ofName(({ local }) => local),
  'namespace-uri-from-QName': ofName(({ uri }) => uri),
  'namespace-uri-for-prefix': row(2, 2, ([prefix, element], _at, call) => {
    const uri = uriOf(nodeIn(element, call), textIn(prefix, call));
    return uri === undefined ? empty : [uri];
  }),
  'in-scope-prefixes': row(1, 1, ([element], at, call) => {
    const node = nodeIn(element, call);
    if (node === undefined) return empty;
    const scope = scopeOf(node);
    at.run.budget.step(scope.size);
    return ['xml', ...scope.keys()];
  }),
};
