import { below } from '../http/route-group.ts';
import type { JobQuery } from '../jobs/parameters.ts';
import { defineRoom } from '../room/define-room.ts';
import { openParts, type TranscodingHouse } from '../transcoding/parts.ts';
import { conformDocument, conformRequestDocument } from './documents.ts';
import { sequenceRenderRequestDocument } from './rendering/documents.ts';
import { renderRoutes } from './rendering/routes.ts';
import { conformRoutes } from './routes.ts';
import { conformType } from './type.ts';

/** Puts parts of items together. */
export const conforming = defineRoom({
  name: 'conforming',
  documents: [conformDocument, conformRequestDocument, sequenceRenderRequestDocument],
  open(house: TranscodingHouse) {
    const { store, clock, offices } = house;
    const ordering = {
      store,
      clock,
      // Offices are held once all rooms are open.
      jobNotification: (query: JobQuery) => offices.jobNotification(query),
      depthOf: (headers: Headers) => offices.depthOf(headers),
    };
    const parts = { ...openParts(house), ordering };
    return {
      routes: [
        below(['item', 'conform'], () => conformRoutes(parts)),
        below(['item', 'sequence'], () => renderRoutes(parts)),
      ],
      jobTypes: [conformType(parts)],
    };
  },
});
