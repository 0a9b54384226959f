import { StylesheetFails, shown } from '../fails.ts';
import { ordinals } from '../format/ordinals.ts';
import { Node } from '../tree/node.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import type { Pattern } from '../xpath/pattern.ts';
import { numberOf } from '../xpath/values.ts';
import type { CompileInstruction } from './body.ts';
import { does } from './instruction.ts';
import { textAttribute } from './template-text.ts';

type Fits = (node: Node) => boolean;

const before = (node: Node): readonly Node[] => {
  const all = node.parent?.children ?? [];
  return all.slice(0, Math.max(0, all.indexOf(node)));
};

const numberAmong = (node: Node, counts: Fits): number => 1 + before(node).filter(counts).length;

/** The node itself and those above, up to where the counting begins anew. */
function upwards(node: Node, starts: Fits | undefined): readonly Node[] {
  const found: Node[] = [];
  for (let at: Node | undefined = node; at; at = at.parent) {
    if (starts?.(at) && at !== node) break;
    found.push(at);
  }
  return found;
}

/** All nodes up to this one, in document order. */
function throughout(node: Node, starts: Fits | undefined): readonly Node[] {
  let found: Node[] = [];
  let isDone = false;
  const walk = (each: Node): void => {
    if (isDone) return;
    if (starts?.(each)) found = [];
    found.push(each);
    isDone = each === node;
    for (const child of each.children) walk(child);
  };
  walk(node.root);
  return found;
}

const levels: Readonly<Record<string, (node: Node, counts: Fits, starts: Fits | undefined) => readonly number[]>> = {
  single(node, counts, starts) {
    const found = upwards(node, starts).find(counts);
    return found ? [numberAmong(found, counts)] : [];
  },
  multiple: (node, counts, starts) =>
    upwards(node, starts)
      .filter(counts)
      .map((each) => numberAmong(each, counts))
      .reverse(),
  any(node, counts, starts) {
    const count = throughout(node, starts).filter(counts).length;
    return count === 0 ? [] : [count];
  },
};

const fitsAny =
  (patterns: readonly Pattern[], at: Dynamic): Fits =>
  (node) => {
    at.run.budget.step();
    return patterns.some(({ matches }) => matches(node, at));
  };

const sameKind =
  (node: Node): Fits =>
  ({ kind, name }) =>
    kind === node.kind && name.local === node.name.local && name.uri === node.name.uri;

export const numberInstruction: CompileInstruction = (place) => {
  const [value, select] = [place.expression('value'), place.expression('select')];
  const [count, from] = [place.pattern('count'), place.pattern('from')];
  const level = place.attribute('level') ?? 'single';
  if (!Object.hasOwn(levels, level))
    throw new StylesheetFails(`Expected "single", "multiple" or "any" in level: found ${shown(level)}`);
  const [format, separator, size] = ['format', 'grouping-separator', 'grouping-size'].map((name) =>
    textAttribute(place, name),
  );
  return does((at, out) => {
    const grouping = { size: Number(size?.(at) ?? 0), separator: separator?.(at) ?? '' };
    const numbers = value ? value(at).map((item) => Math.round(numberOf(item))) : counted();
    out.text(ordinals(numbers, format?.(at) ?? '1', separator && size ? grouping : undefined));

    function counted(): readonly number[] {
      const node = select ? select(at)[0] : at.item;
      if (!(node instanceof Node)) throw new StylesheetFails('Expected a node to count');
      const counts = count ? fitsAny(count, at) : sameKind(node);
      return levels[level]!(node, counts, from ? fitsAny(from, at) : undefined);
    }
  });
};
