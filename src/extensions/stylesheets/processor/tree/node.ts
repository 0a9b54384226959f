import { spendText } from '../budget.ts';

export type NodeKind =
  | 'document'
  | 'element'
  | 'attribute'
  | 'text'
  | 'comment'
  | 'processing-instruction'
  | 'namespace';

export interface Name {
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
}

const noName: Name = { prefix: '', local: '', uri: '' };
const none: readonly Node[] = [];
let nodeCount = 0;

/** Node of an input or result tree. Nodes are created in document order, and `order` grows with it. */
export class Node {
  readonly kind: NodeKind;
  readonly name: Name;
  readonly order = ++nodeCount;
  parent: Node | undefined;
  /** Text of a node without children. */
  value: string;
  children: readonly Node[] = none;
  attributes: readonly Node[] = none;
  /** Namespaces declared by an element, by prefix. */
  namespaces: ReadonlyMap<string, string> | undefined;
  /** Whether the text is written without escaping. */
  raw = false;
  /** Line of a stylesheet element. */
  line = 0;

  constructor(kind: NodeKind, name: Name = noName, value = '') {
    this.kind = kind;
    this.name = name;
    this.value = value;
  }

  get root(): Node {
    let node: Node = this;
    while (node.parent) node = node.parent;
    return node;
  }

  get text(): string {
    if (this.kind !== 'element' && this.kind !== 'document') return this.value;
    const [only] = this.children;
    if (this.children.length === 1 && only!.kind === 'text') return only!.value;
    const parts: string[] = [];
    gather(this, parts);
    return parts.join('');
  }

  attribute(local: string, uri = ''): string | undefined {
    return this.attributes.find(({ name }) => name.local === local && name.uri === uri)?.value;
  }
}

function gather(node: Node, parts: string[]): void {
  spendText(0);
  for (const child of node.children) {
    if (child.kind === 'text') {
      spendText(child.value.length);
      parts.push(child.value);
    } else if (child.kind === 'element') gather(child, parts);
  }
}

export const qualified = ({ prefix, local }: Name): string => (prefix === '' ? local : `${prefix}:${local}`);
export const expanded = ({ uri, local }: Name): string => `{${uri}}${local}`;

export const xmlUri = 'http://www.w3.org/XML/1998/namespace';
/** Namespace of declarations. Contains no other names. */
export const xmlnsUri = 'http://www.w3.org/2000/xmlns/';

/** Namespace URI of a prefix at an element. */
export function uriOf(element: Node | undefined, prefix: string): string | undefined {
  if (prefix === 'xml') return xmlUri;
  for (let node = element; node; node = node.parent) {
    const declaredUri = node.namespaces?.get(prefix);
    if (declaredUri !== undefined) return declaredUri;
  }
  return prefix === '' ? '' : undefined;
}

/** All namespaces in scope at an element, by prefix. */
export function scopeOf(element: Node): Map<string, string> {
  const scope = new Map<string, string>();
  for (let node: Node | undefined = element; node; node = node.parent) {
    for (const [prefix, uri] of node.namespaces ?? []) if (!scope.has(prefix)) scope.set(prefix, uri);
  }
  if (scope.get('') === '') scope.delete('');
  return scope;
}
