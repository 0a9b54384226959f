import { yieldTurn } from '../../core/lib/turn.ts';

/** Input of the layout. Edges refer to nodes by index. */
interface Sized {
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  readonly edges: readonly (readonly [from: number, to: number])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The middle of each node, and the bends of each edge. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Point[];
  readonly edges: readonly (readonly Point[])[];
}

interface Gaps {
  readonly across: number;
  readonly down: number;
  readonly margin: number;
  /** Maximal width of a row. A wider node gets a row for itself. */
  readonly widest: number;
}

/** Limit of bends. Further edges are straight. */
const maxBends = 1500;
const sweeps = 4;

/** Node, or a bend of an edge. */
interface Cell {
  readonly width: number;
  readonly height: number;
  readonly rank: number;
  readonly above: number[];
  readonly below: number[];
  x: number;
}

/** Layers from the top: each node below all that point to it, in the order of the middles of its neighbours. */
export async function layoutOfGraph(graph: Sized, gaps: Gaps): Promise<GraphLayout> {
  const ranks = wrapped(graph.sizes, aloneLast(graph, ranksOf(graph)), gaps);
  const cells: Cell[] = graph.sizes.map((size, index) => ({
    ...size,
    rank: ranks[index]!,
    above: [],
    below: [],
    x: 0,
  }));
  const bends = graph.edges.map((edge) => link(cells, edge));
  const rows = rowsOf(cells);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    await yieldTurn();
    order(cells, rows, sweep % 2 === 0 ? 'above' : 'below');
  }
  await yieldTurn();
  const width = place(cells, rows, gaps);
  const { tops, height } = heightsOf(cells, rows, gaps);
  const pointOf = (index: number): Point => ({ x: Math.round(cells[index]!.x), y: tops[cells[index]!.rank]! });
  return {
    width,
    height,
    nodes: graph.sizes.map((_size, index) => pointOf(index)),
    edges: graph.edges.map(([from, to], index) => [from, ...bends[index]!, to].map(pointOf)),
  };
}

/** The longest way to each node. An edge that closes a circle does not count. */
function ranksOf({ sizes, edges }: Sized): readonly number[] {
  const targets = sizes.map((): number[] => []);
  for (const [from, to] of edges) if (from !== to) targets[from]!.push(to);
  const ordered: number[] = [];
  const state = new Uint8Array(sizes.length);
  const closing = new Set<string>();
  for (let root = 0; root < sizes.length; root++) {
    if (state[root] !== 0) continue;
    const path: { node: number; next: number }[] = [{ node: root, next: 0 }];
    state[root] = 1;
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const target = targets[at.node]![at.next++];
      if (target === undefined) {
        state[at.node] = 2;
        ordered.push(at.node);
        path.pop();
      } else if (state[target] === 1) closing.add(`${at.node} ${target}`);
      else if (state[target] === 0) {
        state[target] = 1;
        path.push({ node: target, next: 0 });
      }
    }
  }
  const ranks = sizes.map(() => 0);
  for (const node of ordered.toReversed()) {
    for (const target of targets[node]!) {
      if (!closing.has(`${node} ${target}`)) ranks[target] = Math.max(ranks[target]!, ranks[node]! + 1);
    }
  }
  return ranks;
}

/** Nodes without edges stand behind all others, where they are in the way of none. */
function aloneLast({ edges }: Sized, ranks: readonly number[]): readonly number[] {
  const linked = new Set(edges.flat());
  const last = Math.max(-1, ...[...linked].map((node) => ranks[node]!)) + 1;
  return ranks.map((rank, node) => (linked.has(node) ? rank : last));
}

/** A rank that is too wide becomes several, in the order of its nodes. */
function wrapped(sizes: Sized['sizes'], ranks: readonly number[], { across, widest }: Gaps): readonly number[] {
  const rows: number[][] = [];
  for (const [node, rank] of ranks.entries()) {
    while (rows.length <= rank) rows.push([]);
    rows[rank]!.push(node);
  }
  const after = [...ranks];
  let next = -1;
  for (const row of rows) {
    next++;
    let width = 0;
    for (const node of row) {
      const added = sizes[node]!.width + across;
      if (width > 0 && width + added > widest) {
        next++;
        width = 0;
      }
      width += added;
      after[node] = next;
    }
  }
  return after;
}

/** Joins two nodes by a bend in each layer between them. Gives the bends in the way of the edge. */
function link(cells: Cell[], [from, to]: readonly [number, number]): readonly number[] {
  const isDown = cells[from]!.rank <= cells[to]!.rank;
  const [top, bottom] = isDown ? [from, to] : [to, from];
  const first = cells[top]!.rank + 1;
  const last = cells[bottom]!.rank;
  const bends: number[] = [];
  if (cells.length + last - first > maxBends) return bends;
  for (let rank = first; rank < last; rank++) {
    bends.push(cells.push({ width: 2, height: 2, rank, above: [], below: [], x: 0 }) - 1);
  }
  const chain = [top, ...bends, bottom];
  for (const [index, below] of chain.slice(1).entries()) {
    if (cells[chain[index]!]!.rank === cells[below]!.rank) continue;
    cells[chain[index]!]!.below.push(below);
    cells[below]!.above.push(chain[index]!);
  }
  return isDown ? bends : bends.toReversed();
}

function rowsOf(cells: readonly Cell[]): number[][] {
  const rows: number[][] = [];
  for (const [index, { rank }] of cells.entries()) {
    while (rows.length <= rank) rows.push([]);
    rows[rank]!.push(index);
  }
  return rows;
}

/** Sorts each row by the middle of its neighbours in the row before. Those without neighbours keep their places. */
function order(cells: readonly Cell[], rows: number[][], side: 'above' | 'below'): void {
  const position = new Float64Array(cells.length);
  const number = (row: readonly number[]) => {
    for (const [index, cell] of row.entries()) position[cell] = index;
  };
  for (const row of rows) number(row);
  for (const row of side === 'above' ? rows : rows.toReversed()) {
    const middles = new Map(row.map((cell) => [cell, middleOf(cells[cell]![side], position) ?? position[cell]!]));
    row.sort((a, b) => middles.get(a)! - middles.get(b)!);
    number(row);
  }
}

function middleOf(neighbours: readonly number[], at: ArrayLike<number>): number | undefined {
  if (neighbours.length === 0) return undefined;
  return neighbours.reduce((sum, each) => sum + at[each]!, 0) / neighbours.length;
}

/** Gives each cell its place across. Rows stand over each other's middles as far as their gaps allow. */
function place(cells: readonly Cell[], rows: readonly (readonly number[])[], { across, margin }: Gaps): number {
  const widthOf = (row: readonly number[]) =>
    row.reduce((sum, cell) => sum + cells[cell]!.width, 0) + across * Math.max(row.length - 1, 0);
  const widest = Math.max(0, ...rows.map(widthOf));
  for (const row of rows) {
    let left = margin + (widest - widthOf(row)) / 2;
    for (const index of row) {
      const cell = cells[index]!;
      cell.x = left + cell.width / 2;
      left += cell.width + across;
    }
  }
  const at = new Float64Array(cells.length);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const [index, { x }] of cells.entries()) at[index] = x;
    const side = sweep % 2 === 0 ? 'above' : 'below';
    for (const row of side === 'above' ? rows : rows.toReversed()) {
      settle(cells, row, side, at, { margin, across, right: margin + widest });
      for (const index of row) at[index] = cells[index]!.x;
    }
  }
  return Math.ceil(widest + 2 * margin);
}

/** Each wants to be where its neighbours are: pushed from the left, then back from the right end. */
function settle(
  cells: readonly Cell[],
  row: readonly number[],
  side: 'above' | 'below',
  at: Float64Array,
  { margin, across, right }: { readonly margin: number; readonly across: number; readonly right: number },
): void {
  let free = margin;
  for (const index of row) {
    const cell = cells[index]!;
    const wanted = middleOf(cell[side], at) ?? cell.x;
    cell.x = Math.max(wanted, free + cell.width / 2);
    free = cell.x + cell.width / 2 + across;
  }
  let end = right;
  for (const index of row.toReversed()) {
    const cell = cells[index]!;
    cell.x = Math.min(cell.x, end - cell.width / 2);
    end = cell.x - cell.width / 2 - across;
  }
}

/** The middle of each row, and how high all are. */
function heightsOf(cells: readonly Cell[], rows: readonly (readonly number[])[], { down, margin }: Gaps) {
  const tops: number[] = [];
  let top = margin;
  for (const row of rows) {
    const height = Math.max(0, ...row.map((cell) => cells[cell]!.height));
    tops.push(Math.round(top + height / 2));
    top += height + down;
  }
  return { tops, height: Math.ceil(Math.max(top - down, margin) + margin) };
}
