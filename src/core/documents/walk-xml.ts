import { SaxesParser } from 'saxes';
import { DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

/** Errors of XML without a description, with the position of the parser. */
function faultsAt(parser: Pick<SaxesParser, 'line' | 'column'>, limits: DocumentLimits) {
  const refuse = (kind: 'limit' | 'syntax', explanation: string): never => {
    throw new DocumentError({ kind, place: '/', explanation, line: parser.line, column: Math.max(1, parser.column) });
  };
  return {
    refuseLimit: (what: keyof DocumentLimits): never => refuse('limit', tooMuch(what, limits).explanation),
    refuseDoctype: (): never => refuse('syntax', 'Expected no document type declaration: found "<!DOCTYPE"'),

    /** Converts plain errors of the parser, which begin with the position. Errors of a walker stay unchanged. */
    parse(work: () => void): void {
      try {
        work();
      } catch (error) {
        const position = error instanceof Error && error.constructor === Error && /^\d+:\d+: /.exec(error.message);
        if (!position) throw error;
        refuse('syntax', `Expected well-formed XML: ${(error as Error).message.slice(position[0].length, 200)}`);
      }
    },
  };
}

/** Callbacks for XML without a description, by names without prefixes. */
interface XmlWalker {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

const pieceLength = 65_536;

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Tells a walker what is in a text, within the limits of documents and without a document type. It stops after each
 * piece, so that the caller may let others go first.
 */
export function* walkXml(xml: string, limits: DocumentLimits, walker: XmlWalker): Generator<void, void> {
  const parser = new SaxesParser({ xmlns: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const);
  let [depth, elements, attributes] = [0, 0, 0];
  const { refuseLimit, refuseDoctype, parse } = faultsAt(parser, limits);

  parser.on('attribute', ({ value }) => {
    if (++attributes > limits.attributes) refuseLimit('attributes');
    if (value.length > limits.text) refuseLimit('text');
  });
  parser.on('opentag', ({ name, attributes: values }) => {
    if (++elements > limits.elements) refuseLimit('elements');
    if (++depth > limits.depth) refuseLimit('depth');
    attributes = 0;
    walker.open(
      withoutPrefix(name),
      new Map(Object.entries(values).map(([key, value]) => [withoutPrefix(key), value])),
    );
  });
  const tell = (text: string) => {
    if (text.length > limits.text) refuseLimit('text');
    walker.text(text);
  };
  parser.on('text', tell);
  parser.on('cdata', tell);
  parser.on('closetag', ({ name }) => {
    depth--;
    walker.close(withoutPrefix(name));
  });
  parser.on('doctype', refuseDoctype);

  if (xml.length > limits.bytes) refuseLimit('bytes');
  const begin = xml.startsWith('\ufeff') ? 1 : 0;
  for (let at = begin; at < xml.length; at += pieceLength) {
    parse(() => parser.write(xml.slice(at, at + pieceLength)));
    // A private field: nothing else tells how long an unfinished text already is.
    if ((parser as unknown as { text: string }).text.length > limits.text) refuseLimit('text');
    yield;
  }
  parse(() => parser.close());
}

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
