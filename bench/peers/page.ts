import { readFile, writeFile } from 'node:fs/promises';
import { type WorkName, works } from './work.ts';

/** Medians by work and column. */
export type Figures = Map<WorkName, ReadonlyMap<string, number>>;

const page = new URL('../../docs/operate/figures.md', import.meta.url);
const [begin, end] = ['<!-- peers -->', '<!-- /peers -->'];

const rounded = (value: number) =>
  value < 20 ? value.toFixed(1) : String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The first column is what the ratios of the others are to. */
export function tableOf(columns: readonly string[], figures: Figures, lost: ReadonlyMap<string, string>): string {
  const [base] = columns;
  const cellsOf = (found: ReadonlyMap<string, number> | undefined) =>
    columns.map((column) => {
      const [value, least] = [found?.get(column), found?.get(base!)];
      if (value === undefined) return '-';
      return column === base || least === undefined
        ? rounded(value)
        : `${rounded(value)} (${(value / least).toFixed(1)})`;
    });
  return [
    line(['work', ...columns, 'Portico, editor, before']),
    line(['---', ...columns.map(() => '---'), '---']),
    ...works.map(([work, { title, before }]) => line([title, ...cellsOf(figures.get(work)), before])),
    line(['lost after kill -9', ...columns.map((column) => lost.get(column) ?? '-'), '0']),
  ].join('\n');
}

/** Puts the table between the marks of the page. */
export async function writePage(table: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`Expected ${begin} and ${end} in ${page.pathname}`);
  await writeFile(page, `${before}${begin}\n${table}\n${end}${after}`);
}
