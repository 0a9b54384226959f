/** A pattern cut into segments, once. */
type Segments = readonly string[];

export const patternSegments = (pattern: string): Segments => pattern.split('/').filter((segment) => segment !== '');

interface Node<T> {
  item: T | undefined;
  readonly literal: Map<string, Node<T>>;
  readonly wild: Map<string, Node<T>>;
  /** After `**`: stays here for as many segments as it likes. */
  deep: Node<T> | undefined;
  readonly stays: boolean;
}

const node = <T>(stays = false): Node<T> => ({
  item: undefined,
  literal: new Map(),
  wild: new Map(),
  deep: undefined,
  stays,
});

const isWild = (segment: string): boolean => /[*?]/.test(segment);

/** The patterns of the lines above, as a tree: what a line costs depends on its pattern, not on how many there are. */
export class EarlierPatterns<T> {
  readonly #root = node<T>();

  add(segments: Segments, item: T): void {
    let at = this.#root;
    for (const segment of segments) at = childOf(at, segment);
    at.item ??= item;
  }

  /** Item with a pattern that covers all matching paths. In doubt none: a wrong warning is worse than a missing one. */
  covering(segments: Segments): T | undefined {
    const seen = new Map<Node<T>, Set<number>>();
    const search = (at: Node<T>, from: number): T | undefined => {
      const visited = seen.get(at) ?? new Set();
      if (visited.has(from)) return undefined;
      seen.set(at, visited.add(from));
      const deep = at.deep && search(at.deep, from);
      if (deep !== undefined) return deep;
      if (from === segments.length) return at.item;
      for (const next of nextOf(at, segments[from]!)) {
        const uncovered = search(next, from + 1);
        if (uncovered !== undefined) return uncovered;
      }
      return undefined;
    };
    return search(this.#root, 0);
  }
}

function childOf<T>(at: Node<T>, segment: string): Node<T> {
  if (segment === '**') {
    at.deep ??= node(true);
    return at.deep;
  }
  const children = isWild(segment) ? at.wild : at.literal;
  const child = children.get(segment);
  if (child) return child;
  const newChild = node<T>();
  children.set(segment, newChild);
  return newChild;
}

function* nextOf<T>(at: Node<T>, segment: string): Generator<Node<T>> {
  if (at.stays) yield at;
  // Any number of segments is more than one segment can cover.
  if (segment === '**') return;
  const literal = at.literal.get(segment);
  if (literal) yield literal;
  for (const [wild, next] of at.wild) if (coversSegment(wild, segment)) yield next;
}

/** Whether `wide` matches whatever `narrow` does: the stars of `narrow` are characters that only a star covers. */
function coversSegment(wide: string, narrow: string): boolean {
  let [at, of] = [0, 0];
  // Position to resume at when the last star takes one more character.
  let [star, taken] = [-1, 0];
  while (of < narrow.length) {
    if (wide[at] === '*') {
      star = at++;
      taken = of;
    } else if (at < wide.length && narrow[of] !== '*' && (wide[at] === '?' || wide[at] === narrow[of])) {
      at++;
      of++;
    } else if (star >= 0) {
      at = star + 1;
      of = ++taken;
    } else return false;
  }
  while (wide[at] === '*') at++;
  return at === wide.length;
}
