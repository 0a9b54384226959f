import type { Budget } from '../budget.ts';
import { StylesheetFails, shown } from '../fails.ts';
import { ordinals } from '../functions/format-numbers.ts';
import { Node } from '../tree/node.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import type { Pattern } from '../xpath/pattern.ts';
import { numberOf } from '../xpath/values.ts';
import type { CompileInstruction } from './body.ts';
import { does } from './instruction.ts';
import { textAttribute } from './template-text.ts';

type Fits = (node: Node) => boolean;

/** Parameters of counting. */
interface Counting {
  readonly counts: Fits;
  /** Nodes where counting restarts. Undefined: it never restarts. */
  readonly starts: Fits | undefined;
  readonly budget: Budget;
}

/** Cost of walking past a node, as a part of a step. */
const ofWalk = 1 / 8;

function numberAmong(node: Node, { counts, budget }: Counting): number {
  const all = node.parent?.children ?? [];
  const before = Math.max(0, all.indexOf(node));
  budget.step(before * ofWalk);
  let number = 1;
  for (let at = 0; at < before; at++) if (counts(all[at]!)) number++;
  return number;
}

/** The node itself and those above, up to where the counting begins anew. */
function upwards(node: Node, { starts, budget }: Counting): readonly Node[] {
  const ancestors: Node[] = [];
  for (let at: Node | undefined = node; at; at = at.parent) {
    budget.step(ofWalk);
    if (starts?.(at) && at !== node) break;
    ancestors.push(at);
  }
  return ancestors;
}

/** Number of counted nodes up to this one, in document order. */
function throughout(node: Node, { counts, starts, budget }: Counting): number {
  let count = 0;
  const reaches = (each: Node): boolean => {
    budget.step(ofWalk);
    if (starts?.(each)) count = 0;
    if (counts(each)) count++;
    if (each === node) return true;
    for (const child of each.children) if (reaches(child)) return true;
    return false;
  };
  reaches(node.root);
  return count;
}

const levels: Readonly<Record<string, (node: Node, counting: Counting) => readonly number[]>> = {
  single(node, counting) {
    const match = upwards(node, counting).find(counting.counts);
    return match ? [numberAmong(match, counting)] : [];
  },
  multiple: (node, counting) =>
    upwards(node, counting)
      .filter(counting.counts)
      .map((each) => numberAmong(each, counting))
      .reverse(),
  any(node, counting) {
    const count = throughout(node, counting);
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
      return levels[level]!(node, { counts, starts: from ? fitsAny(from, at) : undefined, budget: at.run.budget });
    }
  });
};
