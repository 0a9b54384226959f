import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers stand at the end. */
  readonly at?: 'end';
}

interface TableProps<T> {
  /** Name for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}

/** A table of at most some hundred rows. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map(({ id, title, at }) => (
              <th key={id} scope="col" class={at}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, title, cell, at }) => (
                <td key={id} class={at} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
