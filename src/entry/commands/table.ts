import { tell } from '../output.ts';

/** Rows in columns, the first one with their names. */
export function table(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    tell(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
