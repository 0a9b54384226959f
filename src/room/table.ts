import type { Desk } from './command.ts';

/** Prints rows under each other, the first as their heads. */
export function tellTable(tell: Desk['tell'], rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    tell(cells.join('  ').trimEnd());
  }
}

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
