import { DocumentError } from '../../../../core/documents/error.ts';
import { walkNames } from '../../../../core/documents/walk-xml.ts';
import type { Budget } from '../budget.ts';
import { StylesheetFails } from '../fails.ts';
import { type Name, Node, xmlUri } from './node.ts';

/** Limits of one tree. The parser's time is quadratic in the depth. */
const limits = {
  bytes: 8 * 1024 * 1024,
  depth: 200,
  attributes: 256,
  elements: 200_000,
  text: 8 * 1024 * 1024,
  entries: Number.POSITIVE_INFINITY,
  unknown: Number.POSITIVE_INFINITY,
};

const blank = /^[ \t\r\n]*$/;
const isBlank = (text: string): boolean => blank.test(text);

/** `keeps`: whether text that is only blanks stays in an element of that name. */
interface Reading {
  readonly what: string;
  readonly budget?: Budget;
  keeps(name: Name): boolean;
}

/** The tree of a text. What is no XML fails with the place. */
export function readTree(xml: string, { what, budget, keeps }: Reading): Node {
  const root = new Node('document');
  let open: { readonly node: Node; readonly children: Node[]; readonly keeps: boolean } = {
    node: root,
    children: [],
    keeps: false,
  };
  const above: (typeof open)[] = [];
  let text = '';
  /** Names are the same object for as long as they are the same, and few. */
  const names = new Map<string, Name>();
  const sharedName = ({ prefix, local, uri }: Name): Name => {
    const key = `${prefix} ${local} ${uri}`;
    const name = names.get(key) ?? { prefix, local, uri };
    names.set(key, name);
    return name;
  };
  const add = (node: Node): void => {
    budget?.node();
    node.parent = open.node;
    open.children.push(node);
  };
  const endText = (): void => {
    if (text !== '' && open.node !== root && (open.keeps || !isBlank(text))) add(new Node('text', undefined, text));
    text = '';
  };
  const close = (): void => {
    endText();
    open.node.children = open.children;
    open = above.pop() ?? open;
  };
  try {
    walkNames(xml, limits, {
      open(name, attributes, declared, line) {
        endText();
        const node = new Node('element', sharedName(name));
        node.line = line;
        add(node);
        node.attributes = attributes.map((each) => {
          budget?.node();
          const attribute = new Node('attribute', sharedName(each), each.value);
          attribute.parent = node;
          return attribute;
        });
        const own = Object.entries(declared);
        if (own.length > 0) node.namespaces = new Map(own);
        const space = node.attribute('space', xmlUri);
        above.push(open);
        open = { node, children: [], keeps: space === undefined ? keeps(node.name) : space === 'preserve' };
      },
      text: (more) => {
        text += more;
      },
      comment(value) {
        endText();
        add(new Node('comment', undefined, value));
      },
      instruction(target, value) {
        endText();
        if (target !== 'xml') add(new Node('processing-instruction', { prefix: '', local: target, uri: '' }, value));
      },
      close,
    });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new StylesheetFails(`Expected ${what} that can be read: ${error.explanation}`, error.line);
  }
  close();
  return root;
}
