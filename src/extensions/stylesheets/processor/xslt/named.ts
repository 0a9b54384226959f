import { StylesheetFails, shown } from '../fails.ts';
import { type Name, xmlnsUri, xmlUri } from '../tree/node.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import { parts } from '../xpath/lexer.ts';
import { attributeSetsOf } from './attribute-sets.ts';
import { type CompileInstruction, compileBody, compileContent } from './body.ts';
import { does } from './instruction.ts';
import { isNcName, type Static } from './static.ts';
import { textAttribute } from './template-text.ts';

/** The name that an instruction gives to what it makes. */
function compileName(place: Static, isAttribute: boolean): (at: Dynamic) => Name {
  const name = textAttribute(place, 'name')!;
  const namespace = textAttribute(place, 'namespace');
  return (at) => {
    const text = name(at).trim();
    const [prefix, local] = parts(text);
    const isName = isNcName(local) && (prefix === '' || isNcName(prefix)) && text !== 'xmlns' && prefix !== 'xmlns';
    if (!isName)
      throw new StylesheetFails(
        `Expected the name of ${isAttribute ? 'an attribute' : 'an element'}: found ${shown(text)}`,
      );
    const namespaceUri = namespace?.(at);
    if (namespaceUri === xmlnsUri) throw new StylesheetFails(`Expected another namespace than ${shown(namespaceUri)}`);
    if (namespaceUri === xmlUri) return { prefix: 'xml', local, uri: namespaceUri };
    if (namespaceUri !== undefined)
      return { prefix: namespaceUri === '' || prefix === 'xml' ? '' : prefix, local, uri: namespaceUri };
    const uri = prefix === '' && isAttribute ? '' : place.uriOf(prefix);
    if (uri === undefined) throw new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`);
    return { prefix, local, uri };
  };
}

export const elementInstruction: CompileInstruction = (place) => {
  const name = compileName(place, false);
  const sets = attributeSetsOf(place);
  const body = compileBody(place);
  return does((at, out) => {
    out.element(name(at));
    sets(at, out);
    body(at, out);
    out.end();
  });
};

export const attributeInstruction: CompileInstruction = (place) => {
  const name = compileName(place, true);
  const text = compileContent(place, textAttribute(place, 'separator'));
  return does((at, out) => {
    const content = text(at);
    at.run.budget.text(content.length);
    out.attribute(name(at), content);
  });
};

export const namespaceInstruction: CompileInstruction = (place) => {
  const name = textAttribute(place, 'name')!;
  const text = compileContent(place);
  return does((at, out) => {
    const [prefix, uri] = [name(at).trim(), text(at)];
    const fits = (prefix === '' || isNcName(prefix)) && prefix !== 'xmlns' && (prefix === 'xml') === (uri === xmlUri);
    if (!fits || uri === '' || uri === xmlnsUri)
      throw new StylesheetFails(`Expected a prefix and the address of a namespace: found ${shown(prefix)}`);
    out.namespace(prefix, uri);
  });
};

export const processingInstruction: CompileInstruction = (place) => {
  const name = textAttribute(place, 'name')!;
  const text = compileContent(place);
  return does((at, out) => {
    const target = name(at).trim();
    if (!isNcName(target) || target.toLowerCase() === 'xml') {
      throw new StylesheetFails(`Expected the name of a processing instruction: found ${shown(target)}`);
    }
    out.instruction(target, text(at).trimStart());
  });
};
