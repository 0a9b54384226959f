import type { MetadataTablePreviewDocument } from 'portico/types';

export type TableColumn = NonNullable<MetadataTablePreviewDocument['column']>[number];

/** Reading of a table. `uses`: choices of the person for columns by their heads. */
export interface Options {
  readonly key: 'id' | 'filename';
  readonly empty: 'keep' | 'clear';
  readonly uses: Readonly<Record<string, Use>>;
}

/** Use of a column: the name of a field follows the colon. */
export type Use = 'key' | 'ignored' | `field:${string}`;

export const standard: Options = { key: 'id', empty: 'keep', uses: {} };

/** The options as parameters of a request. */
export function queryOf({ key, empty, uses }: Options) {
  const columns = Object.entries(uses);
  return {
    key,
    empty,
    keyColumn: columns.find(([, use]) => use === 'key')?.[0],
    field: columns.flatMap(([head, use]) => (use.startsWith('field:') ? `${use.slice('field:'.length)}:${head}` : [])),
    ignore: columns.flatMap(([head, use]) => (use === 'ignored' ? head : [])),
  };
}

/** Use of a column by the answer of the service. Empty: it is not known. */
export const useOf = ({ use, field }: TableColumn): string =>
  use === 'field' ? `field:${field}` : use === 'unknown' ? '' : use;

/** Options with another use of one column. One column names the items. */
export function withUse(options: Options, head: string, use: Use): Options {
  const others = Object.entries(options.uses).filter(
    ([name, each]) => name !== head && (use !== 'key' || each !== 'key'),
  );
  return { ...options, uses: { ...Object.fromEntries(others), [head]: use } };
}
