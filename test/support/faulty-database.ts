import { ServiceError } from '../../src/lib/errors.ts';
import type { Database } from '../../src/store/contract.ts';

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
  return {
    kind: inner.kind,
    grouped: inner.grouped,
    get pending() {
      return inner.pending;
    },
    read(sql, args, most) {
      if (failing.includes('read')) return refuse();
      if (!awaited || !sql.includes(awaited.words)) return inner.read(sql, args, most);
      const { action } = awaited;
      awaited = undefined;
      return action().then(() => inner.read(sql, args, most));
    },
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
