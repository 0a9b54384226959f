import { SaxesParser } from 'saxes';
import type { DocumentLimits } from './limits.ts';
import { faultsAt } from './xml-faults.ts';

/** A name as it stands in XML, with the address of its namespace. */
interface XmlName {
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
}

/** Callbacks for XML with all namespaces. */
interface XmlTreeWalker {
  /** `declared`: namespaces that this element declares, by prefix. */
  open(
    name: XmlName,
    attributes: readonly (XmlName & { readonly value: string })[],
    declared: Readonly<Record<string, string>>,
    line: number,
  ): void;
  text(text: string): void;
  comment(text: string): void;
  instruction(target: string, text: string): void;
  close(): void;
}

/** Tells a walker all of a document, within limits and without a document type: no entity grows, and none reads a file. */
export function walkNames(xml: string, limits: DocumentLimits, walker: XmlTreeWalker): void {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const);
  let [depth, elements, line] = [0, 0, 1];
  const { refuseLimit, refuseDoctype, parse } = faultsAt(parser, limits);

  parser.on('opentagstart', () => {
    line = parser.line;
  });
  parser.on('opentag', ({ prefix, local, uri, attributes, ns }) => {
    if (++elements > limits.elements) refuseLimit('elements');
    if (++depth > limits.depth) refuseLimit('depth');
    const values = Object.values(attributes);
    if (values.length > limits.attributes) refuseLimit('attributes');
    const own = values.filter((each) => each.prefix !== 'xmlns' && each.name !== 'xmlns');
    walker.open({ prefix, local, uri }, own, ns, line);
  });
  parser.on('text', (text) => walker.text(text));
  parser.on('cdata', (text) => walker.text(text));
  parser.on('comment', (text) => walker.comment(text));
  parser.on('processinginstruction', ({ target, body }) => walker.instruction(target, body));
  parser.on('closetag', () => {
    depth--;
    walker.close();
  });
  parser.on('doctype', refuseDoctype);

  if (xml.length > limits.bytes) refuseLimit('bytes');
  parse(() => void parser.write(xml.startsWith('\ufeff') ? xml.slice(1) : xml).close());
}
