import { StylesheetFails, shown } from '../fails.ts';
import { type DecimalFormat, defaultFormat } from '../functions/format-numbers.ts';
import { expanded, type Node, uriOf } from '../tree/node.ts';
import { defaultForm, type Form } from '../tree/write.ts';
import { parts } from '../xpath/lexer.ts';
import { located } from './static.ts';

const methods = new Map([
  ['xml', 'xml'],
  ['xhtml', 'xml'],
  ['html', 'html'],
  ['text', 'text'],
] as const);

const isYes = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : ['yes', 'true', '1'].includes(text.trim());

/** Merged settings of all xsl:output elements. */
export function formOf(outputs: readonly Node[]): Form {
  const last = (name: string): string | undefined =>
    outputs.findLast((node) => node.attribute(name) !== undefined)?.attribute(name);
  const methodText = last('method')?.trim();
  const method = methods.get(methodText as 'xml');
  if (methodText !== undefined && method === undefined) {
    const node = outputs.findLast((each) => each.attribute('method') !== undefined)!;
    throw located(
      new StylesheetFails(`Expected "xml", "html", "xhtml" or "text" in method: found ${shown(methodText)}`),
      node,
    );
  }
  const standalone = isYes(last('standalone'));
  return {
    ...defaultForm,
    method,
    indent: isYes(last('indent')),
    omitsDeclaration: isYes(last('omit-xml-declaration')) ?? false,
    standalone: standalone === undefined ? undefined : standalone ? 'yes' : 'no',
    publicId: last('doctype-public'),
    systemId: last('doctype-system'),
    cdata: new Set(outputs.flatMap(cdataOf)),
  };
}

function cdataOf(node: Node): readonly string[] {
  const names = (node.attribute('cdata-section-elements') ?? '').split(/\s+/).filter((each) => each !== '');
  return names.map((name) => {
    const [prefix, local] = parts(name);
    const uri = uriOf(node, prefix);
    if (uri === undefined)
      throw located(new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`), node);
    return expanded({ prefix, local, uri });
  });
}

const signs: Readonly<Record<string, keyof DecimalFormat>> = {
  'decimal-separator': 'decimal',
  'grouping-separator': 'grouping',
  percent: 'percent',
  'per-mille': 'perMille',
  'zero-digit': 'zero',
  digit: 'digit',
  'pattern-separator': 'separator',
  'minus-sign': 'minus',
  infinity: 'infinity',
  NaN: 'nan',
};

/** Settings of an xsl:decimal-format. */
export function formatOf(node: Node): DecimalFormat {
  const symbols = Object.entries(signs).flatMap(([attribute, sign]) => {
    const text = node.attribute(attribute);
    if (text === undefined) return [];
    if (sign !== 'infinity' && sign !== 'nan' && [...text].length !== 1) {
      throw new StylesheetFails(`Expected one character in ${attribute}: found ${shown(text)}`);
    }
    return [[sign, text] as const];
  });
  return { ...defaultFormat, ...Object.fromEntries(symbols) };
}
