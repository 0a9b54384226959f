import { ServiceError } from '../../src/core/lib/errors.ts';
import type { Maybe } from '../../src/core/lib/maybe.ts';
import type { Database, Row } from '../../src/core/store/contract.ts';
import type { Store } from '../../src/core/store/store.ts';

interface FaultyDatabase extends Database {
  /** From now on these calls are refused, as an unreachable database refuses them. */
  fail(...calls: ('read' | 'write')[]): void;
  mend(): void;
  /** Something that happens between what a request has read and its next write, or the next one with these words. */
  beforeNextWrite(action: () => Promise<unknown>, words?: string): void;
  /** The same before the next read whose statement has these words. */
  beforeNextRead(words: string, action: () => Promise<unknown>): void;
}

export function faultyDatabase(inner: Database): FaultyDatabase {
  let failing: readonly string[] = [];
  let meanwhile: { readonly words: string; readonly action: () => Promise<unknown> } | undefined;
  let awaited: { readonly words: string; readonly action: () => Promise<unknown> } | undefined;
  const refuse = () => Promise.reject(new ServiceError('store-unavailable', { explanation: 'The test took it away' }));
  function look(sql: string, go: () => Maybe<Row[]>): Maybe<Row[]> {
    if (failing.includes('read')) return refuse();
    if (!awaited || !sql.includes(awaited.words)) return go();
    const { action } = awaited;
    awaited = undefined;
    return action().then(go);
  }
  return {
    kind: inner.kind,
    get figures() {
      return inner.figures;
    },
    grouped: inner.grouped,
    get pending() {
      return inner.pending;
    },
    read: (sql, args, max) => look(sql, () => inner.read(sql, args, max)),
    query: (caller, sql, args, max) => look(sql, () => inner.query(caller, sql, args, max)),
    async write(statements, share) {
      const due = meanwhile;
      if (due && statements.some(({ sql }) => sql.includes(due.words))) {
        meanwhile = undefined;
        await due.action();
      }
      return failing.includes('write') ? refuse() : inner.write(statements, share);
    },
    guardGroups: (guard) => inner.guardGroups(guard),
    close: () => inner.close(),
    fail: (...calls) => {
      failing = calls;
    },
    mend: () => {
      failing = [];
      meanwhile = undefined;
    },
    beforeNextWrite: (action, words = '') => {
      meanwhile = { words, action };
    },
    beforeNextRead: (words, action) => {
      awaited = { words, action };
    },
  };
}

/** A database that closes after its services. */
export const outliving = (database: Database): Database => ({
  kind: database.kind,
  grouped: database.grouped,
  pending: 0,
  figures: database.figures,
  read: database.read.bind(database),
  query: database.query.bind(database),
  write: database.write.bind(database),
  guardGroups: database.guardGroups.bind(database),
  close: async () => undefined,
});

/** Calls `around` in place of each read of the readers of callers. */
export function aroundReads(store: Store, around: (sql: string, read: () => Promise<Row[]>) => Promise<Row[]>): void {
  const open = store.reader;
  Object.assign(store, {
    reader: (caller: string) => {
      const reader = open(caller);
      return {
        ...reader,
        read: (...given: Parameters<typeof reader.read>) => around(given[0], async () => reader.read(...given)),
      };
    },
  });
}
