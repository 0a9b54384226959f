import { ServiceError } from '../../core/lib/errors.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { pngFile } from '../../production/transcoding/public-reading.ts';
import { between, type Graph, type GraphNode } from '../../room/graphs.ts';
import { Canvas, colour, letterHeight, letterWidth, palette } from './graph-canvas.ts';
import { type GraphLayout, layoutOfGraph, type Point } from './graph-layout.ts';

/** Limits of a picture, which blocks other requests while it is drawn. */
const maxNodes = 150;
const maxEdges = 400;
const maxPixels = 8_000_000;
const maxSideLength = 16_000;
const maxLineLength = 40;
const maxLines = 12;

/** Edges, labels or nodes drawn between two yields to the event loop. */
const inOneTurn = 25;

interface Box {
  readonly node: GraphNode;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** A PNG of the graph. `dot`: the address that answers it as text, for those that are too large to draw. */
export async function drawGraph(graph: Graph, dot: string): Promise<Uint8Array<ArrayBuffer>> {
  const { nodes, edges } = withAllNodes(graph);
  if (nodes.length > maxNodes || edges.length > maxEdges)
    throw tooLarge(`at most ${maxNodes} nodes and ${maxEdges} edges`, `${nodes.length} and ${edges.length}`, dot);
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const ends = edges.map(({ from, to }) => [numbers.get(from)!, numbers.get(to)!] as const);
  for (const scale of [2, 1]) {
    const boxes = nodes.map((node) => boxOf(node, scale));
    const sizes = boxes.map(({ width, height }) => ({ width, height }));
    const gaps = { across: 12 * scale, down: 28 * scale, margin: 8 * scale, widest: 800 * scale };
    const layout = await layoutOfGraph({ sizes, edges: ends }, gaps);
    if (layout.width * layout.height > maxPixels || Math.max(layout.width, layout.height) > maxSideLength) continue;
    const canvas = await draw({ ...graph, nodes, edges }, boxes, turned(layout, graph.way), ends, scale);
    return pngFile({ width: canvas.width, height: canvas.height, palette, rows: canvas.rows });
  }
  throw tooLarge(`a picture of at most ${maxPixels} pixels`, 'more', dot);
}

const tooLarge = (expected: string, found: string, dot: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'header Accept',
    explanation: `Expected ${expected} to draw: found ${found}. ${dot} answers the graph as text`,
  });

/** Adds nodes that are only named by edges. */
function withAllNodes({ nodes, edges }: Graph): Pick<Graph, 'nodes' | 'edges'> {
  const all = new Map(edges.flatMap(({ from, to }) => [from, to]).map((id): [string, GraphNode] => [id, { id }]));
  for (const node of nodes) all.set(node.id, node);
  const described = new Set(nodes.map(({ id }) => id));
  const others = [...all.values()].filter(({ id }) => !described.has(id));
  const distinct = new Map(edges.map((edge) => [JSON.stringify(edge), edge]));
  return {
    nodes: [...new Map(nodes.map((node) => [node.id, node])).values(), ...others],
    edges: [...distinct.values()],
  };
}

const advance = letterWidth + 1;

function boxOf(node: GraphNode, scale: number): Box {
  const lines = (node.label ?? node.id).split(between).slice(0, maxLines).map(shortened);
  const longest = Math.max(...lines.map((line) => [...line].length));
  const round = node.shape === 'box' ? 0 : 10;
  return {
    node,
    lines,
    width: (longest * advance + 10 + round) * scale,
    height: (lines.length * (letterHeight + 2) + 6) * scale,
  };
}

function shortened(line: string): string {
  const characters = [...line.replace(/\s+/g, ' ')];
  return characters.length <= maxLineLength
    ? characters.join('')
    : `${characters.slice(0, maxLineLength - 3).join('')}...`;
}

/** Arrows go up where the graph says so. */
function turned(layout: GraphLayout, way: Graph['way']): GraphLayout {
  if (way !== 'up') return layout;
  const up = ({ x, y }: Point): Point => ({ x, y: layout.height - 1 - y });
  return { ...layout, nodes: layout.nodes.map(up), edges: layout.edges.map((points) => points.map(up)) };
}

async function draw(
  { edges }: Graph,
  boxes: readonly Box[],
  { width, height, nodes, edges: ways }: GraphLayout,
  ends: readonly (readonly [number, number])[],
  scale: number,
): Promise<Canvas> {
  const canvas = new Canvas(width, height);
  const pace = async (index: number) => {
    if (index % inOneTurn === 0) await yieldTurn();
  };
  for (const [index, points] of ways.entries()) {
    await pace(index);
    const [from, to] = ends[index]!;
    if (from === to) continue;
    drawEdge(canvas, cut(points, boxes[from]!, boxes[to]!), edges[index]!.dashed === true, scale);
  }
  for (const [index, edge] of edges.entries()) {
    await pace(index);
    if (edge.label !== undefined) drawLabel(canvas, shortened(edge.label), middleOf(ways[index]!), scale);
  }
  for (const [index, box] of boxes.entries()) {
    await pace(index);
    drawBox(canvas, box, nodes[index]!, scale);
  }
  return canvas;
}

/** The way of an edge between the sides of its nodes that face each other. */
function cut(points: readonly Point[], from: Box, to: Box): readonly Point[] {
  const side = (at: Point, towards: Point, { height }: Box): Point => ({
    x: at.x,
    y: at.y + Math.sign(towards.y - at.y) * Math.ceil(height / 2),
  });
  const [first, last] = [points[0]!, points.at(-1)!];
  return [side(first, points[1]!, from), ...points.slice(1, -1), side(last, points.at(-2)!, to)];
}

function drawEdge(canvas: Canvas, points: readonly Point[], dashed: boolean, scale: number): void {
  for (const [index, to] of points.slice(1).entries()) canvas.line(points[index]!, to, colour.line, dashed);
  const [before, tip] = [points.at(-2)!, points.at(-1)!];
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  for (let step = 0; step < 6 * scale; step++) {
    const half = step / 2.5;
    const back = { x: tip.x - dx * step, y: tip.y - dy * step };
    const corner = (way: number): Point => ({
      x: Math.round(back.x - dy * half * way),
      y: Math.round(back.y + dx * half * way),
    });
    canvas.line(corner(1), corner(-1), colour.line);
  }
}

/** Middle point of the middle segment. */
function middleOf(points: readonly Point[]): Point {
  const at = Math.floor((points.length - 1) / 2);
  const [from, to] = [points[at]!, points[Math.min(at + 1, points.length - 1)]!];
  return { x: Math.round((from.x + to.x) / 2), y: Math.round((from.y + to.y) / 2) };
}

function drawLabel(canvas: Canvas, text: string, middle: Point, scale: number): void {
  const half = Math.round(([...text].length * advance * scale) / 2);
  const x = Math.max(half + 1, Math.min(middle.x, canvas.width - half - 1));
  const { y } = middle;
  const top = y - Math.round((letterHeight * scale) / 2);
  for (let row = -1; row <= letterHeight * scale; row++) canvas.run(x - half - 1, x + half, top + row, colour.paper);
  canvas.text(text, { x: x - half, y: top }, scale, colour.ink);
}

function drawBox(canvas: Canvas, { node, lines, width, height }: Box, middle: Point, scale: number): void {
  const [halfWidth, halfHeight] = [Math.floor(width / 2), Math.floor(height / 2)];
  const reaches = {
    box: () => halfWidth,
    ellipse: (row: number) => halfWidth * (1 - Math.abs(row / (halfHeight + 1)) ** 4) ** 0.25,
    hexagon: (row: number) => halfWidth - (Math.abs(row) / halfHeight) * 5 * scale,
  };
  const { shape = 'ellipse', dashed = false } = node;
  canvas.shape(middle, halfHeight, reaches[shape], shape === 'ellipse' ? colour.round : colour.box, dashed);
  const lineHeight = (letterHeight + 2) * scale;
  const top = middle.y - Math.floor((lines.length * lineHeight) / 2) + scale * 2;
  for (const [index, line] of lines.entries()) {
    const left = middle.x - Math.floor(([...line].length * advance * scale) / 2);
    canvas.text(line, { x: left, y: top + index * lineHeight }, scale, colour.ink);
  }
}
