import type { World } from '../../support/matrix.ts';
import { assetRowsOf, rowsFor } from './assets.ts';
import type { Rule } from './rule.ts';

/** An item in a collection of the caller, a saved search, and an index that is to be built. */
async function searchRowsOf(world: World, who: string, caller?: string): Promise<void> {
  await assetRowsOf(world, who, caller);
  const changes = [
    `INSERT INTO search_saved (hash, query, expires_at) VALUES ('saved', '{}', 9000000000000) ON CONFLICT DO NOTHING`,
    `INSERT INTO search_reindex (name, priority, status, done, total, run)
      VALUES ('item', 1, 'IN_QUEUE', 0, 0, 1) ON CONFLICT DO NOTHING`,
  ].map((sql) => ({ sql, args: [] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const searched = (rules: readonly Rule[]): readonly Rule[] =>
  rules.map((rule) => ({
    ...rule,
    rows: searchRowsOf,
    request: (who) => {
      const sent = rule.request(who);
      return { ...sent, request: sent.request.replace(':hash', 'saved').replace(':index', 'ITEM') };
    },
  }));

export const searchRules: readonly Rule[] = searched([
  ...rowsFor('_file_read', [['GET /search/file/saved/:hash']]),
  ...rowsFor('_item_search', [['GET /item/saved/:hash']]),
  ...rowsFor('_item_search', [['GET /search/saved/:hash']]).map((rule) => ({
    ...rule,
    also: '_collection_read' as const,
  })),
  ...rowsFor('_collection_read', [
    ['GET /collection/saved/:hash'],
    ['GET /collection/:collection/item'],
    ['PUT /collection/:collection/item', '', {}],
    ['GET /collection/:collection/item/saved/:hash'],
  ]),
  ...rowsFor('_collection_read', [['PUT /collection/metadata-group', '', {}]]),
  ...rowsFor('_item_search', [['PUT /item/metadata-group', '', {}]]),
  ...rowsFor('_item_search', [
    ['PUT /search/metadata-group', '', {}],
    ['PUT /search2', '', {}],
  ]).map((rule) => ({
    ...rule,
    also: '_collection_read' as const,
  })),
  ...rowsFor('_item_search', [['PUT /search2/item', '', {}]]),
  ...rowsFor('_collection_read', [['PUT /search2/collection', '', {}]]),
  ...rowsFor('_item_shape_read', [['PUT /search2/shape', '', {}]]),
  ...rowsFor('_file_read', [['PUT /search2/file', '', {}]]),
  ...rowsFor('_item_write', [['PUT /item/:item/re-index']]),
  ...rowsFor('_administrator', [['GET /reindex/:index'], ['PUT /reindex/:index']]),
]);
