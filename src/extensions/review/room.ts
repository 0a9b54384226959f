import type { ItemsContext } from '../../assets/items/public.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { annotationDocument, annotationListDocument } from './documents.ts';
import { annotationEvents } from './events.ts';
import { annotationRoutes, writesAnnotations } from './routes.ts';
import { annotationSchema } from './store.ts';
import { annotation } from './tables.ts';

/** Comments and drawings on the media of items. */
export const review = defineRoom({
  name: 'review',
  extension: { says: 'Review of items: comments and drawings at a time, and who is to act on them.' },
  tables: { annotation },
  schema: annotationSchema,
  documents: [annotationDocument, annotationListDocument],
  events: annotationEvents,
  roles: [writesAnnotations],
  open: (context: ItemsContext) => ({ routes: [below('item', () => annotationRoutes(context))] }),
});
