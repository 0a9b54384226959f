import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dotOf } from '../../../src/extensions/graphs/graph-routes.ts';
import { letterOf } from '../../../src/extensions/pictures/graph-canvas.ts';
import { layoutOfGraph } from '../../../src/extensions/pictures/graph-layout.ts';
import { drawGraph } from '../../../src/extensions/pictures/graph-picture.ts';
import type { Graph } from '../../../src/room/graphs.ts';

const chain = (length: number): Graph => {
  const nodes = Array.from({ length }, (_, index) => ({ id: `n${index}`, shape: 'box' as const }));
  return { name: 'chain', nodes, edges: nodes.slice(1).map(({ id }, index) => ({ from: `n${index}`, to: id })) };
};

/** The pixels of a PNG with a palette, as numbers of colours. */
function pixelsOf(png: Uint8Array) {
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  let at = 8;
  for (;;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === 'IDAT') {
      const rows = inflateSync(png.subarray(at + 8, at + 8 + length));
      return { width, height, at: (x: number, y: number) => rows[y * (width + 1) + 1 + x] };
    }
    at += 12 + length;
  }
}

describe('a graph as text', () => {
  it('has each line once, and lets no name out of its quotation marks', () => {
    const edge = { from: 'a "b"', to: 'c\\', label: 'x\n y' };
    const graph: Graph = {
      name: 'g',
      way: 'up',
      nodes: [{ id: 'a "b"', shape: 'box', dashed: true }],
      edges: [edge, edge],
    };
    expect(dotOf(graph).split('\n')).toEqual([
      'digraph "g" {',
      '  rankdir=BT;',
      '  "a \\"b\\"" [shape=box, style="dashed"];',
      '  "a \\"b\\"" -> "c\\\\" [label="x y"];',
      '}',
      '',
    ]);
  });
});

describe('a layout', () => {
  const gaps = { across: 10, down: 20, margin: 5, widest: 400 };
  const square = { width: 30, height: 10 };

  it('puts each node below all that point to it, also where edges close a circle', async () => {
    const edges = [
      [0, 1],
      [1, 2],
      [0, 2],
      [2, 0],
      [3, 2],
      [3, 3],
    ] as const;
    const { nodes, height, edges: ways } = await layoutOfGraph({ sizes: Array(4).fill(square), edges }, gaps);
    const y = nodes.map((node) => node.y);
    expect(y[1]! > y[0]! && y[2]! > y[1]! && y[2]! > y[3]!).toBe(true);
    expect(Math.max(...y)).toBeLessThan(height);
    // The long way bends beside the node between.
    expect(ways[2]).toHaveLength(3);
    expect(Math.abs(ways[2]![1]!.x - nodes[1]!.x)).toBeGreaterThan(square.width / 2);
  });

  it('keeps the gaps between nodes of a row, and nothing is beyond its edges', async () => {
    const sizes = Array.from({ length: 40 }, (_, index) => ({ width: 20 + (index % 5) * 10, height: 10 }));
    const edges = Array.from({ length: 80 }, (_, index) => [index % 7, 7 + ((index * 5) % 33)] as const);
    const { nodes, width } = await layoutOfGraph({ sizes, edges }, gaps);
    const boxes = nodes.map(({ x, y }, index) => ({
      y,
      left: x - sizes[index]!.width / 2,
      right: x + sizes[index]!.width / 2,
    }));
    for (const box of boxes) expect(box.left >= gaps.margin - 1 && box.right <= width - gaps.margin + 1).toBe(true);
    for (const one of boxes) {
      for (const other of boxes) {
        if (one !== other && one.y === other.y && one.left <= other.left)
          expect(other.left - one.right).toBeGreaterThanOrEqual(gaps.across - 1);
      }
    }
  });

  it('wraps a row that is too wide, and arrows still go down', async () => {
    const edges = Array.from({ length: 29 }, (_, index) => [index, 29] as const);
    const { nodes, width } = await layoutOfGraph({ sizes: Array(30).fill(square), edges }, gaps);
    // Bends of the edges from the rows above stand between the nodes.
    expect(width).toBeLessThan(2 * gaps.widest);
    expect(new Set(nodes.map(({ y }) => y)).size).toBe(4);
    expect(nodes.slice(0, 29).every(({ y }) => y < nodes[29]!.y)).toBe(true);
  });

  it('puts nodes without edges behind all others', async () => {
    const { nodes } = await layoutOfGraph({ sizes: Array(3).fill(square), edges: [[1, 2]] }, gaps);
    expect(nodes[0]!.y).toBeGreaterThan(nodes[2]!.y);
  });

  it('puts neighbours that cross in the order of those above them', async () => {
    const edges = [
      [0, 3],
      [1, 2],
    ] as const;
    const { nodes } = await layoutOfGraph({ sizes: Array(4).fill(square), edges }, gaps);
    expect(nodes[0]!.x < nodes[1]!.x).toBe(nodes[3]!.x < nodes[2]!.x);
  });
});

describe('a picture of a graph', () => {
  it('is a PNG with the nodes in boxes and an arrow between them', async () => {
    const png = await drawGraph(chain(2), '/dot');
    const { width, height, at } = pixelsOf(png);
    const column = Array.from({ length: height }, (_, y) => at(Math.floor(width / 2), y));
    // Paper, the outline of a box, its colour, the arrow, the other box.
    for (const colour of [0, 1, 2, 3]) expect(column).toContain(colour);
    const [first, last] = [column.indexOf(2), column.lastIndexOf(2)];
    expect(column.slice(first, last + 1).every((colour) => colour === 2)).toBe(true);
    expect([at(0, 0), at(width - 1, height - 1)]).toEqual([0, 0]);
  });

  it('points up where the graph does', async () => {
    const graph: Graph = { ...chain(2), nodes: [{ id: 'n0', label: 'wide wide wide' }, { id: 'n1' }] };
    const widthAt = (png: Uint8Array) => {
      const { width, height, at } = pixelsOf(png);
      const ofRow = (y: number) =>
        Array.from({ length: width }, (_, x) => at(x, y)).filter((colour) => colour !== 0).length;
      return [ofRow(Math.round(height * 0.2)), ofRow(Math.round(height * 0.8))] as const;
    };
    const [top, bottom] = widthAt(await drawGraph(graph, '/dot'));
    expect(top).toBeGreaterThan(bottom);
    const [above, below] = widthAt(await drawGraph({ ...graph, way: 'up' }, '/dot'));
    expect(above).toBeLessThan(below);
  });

  it.each([
    ['too many nodes', chain(151)],
    [
      'too many edges',
      {
        ...chain(30),
        edges: Array.from({ length: 401 }, (_, n) => ({ from: `n${n % 30}`, to: `n${(n * 7) % 30}`, label: `${n}` })),
      },
    ],
  ] as const)('is refused for %s, with the address of the text', async (_what, graph) => {
    await expect(drawGraph(graph, '/API/user/graph/dot')).rejects.toMatchObject({
      code: 'bad-value',
      detail: { explanation: expect.stringContaining('/API/user/graph/dot') },
    });
  });

  it('wraps many nodes, has smaller letters where the graph is large, and an end to its pixels', async () => {
    const { width, height } = pixelsOf(await drawGraph({ ...chain(150), nodes: chain(150).nodes, edges: [] }, '/dot'));
    expect(width).toBeLessThan(2000);
    expect(height).toBeLessThan(2000);
    const tall = (length: number, lines: number): Graph => ({
      ...chain(length),
      nodes: chain(length).nodes.map(({ id }) => ({ id, label: Array(lines).fill('wide '.repeat(8)).join(' | ') })),
    });
    const [low, high] = [
      pixelsOf(await drawGraph(tall(60, 1), '/dot')),
      pixelsOf(await drawGraph(tall(60, 12), '/dot')),
    ];
    expect(high.width).toBeLessThan(low.width);
    await expect(drawGraph(tall(150, 12), '/dot')).rejects.toMatchObject({ code: 'bad-value' });
  });

  it('draws nothing of a graph without nodes, and nodes that only edges name', async () => {
    expect(pixelsOf(await drawGraph({ name: 'none', nodes: [], edges: [] }, '/dot')).width).toBeGreaterThan(0);
    const { height } = pixelsOf(await drawGraph({ name: 'g', nodes: [], edges: [{ from: 'a', to: 'b' }] }, '/dot'));
    expect(height).toBeGreaterThan(80);
  });
});

it('each letter of ASCII looks different, and others are a box', () => {
  const letters = Array.from({ length: 95 }, (_, index) => letterOf(String.fromCharCode(0x20 + index)).join());
  expect(new Set(letters).size).toBe(95);
  expect(new Set(['ä', '漢', '\t', '😀'].map((each) => letterOf(each).join())).size).toBe(1);
});
