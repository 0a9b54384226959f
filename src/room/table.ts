import type { Desk } from './command.ts';

/** Prints rows under each other, the first as their heads. */
export function tellTable(tell: Desk['tell'], rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    tell(cells.join('  ').trimEnd());
  }
}

const pageRows = 500;

/** Prints a list of any length page by page: each page has columns of its own width. */
export async function tellPages(
  { tell }: Pick<Desk, 'tell'>,
  heads: readonly string[],
  none: string,
  read: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly (readonly string[])[]>,
): Promise<void> {
  for (let offset = 0; ; offset += pageRows) {
    const rows = await read({ offset, limit: pageRows });
    if (rows.length === 0 && offset === 0) return tell(none);
    if (rows.length > 0) tellTable(tell, offset === 0 ? [heads, ...rows] : rows);
    if (rows.length < pageRows) return;
  }
}

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
