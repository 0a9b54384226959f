import { below } from '../../http/route-group.ts';
import { createProperties } from '../../identity/api-settings/public-reading.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { bothSearchRoutes, collectionSearchRoutes } from './collection-routes.ts';
import { documentSearchRoutes } from './document-routes.ts';
import * as documents from './documents.ts';
import { searchCheck } from './engine/check.ts';
import { createEngines } from './engine/engines.ts';
import { forgetWriters } from './engine/feed-sql.ts';
import { bulkParticipant, feedKind, writerParticipant } from './engine/feed-work.ts';
import { fieldGroupSearchRoutes } from './field-group-routes.ts';
import { createSearchHistory } from './history.ts';
import { historyRoutes } from './history-routes.ts';
import { countsKind, orderKind } from './index/field-work.ts';
import { createInheritance } from './index/inheritance-work.ts';
import { indexParticipant, queueIndex, queueParticipant, RecentDocs } from './index/participant.ts';
import { reindexRoutes } from './index/reindex-routes.ts';
import { reindexKind, renamingParticipant } from './index/reindex-work.ts';
import { embeddedIndex } from './index/store.ts';
import { clearIndex, restoreIndex } from './index/switch.ts';
import { searchSchema } from './index/triggers-sql.ts';
import { itemSearchRoutes } from './item-routes.ts';
import type { SearchContext } from './parts.ts';
import { engineSettings, searchProperties } from './properties.ts';
import { findItemsHaving, itemsHaving } from './request.ts';
import { secondSearchDocument } from './second-search.ts';
import { fileSearchRoutes, shapeSearchRoutes } from './shape-routes.ts';
import { forgetSearches } from './store.ts';
import * as tables from './tables.ts';

/** Room of searches for items, collections and shapes. Commits that change metadata update the index. */
export const search = defineRoom({
  name: 'search',
  tables,
  schema: globalThis.isEdgeModule ? [] : searchSchema(),
  settings: engineSettings,
  properties: searchProperties,
  documents: [documents, { secondSearchDocument }],
  open(context: SearchContext) {
    const engines = createEngines(context);
    const recent = new RecentDocs(() => context.security.searchEngines().length > 0);
    const index = engines.isAlone ? queueIndex : embeddedIndex;
    const inheritance = createInheritance({ ...context, index });
    const parts = {
      ...context,
      engines,
      index,
      caughtUp: inheritance.caughtUp,
      property: createProperties(context.store, searchProperties),
      history: createSearchHistory(context),
    };
    return {
      hooks: [hooked(itemsHaving, findItemsHaving(parts))],
      routes: [
        below(['item', 'collection', 'search2'], () => itemSearchRoutes(parts)),
        below(['collection', 'search2'], () => collectionSearchRoutes(parts)),
        below(['search', 'search2'], () => bothSearchRoutes(parts)),
        below(['search', 'search2'], () => shapeSearchRoutes(parts)),
        below(['search', 'search2'], () => fileSearchRoutes(parts)),
        below(['item', 'collection'], () => historyRoutes(parts)),
        below(['reindex', 'item'], () => reindexRoutes(parts)),
        below('metadata-field', () => fieldGroupSearchRoutes(parts)),
        below('document', () => documentSearchRoutes(parts)),
      ],
      participants: [
        renamingParticipant,
        engines.isAlone ? queueParticipant : indexParticipant(context.store, embeddedIndex, recent),
        writerParticipant(context),
        bulkParticipant(context),
      ],
      workers: [
        reindexKind(parts),
        orderKind(context),
        countsKind(context),
        inheritance.kind,
        feedKind({ ...context, recent }),
      ],
      checks: [searchCheck({ ...context, engines })],
      onDelete: {
        user({ names }) {
          parts.history.forget(names);
          return [forgetSearches({ names }), forgetWriters({ names })];
        },
      },
      start: () => (engines.isAlone ? clearIndex(context) : restoreIndex(context)),
      close: parts.history.close,
    };
  },
});
