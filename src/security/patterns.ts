/**
 * `[urls]` patterns: `?` is one character, `*` any run within a segment, `**` as a whole segment any number of
 * segments. All patterns of a file are one tree. So a request costs what its path does, however many rules do not
 * match.
 */

interface Node {
  /** The place in the file of the first pattern that ends here. */
  ends: number;
  readonly literal: Map<string, Node>;
  readonly wild: { readonly text: string; readonly matches: (segment: string) => boolean; readonly node: Node }[];
  deep: Node | undefined;
}

const node = (): Node => ({ ends: Number.POSITIVE_INFINITY, literal: new Map(), wild: [], deep: undefined });

interface PatternSet {
  /** The index of the first pattern that matches, or -1. */
  first(path: string): number;
}

export function compilePatterns(patterns: readonly string[], caseInsensitive = false): PatternSet {
  const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text);
  const root = node();
  for (const [index, pattern] of patterns.entries()) insert(root, segmentsOf(fold(pattern)), index);
  return {
    first(path) {
      const place = search(root, segmentsOf(fold(path)), 0, Number.POSITIVE_INFINITY);
      return place === Number.POSITIVE_INFINITY ? -1 : place;
    },
  };
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (let from = 0; from < path.length; ) {
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    if (end > from) segments.push(path.slice(from, end));
    from = end + 1;
  }
  return segments;
}

function insert(root: Node, segments: readonly string[], index: number): void {
  let at = root;
  for (const segment of segments) at = child(at, segment);
  at.ends = Math.min(at.ends, index);
}

function child(at: Node, segment: string): Node {
  if (segment === '**') {
    at.deep ??= node();
    return at.deep;
  }
  if (/[*?]/.test(segment)) {
    const wild = at.wild.find(({ text }) => text === segment);
    if (wild) return wild.node;
    const newWild = { text: segment, matches: segmentMatcher(segment), node: node() };
    at.wild.push(newWild);
    return newWild.node;
  }
  let next = at.literal.get(segment);
  if (!next) {
    next = node();
    at.literal.set(segment, next);
  }
  return next;
}

/** Places in the tree, with how far the path had been read there: looking again would find nothing new. */
type VisitedNodes = Map<Node, Set<number>>;

/** The least index below `best` of a pattern that matches what is left of the path. */
function search(at: Node, segments: readonly string[], from: number, best: number, seen?: VisitedNodes): number {
  let least = best;
  if (at.deep && isLeaf(at.deep)) least = Math.min(least, at.deep.ends);
  else if (at.deep) {
    // `**` takes nothing, or one segment more and tries again. With several of them the same places come up again.
    const been = seen ?? new Map();
    for (let next = from; next <= segments.length; next++) {
      if (isNew(been, at.deep, next)) least = search(at.deep, segments, next, least, been);
    }
  }
  const segment = segments[from];
  if (segment === undefined) return Math.min(least, at.ends);
  const literal = at.literal.get(segment);
  if (literal && (!seen || isNew(seen, literal, from + 1))) least = search(literal, segments, from + 1, least, seen);
  for (const { matches, node: next } of at.wild) {
    if (matches(segment) && (!seen || isNew(seen, next, from + 1))) {
      least = search(next, segments, from + 1, least, seen);
    }
  }
  return least;
}

/** Nothing comes after it: a `**` there matches whatever is left. */
const isLeaf = ({ literal, wild, deep }: Node): boolean => literal.size === 0 && wild.length === 0 && !deep;

function isNew(seen: VisitedNodes, at: Node, from: number): boolean {
  const starts = seen.get(at);
  if (starts?.has(from)) return false;
  if (starts) starts.add(from);
  else seen.set(at, new Set([from]));
  return true;
}

/** Matches one segment in time that grows with the product of the lengths at worst: no backtracking expression. */
function segmentMatcher(pattern: string): (segment: string) => boolean {
  return (segment) => {
    let p = 0;
    let s = 0;
    let star = -1;
    let resume = 0;
    while (s < segment.length) {
      if (pattern[p] === '*') {
        star = p++;
        resume = s;
      } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === segment[s])) {
        p++;
        s++;
      } else if (star >= 0) {
        p = star + 1;
        s = ++resume;
      } else return false;
    }
    while (pattern[p] === '*') p++;
    return p === pattern.length;
  };
}
