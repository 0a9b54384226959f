import { ServiceError } from '../../src/core/lib/errors.ts';
import type { Maybe } from '../../src/core/lib/maybe.ts';
import type { Database, Row } from '../../src/core/store/contract.ts';

export interface FaultyDatabase extends Database {
  /** From now on these calls are refused, as an unreachable database refuses them. */
  fail(...calls: ('read' | 'write')[]): void;
  mend(): void;
  /** Something that happens between what a request has read and its next write. */
  beforeNextWrite(action: () => Promise<unknown>): void;
  /** The same before the next read whose statement has these words. */
  beforeNextRead(words: string, action: () => Promise<unknown>): void;
}

export function faultyDatabase(inner: Database): FaultyDatabase {
  let failing: readonly string[] = [];
  let meanwhile: (() => Promise<unknown>) | undefined;
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
    read: (sql, args, most) => look(sql, () => inner.read(sql, args, most)),
    query: (caller, sql, args, most) => look(sql, () => inner.query(caller, sql, args, most)),
    async write(statements, share) {
      const action = meanwhile;
      meanwhile = undefined;
      await action?.();
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
    beforeNextWrite: (action) => {
      meanwhile = action;
    },
    beforeNextRead: (words, action) => {
      awaited = { words, action };
    },
  };
}
