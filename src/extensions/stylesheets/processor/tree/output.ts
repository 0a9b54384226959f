import type { Budget } from '../budget.ts';
import { StylesheetFails } from '../fails.ts';
import { type Item, textOf } from '../xpath/values.ts';
import { expanded, type Name, Node, qualified } from './node.ts';

type Namespaces = ReadonlyMap<string, string>;

interface Open {
  readonly node: Node;
  readonly children: Node[];
  /** By name: the last of a name wins. */
  attributes: Map<string, Node> | undefined;
  /** Lent by a tree or a stylesheet, and never changed. */
  lent: Namespaces | undefined;
  /** Wins against what is lent. */
  namespaces: Map<string, string> | undefined;
}

/**
 * Takes what instructions make. Without an open node it is a sequence of items, which stay what they are. Within one
 * it is a tree: nodes are copied into it, and values become text.
 */
export class Output {
  readonly items: Item[] = [];
  readonly #budget: Budget;
  #open: Open | undefined;
  readonly #above: (Open | undefined)[] = [];
  /** The last thing was a value: a blank comes before the next. */
  #afterValue = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  document(): void {
    this.#begin(new Node('document'));
  }

  element(name: Name): void {
    this.#begin(new Node('element', name));
  }

  #begin(node: Node): void {
    this.#budget.node();
    if (node.kind === 'element') this.#add(node);
    else if (!this.#open) this.items.push(node);
    this.#above.push(this.#open);
    // A document within a tree is nothing but its children.
    if (node.kind === 'element' || !this.#open) {
      this.#open = { node, children: [], attributes: undefined, lent: undefined, namespaces: undefined };
    }
    this.#afterValue = false;
  }

  end(): void {
    const open = this.#open!;
    const above = this.#above.pop();
    if (open !== above) {
      open.node.children = open.children;
      if (open.attributes) open.node.attributes = [...open.attributes.values()];
      const namespaces = this.#together(open.lent, open.namespaces);
      if (namespaces) open.node.namespaces = namespaces;
    }
    this.#open = above;
    this.#afterValue = false;
  }

  /** Merges namespaces. The winning ones come last. */
  #together(lent: Namespaces | undefined, winning: Namespaces | undefined): Namespaces | undefined {
    if (!lent || !winning) return winning ?? lent;
    for (let count = lent.size; count > 0; count--) this.#budget.node();
    return new Map([...lent, ...winning]);
  }

  /** Declares namespaces of a tree or a stylesheet. Many elements share the map. */
  namespaces(lent: Namespaces | undefined): void {
    const open = this.#open!;
    if (!lent || lent.size === 0) return;
    if (open.lent) for (const [prefix, uri] of lent) this.namespace(prefix, uri);
    else open.lent = lent;
  }

  /** Declares all that is in scope at an element: its copy has another place. */
  scopeAt(node: Node): void {
    this.namespaces(inherited(node, this.#budget));
    this.namespaces(node.namespaces);
  }

  namespace(prefix: string, uri: string): void {
    const open = this.#open;
    if (!open) {
      this.#add(new Node('namespace', { prefix: '', local: prefix, uri: '' }, uri));
      return;
    }
    this.#budget.node();
    open.namespaces ??= new Map();
    open.namespaces.set(prefix, uri);
  }

  attribute(name: Name, value: string): void {
    this.#budget.node();
    const attribute = new Node('attribute', name, value);
    const open = this.#open;
    if (!open) {
      this.items.push(attribute);
      return;
    }
    if (open.node.kind !== 'element' || open.children.length > 0) {
      const where = open.node.kind === 'element' ? `the children of "${qualified(open.node.name)}"` : 'any element';
      throw new StylesheetFails(`Expected the attribute "${qualified(name)}" before ${where}, not behind it`);
    }
    attribute.parent = open.node;
    const key = name.uri === '' ? name.local : expanded(name);
    open.attributes ??= new Map();
    open.attributes.delete(key);
    open.attributes.set(key, attribute);
  }

  text(text: string, raw = false): void {
    if (text === '') return;
    this.#budget.text(text.length);
    this.#afterValue = false;
    const last = this.#open?.children.at(-1);
    if (last?.kind === 'text' && last.raw === raw) {
      last.value += text;
      return;
    }
    const node = new Node('text', undefined, text);
    node.raw = raw;
    this.#add(node);
  }

  comment(text: string): void {
    this.#budget.text(text.length);
    this.#add(new Node('comment', undefined, apart(text)));
  }

  instruction(target: string, text: string): void {
    this.#budget.text(text.length);
    const name = { prefix: '', local: target, uri: '' };
    this.#add(new Node('processing-instruction', name, text.replaceAll('?>', '? >')));
  }

  #add(node: Node): void {
    this.#budget.node();
    this.#afterValue = false;
    if (!this.#open) {
      this.items.push(node);
      return;
    }
    node.parent = this.#open.node;
    this.#open.children.push(node);
  }

  /** An item of a sequence: it stays what it is where nothing is open. */
  item(item: Item): void {
    if (!this.#open) {
      this.#budget.step();
      this.items.push(item);
    } else if (item instanceof Node) {
      this.copy(item);
    } else {
      const text = textOf(item);
      const wasAfter = this.#afterValue;
      this.text(wasAfter ? ` ${text}` : text);
      this.#afterValue = true;
    }
  }

  /** A copy with all that is in it. */
  copy(node: Node, isWithin = false): void {
    const { kind } = node;
    if (kind === 'text') this.text(node.value, node.raw);
    else if (kind === 'attribute') this.attribute(node.name, node.value);
    else if (kind === 'comment') this.comment(node.value);
    else if (kind === 'processing-instruction') this.instruction(node.name.local, node.value);
    else if (kind === 'namespace') this.namespace(node.name.local, node.value);
    else {
      if (kind === 'element') this.element(node.name);
      else this.document();
      if (isWithin) this.namespaces(node.namespaces);
      else if (kind === 'element') this.scopeAt(node);
      for (const each of node.attributes) this.attribute(each.name, each.value);
      for (const child of node.children) this.copy(child, true);
      this.end();
    }
  }
}

const none: Namespaces = new Map();
const scopes = new WeakMap<Node, Namespaces>();

/** Namespaces declared by ancestors. Siblings share the map, and so do levels without declarations. */
function inherited({ parent }: Node, budget: Budget): Namespaces {
  if (!parent) return none;
  const cachedScope = scopes.get(parent);
  if (cachedScope) return cachedScope;
  const above = inherited(parent, budget);
  const own = parent.namespaces;
  let merged = own ?? above;
  if (own && above.size > 0) {
    for (let count = above.size + own.size; count > 0; count--) budget.node();
    // The nearest come first, and win.
    merged = new Map([...own, ...above, ...own]);
  }
  scopes.set(parent, merged);
  return merged;
}

/** A comment has no two hyphens side by side and none at its end. A long row of them is one match. */
function apart(text: string): string {
  const spaced = text.replaceAll(/--+/g, (row) => `${'- '.repeat(row.length - 1)}-`);
  return spaced.endsWith('-') ? `${spaced} ` : spaced;
}
