import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/core/store/contract.ts';
import type { Store } from '../../src/core/store/store.ts';
import { findFiles } from '../../src/storage/files/list/find.ts';
import {
  anywhere,
  type FileOrder,
  type FileQuery,
  pathFilter,
  sortFields,
} from '../../src/storage/files/list/query.ts';
import type { ListedFile, Slice } from '../../src/storage/files/list/store.ts';
import { usageOfAll } from '../../src/storage/files/list/store.ts';
import { pathNames } from '../../src/storage/files/store.ts';
import { testRandom } from '../support/random.ts';
import { memoryStore, nobody } from '../support/store.ts';

interface Kept {
  readonly id: string;
  readonly serial: number;
  readonly storage: string;
  readonly path: string;
  readonly state: string;
  readonly size: number | null;
  readonly timestamp: number;
  readonly hash: string | null;
  readonly used: boolean;
}

const count = 400;
const states = ['CLOSED', 'OPEN', 'MISSING', 'TO_BE_DELETED'];
const parts = ['a', 'b', 'A', 'ab', 'x.mov', 'Y.MXF', 'é', '%'];
/** Each question is about some of these. */
const asked = ['a', 'A', 'a/x.mov', 'a/b/x.mov', 'A/b', 'a/é', 'a/b'];
const bounds = { values: 100_000, steps: 1_000_000_000, text: 1000, pattern: 255 };

/** Files with paths that are alike, in three storages, of which one is deleted. */
function madeUp(): readonly Kept[] {
  const random = testRandom();
  const upTo = (max: number) => random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) % max;
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, at): Kept => {
    const serial = at + 1;
    const always = asked[at];
    const storage = always === undefined ? `VX-${1 + upTo(3)}` : 'VX-1';
    let path = always ?? Array.from({ length: 1 + upTo(3) }, () => parts[upTo(parts.length)]!).join('/');
    if (taken.has(`${storage} ${path}`)) path = `${path}/${at}`;
    taken.add(`${storage} ${path}`);
    return {
      id: `VX-${serial}`,
      serial,
      storage,
      path,
      state: states[always === undefined ? upTo(states.length) : at % 2]!,
      size: upTo(3) === 0 ? null : upTo(20),
      timestamp: upTo(50),
      hash: upTo(4) === 0 ? `${upTo(3)}`.repeat(40) : null,
      used: upTo(5) === 0,
    };
  });
}

const statement = ({ id, serial, storage, path, state, size, timestamp, hash }: Kept) => {
  const { folder, name, extension } = pathNames(path);
  return {
    sql: `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, hash, changed_at, timestamp, version)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 1)`,
    args: [id, serial, storage, path, folder, name, extension, state, size, hash, timestamp],
  };
};

/** As the database orders texts. */
const compare = (one: string | number | null, other: string | number | null): number => {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'number') return one - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
};

const keyOf = ({ field }: FileOrder, file: Kept): string | number | null => {
  const { name, extension } = pathNames(file.path);
  return {
    fileId: file.serial,
    size: file.size,
    state: file.state,
    timestamp: file.timestamp,
    filename: name,
    extension,
  }[field];
};

interface Asked {
  readonly title: string;
  readonly query: Omit<FileQuery, 'order'>;
  fits(file: Kept): boolean;
}

const all: Asked['query'] = {
  ids: undefined,
  states: undefined,
  hashes: undefined,
  used: undefined,
  unqueued: false,
  places: anywhere,
};
const live = (file: Kept) => file.state !== 'TO_BE_DELETED';
const placed = (path: string, more: { recursive?: boolean; wildcard?: boolean; ignorecase?: boolean } = {}) =>
  pathFilter({ path, recursive: true, wildcard: false, ignorecase: false, ...more }, 255);
const folder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const questions: readonly Asked[] = [
  { title: 'all', query: all, fits: () => true },
  { title: 'a state', query: { ...all, states: ['OPEN'] }, fits: ({ state }) => state === 'OPEN' },
  {
    title: 'two states',
    query: { ...all, states: ['OPEN', 'TO_BE_DELETED'] },
    fits: ({ state }) => state === 'OPEN' || state === 'TO_BE_DELETED',
  },
  {
    title: 'ids',
    query: { ...all, ids: ['VX-3', 'VX-7', 'VX-11', 'VX-9999'] },
    fits: ({ serial }) => [3, 7, 11].includes(serial),
  },
  {
    title: 'hashes',
    query: { ...all, hashes: { algorithm: 'SHA-1', values: ['0'.repeat(40), '1'.repeat(40)] } },
    fits: ({ hash }) => hash !== null && /^[01]/.test(hash),
  },
  { title: 'used', query: { ...all, used: true }, fits: ({ used }) => used },
  {
    title: 'unused and closed',
    query: { ...all, used: false, states: ['CLOSED'] },
    fits: ({ used, state }) => !used && state === 'CLOSED',
  },
  {
    title: 'below a folder',
    query: { ...all, places: placed('a') },
    fits: (file) => live(file) && /^a(\/|$)/.test(file.path),
  },
  {
    title: 'in a folder',
    query: { ...all, places: placed('a', { recursive: false }) },
    fits: (file) => live(file) && (file.path === 'a' || folder(file.path) === 'a/'),
  },
  {
    title: 'in the folder at the top',
    query: { ...all, places: placed('/', { recursive: false }) },
    fits: (file) => live(file) && folder(file.path) === '',
  },
  {
    title: 'a pattern with a beginning',
    query: { ...all, places: placed('a/*x?mov', { wildcard: true }) },
    fits: (file) => live(file) && /^a\/.*x.mov$/s.test(file.path),
  },
  {
    title: 'a pattern of anything',
    query: { ...all, places: placed('*é*', { wildcard: true }) },
    fits: (file) => live(file) && file.path.includes('é'),
  },
  {
    title: 'a pattern within one folder',
    query: { ...all, places: placed('a/*', { wildcard: true, recursive: false }) },
    fits: (file) => live(file) && folder(file.path) === 'a/',
  },
  {
    title: 'a folder without regard to case',
    query: { ...all, places: placed('A', { ignorecase: true }) },
    fits: (file) => live(file) && /^a(\/|$)/i.test(file.path),
  },
  {
    title: 'one such folder',
    query: { ...all, places: placed('A', { ignorecase: true, recursive: false }) },
    fits: (file) => live(file) && (/^a$/i.test(file.path) || /^a\/$/i.test(folder(file.path))),
  },
  {
    title: 'a folder and a state that has no paths',
    query: { ...all, states: ['TO_BE_DELETED', 'OPEN'], places: placed('a') },
    fits: (file) => /^a(\/|$)/.test(file.path) && (file.state === 'OPEN' || !live(file)),
  },
];

describe('a page of files is the same by each plan, and as sorting all of them would give it', () => {
  const files = madeUp();
  let store: Store;

  beforeAll(async () => {
    store = await memoryStore();
    const storages = [1, 2, 3].map((serial) => ({
      sql: `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
          scan_interval, show_importables, priority, rest, version, created_at, deleted_at)
        VALUES (?, ?, 'LOCAL', 'NONE', 1, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0, ?)`,
      args: [`VX-${serial}`, serial, serial === 3 ? 1 : null],
    }));
    const uses = files.flatMap(({ id, used }) =>
      used ? [{ sql: `INSERT INTO file_use VALUES (?, 'VX-1', 'VX-1', 'VX-1')`, args: [id] }] : [],
    );
    await store.commit({ changes: [...storages, ...files.map(statement), ...uses], events: [] }, nobody);
  });
  afterAll(() => store.close());

  const plans: string[] = [];
  const recording = {
    async read(sql: string, args: readonly (string | number | null)[] = []): Promise<Row[]> {
      const steps = await store.read(`EXPLAIN QUERY PLAN ${sql}`, args);
      plans.push(...steps.map((step) => String(step[3])));
      return store.read(sql, args);
    },
  } as Pick<Store, 'read'>;

  async function ask(query: FileQuery, slice: Slice, maxGathered: number) {
    const usage = await usageOfAll(store, { groups: null, importables: 0 });
    return findFiles({ reader: recording, kind: 'file', bounds, usage, query, slice, counts: true, maxGathered });
  }

  const expected = ({ fits }: Asked, order: FileOrder): readonly Kept[] => {
    const sorted = files
      .filter((file) => file.storage !== 'VX-3' && fits(file))
      .toSorted((one, other) => compare(keyOf(order, one), keyOf(order, other)) || one.serial - other.serial);
    return order.descending ? sorted.toReversed() : sorted;
  };

  for (const asked of questions) {
    it(asked.title, async () => {
      for (const field of sortFields) {
        for (const descending of [false, true]) {
          const order = { field, descending };
          const wanted = expected(asked, order);
          expect(wanted.length, 'the question is about some files').toBeGreaterThan(0);
          const ids = wanted.map(({ id }) => id);
          for (const maxGathered of [0, 1_000_000]) {
            const query = { ...asked.query, order };
            const told = `${field} ${descending} ${maxGathered}`;
            const whole = await ask(query, { after: undefined, offset: 0, limit: 1000 }, maxGathered);
            expect([told, whole.hits, whole.page.map(({ id }) => id)]).toEqual([told, ids.length, ids]);
            const part = await ask(query, { after: undefined, offset: 3, limit: 5 }, maxGathered);
            expect(part.page.map(({ id }) => id)).toEqual(ids.slice(3, 8));
            const seen: string[] = [];
            for (let after: ListedFile | undefined; ; ) {
              const { page } = await ask(
                query,
                { after, offset: 0, limit: 1 + Math.ceil(ids.length / 4) },
                maxGathered,
              );
              seen.push(...page.map(({ id }) => id));
              after = page.at(-1);
              if (!after) break;
            }
            expect([told, seen]).toEqual([told, ids]);
          }
        }
      }
    });
  }

  it('and every plan finds files by an index', () => {
    expect(plans.length).toBeGreaterThan(1000);
    const found = new Set(plans.filter((step) => /\bfile\b/.test(step)));
    expect(
      [...found].filter(
        (step) => !/^SEARCH file USING /.test(step) && !/^SCAN file USING INDEX file_serial/.test(step),
      ),
    ).toEqual([]);
  });

  it('and a walk sorts nothing', async () => {
    for (const field of sortFields) {
      for (const descending of [false, true]) {
        plans.length = 0;
        const order = { field, descending };
        const after = { key: field === 'filename' || field === 'extension' || field === 'state' ? 'a' : 5, serial: 5 };
        for (const position of [undefined, after])
          await ask({ ...all, order }, { after: position, offset: 0, limit: 10 }, 0);
        expect([field, plans.filter((step) => step.includes('TEMP B-TREE'))]).toEqual([field, []]);
      }
    }
  });
});
