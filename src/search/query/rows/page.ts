import { type IndexedKind, numberOf } from '../../index/numbers.ts';

/** One entry with its sort values as texts. */
export interface FoundRow {
  readonly number: number;
  readonly id: string;
  readonly keys: readonly (string | null)[];
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** A page, and the number of all hits where it is counted. */
export interface PageAndHits {
  readonly rows: readonly FoundRow[];
  readonly hits: number | undefined;
  /** The ids of the rows, where there is nothing else but numbers to tell: most answers have no use for rows. */
  readonly ids?: readonly string[];
  /** Behind which the next page begins. */
  readonly last: Pick<FoundRow, 'number' | 'keys'> | undefined;
}

export const noKeys: readonly null[] = [];

/** Of entries of one kind with an id alone. Their rows are made for those who ask. */
export function plainPage(kind: IndexedKind, ids: readonly string[], hits: number | undefined): PageAndHits {
  let rows: readonly FoundRow[] | undefined;
  const last = ids.at(-1);
  return {
    hits,
    ids,
    last: last === undefined ? undefined : { number: numberOf(kind, last), keys: noKeys },
    get rows() {
      rows ??= ids.map((id) => ({ number: numberOf(kind, id), id, keys: noKeys, start: undefined, end: undefined }));
      return rows;
    },
  };
}
