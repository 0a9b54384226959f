import { below } from '../../../http/route-group.ts';
import { defineRoom } from '../../../room/define-room.ts';
import { openParts, type TranscodingContext } from '../../../transcoding/parts.ts';
import { conformDocument, conformRequestDocument } from './documents.ts';
import { sequenceRenderRequestDocument } from './rendering/documents.ts';
import { renderRoutes } from './rendering/routes.ts';
import { conformRoutes } from './routes.ts';
import { conformTypes } from './type.ts';

/** Puts parts of items together. */
export const conforming = defineRoom({
  name: 'conforming',
  documents: [conformDocument, conformRequestDocument, sequenceRenderRequestDocument],
  open(context: TranscodingContext) {
    const parts = openParts(context);
    return {
      routes: [
        below(['item', 'conform'], () => conformRoutes(parts)),
        below(['item', 'sequence'], () => renderRoutes(parts)),
      ],
      jobTypes: conformTypes(parts),
    };
  },
});
