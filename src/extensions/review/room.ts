import type { ItemsContext } from '../../assets/items/public.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { annotationDocument, annotationListDocument } from './documents.ts';
import { annotationEvents } from './events.ts';
import { markerRoute } from './marker-routes.ts';
import { annotationRoutes, writesAnnotations } from './routes.ts';
import { annotationSchema } from './store.ts';
import { annotation } from './tables.ts';

/** Comments and drawings on the media of items. */
export const review = defineRoom({
  name: 'review',
  extension: {
    says: 'Review of items: comments and drawings at a time, and who is to act on them.',
    needs: ['sequences'],
  },
  tables: { annotation },
  schema: annotationSchema,
  documents: [annotationDocument, annotationListDocument],
  events: annotationEvents,
  roles: [writesAnnotations],
  open: (context: ItemsContext) => ({
    routes: [below('item', () => [markerRoute(context), ...annotationRoutes(context)])],
  }),
});
