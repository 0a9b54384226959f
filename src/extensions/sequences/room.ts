import { below } from '../../http/route-group.ts';
import { openTranscodingParts, type TranscodingContext } from '../../production/transcoding/public.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import * as conformingDocuments from './conforming/documents.ts';
import { highlightRoutes } from './conforming/highlight-routes.ts';
import { conformTypes } from './conforming/job-types.ts';
import { renderRoutes } from './conforming/render-routes.ts';
import { conformRoutes } from './conforming/routes.ts';
import * as exportingDocuments from './exporting/documents.ts';
import { sequenceRoutes } from './routes.ts';
import { sequenceDocument, sequenceListDocument } from './sequence.ts';

/** Parts of items on tracks, and the jobs that put them together. */
export const sequences = defineRoom({
  name: 'sequences',
  extension: { says: 'Sequences and timelines of items, their exports, and jobs that conform and render them.' },
  documents: [conformingDocuments, exportingDocuments, { sequenceDocument, sequenceListDocument }],
  roles: readAndWrite('sequence'),
  open(context: TranscodingContext) {
    const parts = openTranscodingParts(context);
    return {
      routes: [
        below(['item', 'collection', 'sequence'], () => sequenceRoutes(parts)),
        below(['item', 'conform'], () => conformRoutes(parts)),
        below(['item', 'sequence'], () => renderRoutes(parts)),
        below('item', () => highlightRoutes(parts)),
      ],
      jobTypes: conformTypes(parts),
    };
  },
});
