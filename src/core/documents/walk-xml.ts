import { SaxesParser } from 'saxes';
import type { DocumentLimits } from './limits.ts';
import { faultsAt } from './xml-faults.ts';

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
  parser.on('opentag', ({ name, attributes: given }) => {
    if (++elements > limits.elements) refuseLimit('elements');
    if (++depth > limits.depth) refuseLimit('depth');
    attributes = 0;
    walker.open(withoutPrefix(name), new Map(Object.entries(given).map(([key, value]) => [withoutPrefix(key), value])));
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
