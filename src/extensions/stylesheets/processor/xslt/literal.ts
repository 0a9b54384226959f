import { StylesheetFails } from '../fails.ts';
import { type Name, scopeOf } from '../tree/node.ts';
import { attributeSetsOf } from './attribute-sets.ts';
import { compileBody } from './body.ts';
import { does, type Instruction } from './instruction.ts';
import { xslUri } from './names.ts';
import { addressesOf, isXsl, type Static } from './static.ts';
import { compileText } from './template-text.ts';

/** XSLT attributes on literal result elements. */
const onLiterals = new Set(
  'version xpath-default-namespace default-collation exclude-result-prefixes extension-element-prefixes use-attribute-sets type validation inherit-namespaces'.split(
    ' ',
  ),
);

/** Namespaces excluded from results at this element. */
function excludedAt({ node }: Static): ReadonlySet<string> {
  const excludedUris = new Set([xslUri]);
  for (let at: typeof node | undefined = node; at; at = at.parent) {
    if (at.kind !== 'element') continue;
    for (const name of ['exclude-result-prefixes', 'extension-element-prefixes']) {
      const list = isXsl(at) ? at.attribute(name) : at.attribute(name, xslUri);
      for (const uri of addressesOf(list, at)) excludedUris.add(uri);
    }
  }
  return excludedUris;
}

/** Namespaces to be declared, without those declared by the enclosing result element. */
function declaredAt(place: Static): ReadonlyMap<string, string> {
  const { node, known } = place;
  const { parent } = node;
  const outer = parent?.kind === 'element' && !isXsl(parent) ? parent : undefined;
  const saysMore = node.namespaces !== undefined || node.attributes.some(({ name }) => name.uri === xslUri);
  if (outer && !saysMore) return new Map();
  const outerScope = outer && scopeOf(outer);
  const excluded = excludedAt(place);
  const pairs = [...scopeOf(node)].flatMap(([prefix, uri]) => {
    const alias = known.aliases.get(uri);
    if (alias) return [[alias.prefix, alias.uri] as const];
    return outerScope?.get(prefix) === uri || excluded.has(uri) ? [] : [[prefix, uri] as const];
  });
  return new Map(pairs);
}

/** An element of the result, as it stands in the stylesheet. */
export function compileLiteral(place: Static): Instruction {
  const { node, known } = place;
  const { aliases } = known;
  const renamed = (name: Name): Name => {
    const alias = aliases.get(name.uri);
    return alias === undefined ? name : { ...alias, local: name.local };
  };
  const declared = declaredAt(place);
  const attributes = node.attributes.filter(({ name }) => name.uri !== xslUri);
  const unknown = node.attributes.find(({ name }) => name.uri === xslUri && !onLiterals.has(name.local));
  if (unknown) throw new StylesheetFails(`Expected no attribute "${unknown.name.prefix}:${unknown.name.local}"`);
  const compiledAttributes = attributes.map(({ name, value }) => [renamed(name), compileText(value, place)] as const);
  const sets = attributeSetsOf(place, node.attribute('use-attribute-sets', xslUri));
  const body = compileBody(place);
  const name = renamed(node.name);
  return does((at, out) => {
    out.element(name);
    out.namespaces(declared);
    sets(at, out);
    for (const [attribute, text] of compiledAttributes) out.attribute(attribute, text(at));
    body(at, out);
    out.end();
  });
}
