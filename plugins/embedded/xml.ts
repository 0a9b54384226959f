import { SaxesParser, type SaxesTagNS } from 'saxes';

/** Values of properties inside a file, by their names. */
export type Properties = Map<string, readonly string[]>;

/** Elements within each other: more are made to take time. */
const maxDepth = 50;

interface XmlHandlers {
  /** `depth`: 1 for the root. */
  open(tag: SaxesTagNS, depth: number): void;
  text(text: string, depth: number): void;
  close(tag: SaxesTagNS, depth: number): void;
}

/** Walks through XML of foreign people. Throws where it is not well-formed, too deep, or declares entities. */
export function walkXml(xml: string, { open, text, close }: XmlHandlers): void {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  const refuse = (reason: string) => {
    throw new Error(`Expected plain XML: ${reason}`);
  };
  parser.on('error', ({ message }) => refuse(message));
  parser.on('doctype', () => refuse('it declares a document type'));
  parser.on('opentag', (tag) => {
    if (++depth > maxDepth) refuse(`more than ${maxDepth} elements lie within each other`);
    open(tag, depth);
  });
  parser.on('text', (part) => text(part, depth));
  parser.on('cdata', (part) => text(part, depth));
  parser.on('closetag', (tag) => close(tag, depth--));
  parser.write(xml).close();
}

/** Adds values that are not blank. What came first stays. */
export function addValues(properties: Properties, name: string, values: readonly string[]): void {
  const texts = values.map((value) => value.trim()).filter((value) => value !== '');
  if (texts.length > 0 && !properties.has(name)) properties.set(name, texts);
}
