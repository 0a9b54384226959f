import type { Node } from '../tree/node.ts';
import type { Axis, NodeTest } from './ast.ts';

type Visit = (node: Node) => void;

function descendants(node: Node, visit: Visit): void {
  for (const child of node.children) {
    visit(child);
    if (child.children.length > 0) descendants(child, visit);
  }
}

const siblings = (node: Node): readonly Node[] =>
  node.kind === 'attribute' || node.kind === 'namespace' ? [] : (node.parent?.children ?? []);

function ancestors(node: Node, visit: Visit): void {
  for (let above = node.parent; above; above = above.parent) visit(above);
}

function preceding(node: Node, visit: Visit): void {
  const before: Node[] = [];
  const chain = new Set<Node>();
  for (let above: Node | undefined = node; above; above = above.parent) chain.add(above);
  const walk = (within: Node): boolean => {
    for (const child of within.children) {
      if (child === node) return false;
      if (!chain.has(child)) before.push(child);
      if (!walk(child)) return false;
      if (chain.has(child)) return false;
    }
    return true;
  };
  walk(node.root);
  for (const each of before.reverse()) visit(each);
}

/** Visits nodes in the order of the axis: reverse axes begin with the nearest. */
export const axes: Readonly<Record<Axis, (node: Node, visit: Visit) => void>> = {
  self: (node, visit) => visit(node),
  child: (node, visit) => node.children.forEach(visit),
  attribute: (node, visit) => node.attributes.forEach(visit),
  parent: (node, visit) => node.parent && visit(node.parent),
  descendant: descendants,
  'descendant-or-self': (node, visit) => {
    visit(node);
    descendants(node, visit);
  },
  ancestor: ancestors,
  'ancestor-or-self': (node, visit) => {
    visit(node);
    ancestors(node, visit);
  },
  'following-sibling': (node, visit) => {
    const all = siblings(node);
    for (let at = all.indexOf(node) + 1; at > 0 && at < all.length; at++) visit(all[at]!);
  },
  'preceding-sibling': (node, visit) => {
    const all = siblings(node);
    for (let at = all.indexOf(node) - 1; at >= 0; at--) visit(all[at]!);
  },
  following: (node, visit) => {
    for (let from: Node = node; from.parent; from = from.parent) {
      const all = from.parent.children;
      for (let at = all.indexOf(from) + 1; at < all.length; at++) {
        visit(all[at]!);
        descendants(all[at]!, visit);
      }
    }
  },
  preceding,
  // Namespace nodes are not supported: only name() could be applied to them.
  namespace: () => {},
};

export const looksBack = new Set<Axis>(['parent', 'ancestor', 'ancestor-or-self', 'preceding', 'preceding-sibling']);

export function testOf({ kind, local, uri }: NodeTest): (node: Node) => boolean {
  if (kind === 'node') return () => true;
  if (local === undefined && uri === undefined) return (node) => node.kind === kind;
  if (local === undefined) return (node) => node.kind === kind && node.name.uri === uri;
  if (uri === undefined) return (node) => node.kind === kind && node.name.local === local;
  return (node) => node.kind === kind && node.name.local === local && node.name.uri === uri;
}
