import { defineRoom } from '../room/define-room.ts';
import { transcodingTables } from './migrations/0025-transcoding.ts';
import { openParts, type TranscodingHouse } from './parts.ts';
import { pictureUris } from './pictures/addresses.ts';
import { resourceDocument, resourceListDocument, resourceTypeListDocument } from './resources/documents.ts';
import { transcodingRoutes } from './routes.ts';
import { transcodeTypes } from './steps.ts';
import * as tables from './tables.ts';

/** Other forms of media: shapes made by presets, thumbnails and posters, and what makes them. */
export const transcoding = defineRoom({
  name: 'transcoding',
  tables,
  migrations: [transcodingTables],
  documents: [resourceDocument, resourceListDocument, resourceTypeListDocument],
  open(house: TranscodingHouse) {
    const parts = openParts(house);
    return {
      routes: transcodingRoutes(parts),
      jobTypes: transcodeTypes(parts),
      offices: { pictureUris },
    };
  },
});
