/** Line of a plot: a value for each size. */
interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const [width, height, left, top, labels] = [300, 420, 60, 50, 240];
const line = 15;
const colours = ['#0b6bcb', '#c23b22', '#2e7d32', '#8e24aa', '#b26a00', '#00838f', '#5d4037', '#ad1457'];
const [cheapest, dearest] = [100, 1_000_000];
const powers = [100, 1_000, 10_000, 100_000, 1_000_000];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const microseconds = (value: number): string =>
  value < 1_000 ? `${value} µs` : value < 1_000_000 ? `${value / 1_000} ms` : '1 s';

/** Plot of CPU time against numbers of items, both by powers of ten, as SVG: one panel for each caller. */
export function growthPicture(sizes: readonly number[], panels: readonly Panel[]): string {
  const [least, most] = [Math.log(sizes[0]!), Math.log(sizes.at(-1)!)];
  const x = (size: number): number => (width * (Math.log(size) - least)) / Math.max(most - least, 1);
  const y = (value: number): number =>
    height * (1 - Math.log(Math.max(value, cheapest) / cheapest) / Math.log(dearest / cheapest));
  const panelWidth = left + width + labels;
  const text = (at: number, down: number, words: string, more = '') =>
    `<text x="${at.toFixed(0)}" y="${down.toFixed(0)}" ${more}>${escaped(words)}</text>`;

  const panel = ({ title, lines }: Panel, at: number): string => {
    const grid = powers.map(
      (power) =>
        `<path d="M0 ${y(power).toFixed(1)}H${width}" stroke="#ddd"/>${text(-8, y(power) + 4, microseconds(power), 'text-anchor="end"')}`,
    );
    const marks = sizes.map((size) => text(x(size), height + 20, size.toLocaleString('en'), 'text-anchor="middle"'));
    const sorted = lines.toSorted((one, other) => y(one.values.at(-1)!) - y(other.values.at(-1)!));
    let below = 0;
    const drawn = sorted.map(({ name, values }, index) => {
      const colour = colours[index % colours.length]!;
      const points = values.map((value, place) => `${x(sizes[place]!).toFixed(1)},${y(value).toFixed(1)}`);
      // Names that would cover each other move down.
      const end = y(values.at(-1)!);
      below = Math.max(end, below + line);
      const words = text(width + 16, below + 4, name, `fill="${colour}"`);
      return `<polyline points="${points.join(' ')}" stroke="${colour}" fill="none" stroke-width="2"/>
        <path d="M${width + 2} ${end.toFixed(1)}L${width + 13} ${below}" stroke="${colour}"/>${words}`;
    });
    return `<g transform="translate(${at * panelWidth + left} ${top})">${text(0, -20, title, 'font-weight="bold"')}
      ${[...grid, ...marks, ...drawn].join('\n')}</g>`;
  };

  const [whole, tall] = [panelWidth * panels.length, top + height + 60];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${tall}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${panels.map(panel).join('\n')}
${text(left, tall - 12, 'Items, and CPU time of one request')}
</svg>
`;
}
