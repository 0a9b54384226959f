import { guestCommentsHook, type ItemsContext } from '../../assets/items/public.ts';
import { joinHooks } from '../../assets/search/public.ts';
import { approvalHook } from '../../assets/shapes/public.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { approvalProperties, approvalRoutes, createApprovals, writesApprovals } from './approval-routes.ts';
import { approvalRows, approvalSchema } from './approval-sql.ts';
import { writesAnnotations } from './change.ts';
import * as documents from './documents.ts';
import { reviewEvents } from './events.ts';
import { markerRoutes } from './marker-routes.ts';
import { peopleRoute } from './people-routes.ts';
import { annotationRoutes } from './routes.ts';
import { annotationRows, annotationSchema, commentsOnItems } from './store.ts';
import { annotation, annotationText, approval } from './tables.ts';
import { waitingRoute } from './waiting-route.ts';

/** Comments and drawings on the media of items, and the approval of their versions. */
export const review = defineRoom({
  name: 'review',
  extension: {
    says: 'Review of items: comments and drawings at a time, who is to act on them, and the approval of versions.',
    needs: ['sequences'],
  },
  tables: { annotation, annotationText, approval },
  schema: globalThis.isEdgeModule ? [] : [...annotationSchema(), ...approvalSchema()],
  documents: [documents],
  events: reviewEvents,
  roles: [writesAnnotations, writesApprovals],
  properties: approvalProperties,
  open(context: ItemsContext) {
    const approvals = createApprovals(context.store);
    return {
      routes: [
        below('item', () => [
          ...markerRoutes(context),
          peopleRoute(context),
          waitingRoute(context),
          ...annotationRoutes(context),
          ...approvalRoutes(context, approvals),
        ]),
      ],
      hooks: [
        hooked(approvalHook, approvals),
        hooked(guestCommentsHook, commentsOnItems),
        hooked(joinHooks.annotation, annotationRows),
        hooked(joinHooks.approval, approvalRows),
      ],
    };
  },
});
