import { StylesheetFails, shown } from '../fails.ts';
import { Node } from '../tree/node.ts';
import type { Ast } from '../xpath/ast.ts';
import { cast, isType } from '../xpath/cast.ts';
import { parts } from '../xpath/lexer.ts';
import { schemaUri } from '../xpath/parse-types.ts';
import type { Compute, StaticContext } from '../xpath/static-context.ts';
import { atomOf, empty, onlyOf, textOf } from '../xpath/values.ts';
import { instructionNames, xslUri } from '../xslt/names.ts';
import { dateFunctions } from './dates.ts';
import { nodeFunctions } from './nodes.ts';
import { numberFunctions } from './numbers.ts';
import { patternFunctions } from './patterns.ts';
import { type Call, type FunctionRow, type Rows, row, textIn } from './row.ts';
import { sequenceFunctions } from './sequences.ts';
import { stringFunctions } from './strings.ts';

const properties = new Map([
  ['version', '2.0'],
  ['vendor', 'Portico'],
  ['vendor-url', ''],
  ['product-name', 'Portico'],
  ['product-version', '1'],
  ['is-schema-aware', 'no'],
  ['supports-serialization', 'yes'],
  ['supports-backwards-compatibility', 'yes'],
]);

/** `{address}local` of a text with a prefix. */
function nameIn(text: string, call: Pick<Call, 'uriOf'>): readonly [uri: string, local: string] {
  const [prefix, local] = parts(text.trim());
  const uri = prefix === '' ? '' : call.uriOf(prefix);
  if (uri === undefined) throw new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`);
  return [uri, local];
}

const xsltFunctions: Rows = {
  current: row(0, 0, (_given, at) => (at.current === undefined ? empty : [at.current])),
  key: row(2, 3, ([name, values = empty, top], at, call) => {
    const [uri, local] = nameIn(textIn(name, call), call);
    const within = top?.[0] ?? at.item;
    if (!(within instanceof Node)) throw new StylesheetFails('Expected a node where key() looks for others');
    const nodes = at.run.keyed(uri === '' ? local : `{${uri}}${local}`, values.map(textOf), within.root);
    at.run.budget.step(1 + nodes.length);
    return nodes;
  }),
  'current-group': row(0, 0, (_given, at) => at.around.group ?? empty),
  'current-grouping-key': row(0, 0, (_given, at) =>
    at.around.groupingKey === undefined ? empty : [at.around.groupingKey],
  ),
  'regex-group': row(1, 1, ([index], at, call) => [at.around.matched?.[Number(textIn(index, call))] ?? '']),
  'system-property': row(1, 1, ([name], _at, call) => {
    const [uri, local] = nameIn(textIn(name, call), call);
    return [(uri === xslUri && properties.get(local)) || ''];
  }),
  'element-available': row(1, 1, ([name], _at, call) => {
    const [uri, local] = nameIn(textIn(name, call), call);
    return [uri === xslUri && instructionNames.has(local)];
  }),
  'function-available': row(1, 2, ([name], _at, call) => {
    const [uri, local] = nameIn(textIn(name, call), call);
    return [call.knowsFunction(uri === '' ? local : `{${uri}}${local}`)];
  }),
  document: row(1, 2, (_given, at) => [at.run.stylesheet()]),
};

const functionsUri = 'http://www.w3.org/2005/xpath-functions';

const rows = new Map<string, FunctionRow>(
  [
    stringFunctions,
    patternFunctions,
    numberFunctions,
    sequenceFunctions,
    dateFunctions,
    nodeFunctions,
    xsltFunctions,
  ].flatMap((each) => Object.entries(each)),
);

/** A stylesheet has its input and nothing else. */
const reading = new Set([
  'document',
  'doc',
  'doc-available',
  'collection',
  'uri-collection',
  'unparsed-text',
  'unparsed-text-lines',
  'unparsed-text-available',
  'unparsed-entity-uri',
  'unparsed-entity-public-id',
  'environment-variable',
]);

/** Namespaces of functions that convert a tree to a node set. Here trees are node sets already. */
const nodeSets = new Set(['http://exslt.org/common', 'urn:schemas-microsoft-com:xslt', 'http://xml.apache.org/xalan']);

type CallAst = Extract<Ast, { readonly is: 'call' }>;

const keyOf = (uri: string, local: string): string => (uri === '' || uri === functionsUri ? local : `{${uri}}${local}`);

export function functionNamed(
  { uri, local, given }: CallAst,
  place: StaticContext,
  compile: (ast: Ast) => Compute,
): Compute {
  const key = keyOf(uri, local);
  const all = given.map(compile);
  if (uri === schemaUri) return constructorOf(local, all, place);
  if (nodeSets.has(uri) && (local === 'node-set' || local === 'nodeset') && all.length === 1) return all[0]!;
  const own = `${key}#${given.length}`;
  if (uri !== '' && place.knowsFunction(own)) {
    return (at) =>
      at.run.callFunction(
        own,
        all.map((each) => each(at)),
        at,
      );
  }
  const [first] = given;
  const isItself = local === 'document' && first?.is === 'literal' && first.value === '';
  if (uri === '' && reading.has(local) && !isItself) {
    throw new StylesheetFails(`Expected no call of ${local}(): a stylesheet reads nothing but its input`);
  }
  const row = rows.get(key);
  if (!row) throw new StylesheetFails(`Expected a function that is known here: found ${shown(`${local}()`)}`);
  return withRow(row, local, all, place);
}

function withRow(
  { least, max, onContext, run }: FunctionRow,
  name: string,
  all: readonly Compute[],
  place: StaticContext,
): Compute {
  if (all.length < least || all.length > max) {
    const expected = least === max ? `${least}` : `${least} to ${max}`;
    throw new StylesheetFails(`Expected ${expected} values in a call of ${name}(): found ${all.length}`);
  }
  const call: Call = {
    name,
    isOld: place.isOld,
    uriOf: place.uriOf,
    knowsFunction: (key) => rows.has(key) || [0, 1, 2, 3, 4, 5].some((count) => place.knowsFunction(`${key}#${count}`)),
  };
  const usesContext = onContext && all.length < max;
  return (at) => {
    at.run.budget.step();
    const values = all.map((each) => each(at));
    if (usesContext) values.push(at.item === undefined ? empty : [at.item]);
    return run(values, at, call);
  };
}

/** Constructor of a type, such as `xs:date("2026-01-01")`. */
function constructorOf(type: string, all: readonly Compute[], { isOld }: StaticContext): Compute {
  const [argument] = all;
  if (!isType(type) || type === 'QName' || argument === undefined || all.length > 1) {
    throw new StylesheetFails(`Expected a type of XML Schema and one value: found ${shown(`xs:${type}()`)}`);
  }
  return (at) => {
    at.run.budget.step();
    const item = onlyOf(argument(at), isOld, `for xs:${type}()`);
    return item === undefined ? empty : [cast(type, atomOf(item))];
  };
}
