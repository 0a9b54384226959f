import { below } from '../../http/route-group.ts';
import type { CoreContext } from '../../room/context.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { bulkAccessKind } from './bulk-work.ts';
import { entriesOfUserRoute } from './entries/routes.ts';
import { accessEvents } from './events.ts';
import { countedSchema } from './lists-sql.ts';
import * as documents from './merged/documents.ts';
import { levelExplainer } from './merged/explain.ts';
import { accessRoutes, bulkAccessRoutes } from './routes.ts';
import { forgetGrantee } from './store.ts';
import * as tables from './tables.ts';
import { accessSchema } from './triggers-sql.ts';

/** Access entries of items, collections and libraries: who may do what, and why. */
export const access = defineRoom({
  name: 'access',
  tables,
  schema: globalThis.isEdgeModule ? [] : [...accessSchema(), ...countedSchema()],
  documents: [documents],
  events: accessEvents,
  roles: readAndWrite('accesscontrol'),
  open(context: CoreContext) {
    const entriesOn = (type: 'item' | 'collection') => accessRoutes(context, context.entities[`/${type}`]!);
    return {
      routes: [
        below('user', () => [entriesOfUserRoute(context)]),
        below('item', () => [...bulkAccessRoutes(context), ...entriesOn('item')]),
        below('collection', () => entriesOn('collection')),
      ],
      services: { explainLevel: levelExplainer(context) },
      workers: [bulkAccessKind(context)],
      onDelete: { user: ({ id }) => forgetGrantee.map((statement) => statement({ userId: id })) },
    };
  },
});
