import { SaxesParser } from 'saxes';

/** An element of an answer, without attributes and namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface Open {
  readonly name: string;
  text: string;
  readonly children: Open[];
}

/** Answers of stores are flat: what is deeper is none. */
const deepest = 8;

/** Treated like a broken connection: a retry may get the whole answer. */
export const unreadable = (message = 'Expected an answer in XML') =>
  Object.assign(new Error(message), { kind: 'answer' });

/** Undefined for an empty text. Throws for whatever is no XML, or has a document type. */
export function parseXml(text: string): XmlElement | undefined {
  if (text.trim() === '') return undefined;
  const root: Open = { name: '', text: '', children: [] };
  const path = [root];
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw unreadable();
  });
  parser.on('doctype', () => {
    throw unreadable();
  });
  parser.on('opentag', ({ name }) => {
    if (path.length > deepest) throw unreadable();
    const opened: Open = { name: name.replace(/^.*:/, ''), text: '', children: [] };
    path.at(-1)!.children.push(opened);
    path.push(opened);
  });
  parser.on('text', (piece) => {
    path.at(-1)!.text += piece;
  });
  parser.on('closetag', () => void path.pop());
  // Some stores send blanks ahead of the declaration, so that a slow answer has bytes.
  parser.write(text.trimStart()).close();
  return root.children[0];
}

/** The text of the first child of that name; a path has "/" between. */
export function elementText(element: XmlElement | undefined, path: string): string | undefined {
  let current = element;
  for (const name of path.split('/')) current = current?.children.find((child) => child.name === name);
  return current?.text;
}

export const xmlChildren = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const escaped = (text: string): string => text.replace(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);
