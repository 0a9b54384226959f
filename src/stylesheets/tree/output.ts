import type { Budget } from '../budget.ts';
import { StylesheetFails } from '../fails.ts';
import { type Item, textOf } from '../xpath/values.ts';
import { type Name, Node, qualified } from './node.ts';

interface Open {
  readonly node: Node;
  readonly children: Node[];
  readonly attributes: Node[];
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
      this.#open = { node, children: [], attributes: [], namespaces: undefined };
    }
    this.#afterValue = false;
  }

  end(): void {
    const open = this.#open!;
    const above = this.#above.pop();
    if (open !== above) {
      open.node.children = open.children;
      open.node.attributes = open.attributes;
      if (open.namespaces) open.node.namespaces = open.namespaces;
    }
    this.#open = above;
    this.#afterValue = false;
  }

  namespace(prefix: string, uri: string): void {
    const open = this.#open;
    if (!open) {
      this.#add(new Node('namespace', { prefix: '', local: prefix, uri: '' }, uri));
      return;
    }
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
    const same = open.attributes.findIndex((each) => each.name.local === name.local && each.name.uri === name.uri);
    if (same >= 0) open.attributes.splice(same, 1);
    open.attributes.push(attribute);
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
    this.#add(new Node('comment', undefined, text.replaceAll(/-(?=-|$)/g, '- ')));
  }

  instruction(target: string, text: string): void {
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
  copy(node: Node, scope: ReadonlyMap<string, string> | undefined = inherited(node)): void {
    const { kind } = node;
    if (kind === 'text') this.text(node.value, node.raw);
    else if (kind === 'attribute') this.attribute(node.name, node.value);
    else if (kind === 'comment') this.comment(node.value);
    else if (kind === 'processing-instruction') this.instruction(node.name.local, node.value);
    else if (kind === 'namespace') this.namespace(node.name.local, node.value);
    else {
      if (kind === 'element') this.element(node.name);
      else this.document();
      for (const [prefix, uri] of scope ?? []) this.namespace(prefix, uri);
      for (const [prefix, uri] of node.namespaces ?? []) this.namespace(prefix, uri);
      for (const each of node.attributes) this.attribute(each.name, each.value);
      for (const child of node.children) this.copy(child, none);
      this.end();
    }
  }
}

const none: ReadonlyMap<string, string> = new Map();

/** What those above an element declare: its copy has another place. */
export function inherited(node: Node): ReadonlyMap<string, string> {
  if (node.kind !== 'element') return none;
  const found = new Map<string, string>();
  for (let above = node.parent; above; above = above.parent) {
    for (const [prefix, uri] of above.namespaces ?? []) if (!found.has(prefix)) found.set(prefix, uri);
  }
  return found;
}
