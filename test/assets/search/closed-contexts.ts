import { maxUnreadable } from '../../../src/assets/access/contexts-sql.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { nobody } from '../../support/store.ts';

const write = (store: Store, sql: string) => store.commit({ changes: [{ sql, args: [] }], events: [] }, nobody);

/** Adds contexts that nobody may read, so many that searches do not leave them out at once. */
export const addClosedContexts = (store: Store) =>
  write(
    store,
    `INSERT INTO access_context (kind, key) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
      LIMIT ${maxUnreadable.contexts + 1})
      SELECT 'item', json_array('item', 'closed ' || i, json('[]'), json('[]')) FROM n`,
  );

export const removeClosedContexts = (store: Store) =>
  write(store, "DELETE FROM access_context WHERE key GLOB '*closed *'");
