import { clientTypes, type Source } from './sources.ts';

/** A folder or a module directly below `src`, with what it holds. */
export interface Wing {
  readonly name: string;
  readonly rooms: readonly string[];
  readonly files: number;
  readonly lines: number;
  /** Floor in the picture: one above the highest wing that it imports. */
  readonly floor: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Imports of files of `from` from files of `to`. */
  readonly imports: number;
}

export interface Graph {
  readonly wings: readonly Wing[];
  readonly arrows: readonly Arrow[];
}

/** Modules below these names are no rooms: a wing without rooms of its own shows none. */
const isRoom = (name: string, files: number): boolean => !name.endsWith('.ts') && files > 1;

/** Test kits know the whole service, and the tools of plugins beside them know nothing of it. */
const wingOf = (path: string): string => {
  const [, name = '', below] = path.split('/');
  return name === 'kit' && below === 'testing' ? 'kit/testing' : name;
};

/** Wings and their imports. A wing that imports itself in a circle has no floor, so circles are an error. */
export function graphOf(sources: readonly Source[]): Graph {
  const own = sources.filter(({ path }) => path.startsWith('src/') && !clientTypes.has(path));
  const names = [...new Set(own.map(({ path }) => wingOf(path)))];
  const counts = new Map<string, number>();
  for (const { path, imports } of own) {
    for (const { internal, from } of imports) {
      // Types of documents belong to no wing.
      if (!internal || !from.startsWith('src/') || clientTypes.has(from) || wingOf(from) === wingOf(path)) continue;
      const key = `${wingOf(path)} ${wingOf(from)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const arrows = [...counts].map(([key, imports]) => {
    const [from = '', to = ''] = key.split(' ');
    return { from, to, imports };
  });
  const floors = new Map<string, number>();
  const floorOf = (name: string, trail: readonly string[]): number => {
    if (trail.includes(name)) throw new Error(`Expected no circle of wings: ${[...trail, name].join(' -> ')}`);
    const floor =
      floors.get(name) ??
      Math.max(0, ...arrows.filter(({ from }) => from === name).map(({ to }) => floorOf(to, [...trail, name]) + 1));
    floors.set(name, floor);
    return floor;
  };
  const wings = names.map((name): Wing => {
    const files = own.filter(({ path }) => wingOf(path) === name);
    const rooms = new Map<string, number>();
    for (const { path } of files) {
      const room = path.split('/')[2] ?? '';
      rooms.set(room, (rooms.get(room) ?? 0) + 1);
    }
    return {
      name,
      rooms: [...rooms].filter(([room, size]) => isRoom(room, size) && room !== 'testing').map(([room]) => room),
      files: files.length,
      lines: files.reduce((sum, { lines }) => sum + lines, 0),
      floor: floorOf(name, []),
    };
  });
  return { wings: wings.toSorted((a, b) => b.floor - a.floor || (a.name < b.name ? -1 : 1)), arrows };
}

/** Arrows that no chain of others stands for. */
export const directArrows = ({ arrows }: Graph): readonly Arrow[] => {
  const next = (name: string): readonly string[] => arrows.filter(({ from }) => from === name).map(({ to }) => to);
  const reaches = (name: string, target: string): boolean =>
    next(name).some((each) => each === target || reaches(each, target));
  return arrows.filter(({ from, to }) => !next(from).some((between) => between !== to && reaches(between, to)));
};

const box = { width: 340, height: 62, gap: 34, row: 104, margin: 24 };

/** Words in lines of at most so many letters, and no more than two lines. */
function inLines(words: readonly string[], letters: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 2 <= letters) lines[lines.length - 1] = `${last}, ${word}`;
    else lines.push(word);
  }
  return lines.slice(0, 2);
}

/** To two digits, so that small changes leave the picture as it is. */
const rounded = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en');

/** Floors from the entries down, with direct arrows as lines: the thicker, the more imports. */
export function svgOf(graph: Graph): string {
  const floors = [...new Set(graph.wings.map(({ floor }) => floor))].toSorted((a, b) => b - a);
  const rows = floors.map((floor) => graph.wings.filter((wing) => wing.floor === floor));
  const across = Math.max(...rows.map((row) => row.length));
  const width = across * (box.width + box.gap) + box.margin * 2 + 60;
  const height = rows.length * box.row - (box.row - box.height) + box.margin * 2;
  const places = new Map(
    rows.flatMap((row, y) =>
      row.map((wing, x) => {
        const rowWidth = row.length * (box.width + box.gap) - box.gap;
        return [
          wing.name,
          { x: (width - 60 - rowWidth) / 2 + x * (box.width + box.gap), y: box.margin + y * box.row },
        ] as const;
      }),
    ),
  );
  const lines = directArrows(graph).map(({ from, to, imports }) => {
    const [a, b] = [places.get(from)!, places.get(to)!];
    const [x1, y1, x2, y2] = [a.x + box.width / 2, a.y + box.height, b.x + box.width / 2, b.y - 5];
    const stroke = (1 + Math.log10(imports + 1)).toFixed(1);
    // Arrows over several floors pass the boxes between at the right.
    const beside = width + box.width / 3;
    const middle =
      y2 - y1 > box.row ? `${beside} ${y1 + 90}, ${beside} ${y2 - 90}` : `${x1} ${y1 + 24}, ${x2} ${y2 - 24}`;
    return `  <path d="M ${x1} ${y1} C ${middle}, ${x2} ${y2}" stroke-width="${stroke}"><title>${from} imports ${to}: ${rounded(imports)}</title></path>`;
  });
  const boxes = graph.wings.map(({ name, rooms, files, lines: length }) => {
    const { x, y } = places.get(name)!;
    const inside = inLines(rooms, 58).map(
      (line, n) => `    <text class="small" x="${x + 12}" y="${y + 38 + n * 14}">${line}</text>`,
    );
    return [
      `  <g>`,
      `    <rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="6"/>`,
      `    <text x="${x + 12}" y="${y + 21}">${name}</text>`,
      `    <text class="small" x="${x + box.width - 12}" y="${y + 21}" text-anchor="end">${rounded(files)} ${files === 1 ? 'file' : 'files'}, ${rounded(length)} lines</text>`,
      ...inside,
      `  </g>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif">
  <title>Wings of src and their imports. Each imports only wings below it.</title>
  <style>
    rect { fill: #f6f8fa; stroke: #57606a; }
    text { fill: #1f2328; font-size: 15px; font-weight: 600; }
    .small { fill: #57606a; font-size: 11px; font-weight: 400; }
    path { fill: none; stroke: #0969da; marker-end: url(#head); opacity: 0.75; }
  </style>
  <defs><marker id="head" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M 0 0 L 10 5 L 0 10 z" style="fill: #0969da; stroke: none; marker-end: none"/></marker></defs>
  <rect x="0" y="0" width="${width}" height="${height}" style="fill: #ffffff; stroke: none"/>
${lines.join('\n')}
${boxes.join('\n')}
</svg>
`;
}
