/**
 * Compared work, and the figures of an earlier run: at 100,000 items, on an idle machine, before access was kept by
 * revision. It is that of an editor, with its ratio to the bare handler.
 */
export const pieceBytes = 8 * 1024 ** 2;
export const fileBytes = 25 * pieceBytes;
export const rangeBytes = 64 * 1024;

interface Work {
  readonly title: string;
  /** Bytes of a request: the row then has seconds for a gigabyte, and microseconds for a request otherwise. */
  readonly bytes?: number;
  readonly before: string;
}

const rows = {
  token: { title: 'who am I, token', before: '55 (0.9)' },
  basic: { title: 'who am I, Basic', before: '51 (1.0)' },
  create: { title: 'create, 8 fields', before: '2,129 (4.9)' },
  read: { title: 'read one with metadata', before: '1,825 (16.4)' },
  update: { title: 'update 3 fields', before: '3,125 (4.8)' },
  updateShort: { title: 'the same, short answer', before: '1,940' },
  list: { title: 'list of 50 with metadata and count', before: '12,770 (33.0)' },
  listTerse: { title: 'the same, terse', before: '10,125' },
  listUncounted: { title: 'the same, without count', before: '-' },
  listIds: { title: 'the same, ids alone', before: '955' },
  search: { title: 'search with filter and count', before: '13,933 (2.7)' },
  searchIds: { title: 'the same, ids alone', before: '10,040' },
  facet: { title: 'the same with a facet', before: '21,476 (2.6)' },
  upload: { title: 'upload of 200 MB, s/GB', bytes: fileBytes, before: '2.1 (1.1)' },
  tus: { title: 'the same by tus, pieces of 8 MB, s/GB', bytes: fileBytes, before: '2.1' },
  range: { title: 'ranges of 64 KB, s/GB', bytes: rangeBytes, before: '8.4 (2.8)' },
} satisfies Record<string, Work>;

export type WorkName = keyof typeof rows;
export const works = Object.entries(rows) as unknown as readonly (readonly [WorkName, Work])[];
