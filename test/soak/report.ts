import { escapeHtml } from '../../src/core/lib/html.ts';
import { type Broken, p99, type Sample, type Soaked } from './judge.ts';

const [width, height, left] = [420, 130, 70];
const minute = 60_000;
const mebibyte = 1024 * 1024;

const round = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en', { maximumFractionDigits: 1 }) : '-';

/** Answers of each route: how many by status, and milliseconds within which 99 of 100 came. */
export const routesOf = ({ routes }: Soaked) =>
  [...routes].toSorted().map(([route, { took, statuses }]) => ({
    ...{ route, statuses, p99: p99(took.flat()), first: p99(took[0]!), last: p99(took.at(-1)!) },
  }));

/** Values over the minutes of the run, with a bar for each time in which something was killed, stopped or filled. */
function plot({ samples, disturbances, hours }: Soaked, title: string, of: (sample: Sample) => number): string {
  const end = hours * 60 * minute;
  const values = samples
    .map((sample) => [sample.at, of(sample)] as const)
    .filter(([, value]) => Number.isFinite(value));
  const max = Math.max(1, ...values.map(([, value]) => value)) * 1.1;
  const x = (at: number) => ((width * Math.min(at, end)) / end).toFixed(1);
  const y = (value: number) => (height * (1 - value / max)).toFixed(1);
  const bars = disturbances.map(
    ({ name, began, ended }) =>
      `<rect x="${x(began)}" y="0" height="${height}" width="${Math.max(1, Number(x(ended)) - Number(x(began)))}" opacity=".2"><title>${escapeHtml(name)}</title></rect>`,
  );
  const marks = [0, 0.5, 1].map(
    (share) =>
      `<path d="M0 ${y(share * max)}H${width}" opacity=".2"/><text x="-6" y="${Number(y(share * max)) + 4}" text-anchor="end">${round(share * max)}</text>
<text x="${share * width}" y="${height + 16}" text-anchor="middle">${round(share * hours * 60)} min</text>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>
<svg viewBox="${-left} -6 ${left + width + 30} ${height + 30}" role="img" aria-label="${escapeHtml(title)}">
<g stroke="currentColor" fill="currentColor">${bars.join('')}</g>
<g stroke="currentColor" stroke-width=".5" fill="currentColor" font-size="11">${marks.join('\n')}</g>
<polyline class="line" fill="none" points="${values.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')}"/></svg></figure>`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><tr>${head.map((cell) => `<th>${escapeHtml(cell)}</th>`).join('')}</tr>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`).join('\n')}</table>`;

const list = (lines: readonly string[]): string =>
  `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;

/** A page that asks for nothing else. */
export function reportPage(soaked: Soaked, broken: readonly Broken[]): string {
  const { hours, seed, rate, quietPoints, disturbances, samples, turns, left: without } = soaked;
  const verdict = broken.length === 0 ? 'No promise is broken' : `${broken.length} broken promises`;
  const rows = Object.keys(samples.at(-1)?.rows ?? {});
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Soak: ${verdict}</title>
<meta name="viewport" content="width=device-width">
<style>:root{color-scheme:light dark}body{font:14px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
figure{display:inline-block;width:min(100%,32rem);margin:.5rem 0}svg{width:100%}.line{stroke:light-dark(#0b6bcb,#6cb2ff);stroke-width:2}
td,th{padding:.1rem .8rem .1rem 0;text-align:left;vertical-align:top}</style>
<h1>${verdict}</h1>
<p>${round(hours)} hours, seed ${seed}, rate ${rate}, ${quietPoints} quiet points, ${disturbances.length} disturbances: the grey bars.</p>
${list(broken.map(({ promise, shows }) => `${promise}: ${shows}`))}
<h2>What the server takes</h2>
${plot(soaked, 'Alive in memory, MiB', ({ alive }) => alive)}
${plot(soaked, 'Memory of the process, MiB', ({ resident }) => resident)}
${plot(soaked, 'Descriptors', ({ descriptors }) => descriptors)}
${plot(soaked, 'Database, MiB', ({ database }) => database / mebibyte)}
${plot(soaked, 'Log of the database, MiB', ({ writeAheadLog }) => writeAheadLog / mebibyte)}
${plot(soaked, 'Log of warnings, KiB', ({ log }) => log / 1024)}
<h2>Rows that something removes</h2>
${plot(soaked, 'All of them', (sample) => Object.values(sample.rows).reduce((sum, count) => sum + count, 0))}
${table(
  ['rows', 'largest', 'last'],
  rows.map((name) => [
    name,
    round(Math.max(...samples.map((sample) => sample.rows[name] ?? 0))),
    round(samples.at(-1)!.rows[name]!),
  ]),
)}
<h2>Answers</h2>
${table(
  ['route', 'by status (0: none)', '99 of 100, ms', 'first tenth', 'last tenth'],
  routesOf(soaked).map(({ route, statuses, ...times }) => [
    route,
    Object.entries(statuses)
      .map(([status, count]) => `${count}x${status}`)
      .join(' '),
    ...[times.p99, times.first, times.last].map(round),
  ]),
)}
<h2>Turns of callers</h2>
${table(
  ['caller', 'turns'],
  Object.entries(turns).map(([name, count]) => [name, round(count)]),
)}
<h2>Left out here</h2>
${list(without)}
</html>
`;
}
