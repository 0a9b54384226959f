import { StylesheetFails, shown } from '../fails.ts';
import { Node } from '../tree/node.ts';
import { parts } from '../xpath/reader.ts';
import { empty, textOf } from '../xpath/values.ts';
import { instructionNames, xslUri } from '../xslt/names.ts';
import { type Call, type Rows, row, textIn } from './row.ts';

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

export const xsltFunctions: Rows = {
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
