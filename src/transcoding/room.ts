import { defineRoom } from '../room/define-room.ts';
import { openParts, type TranscodingHouse } from './parts.ts';
import { pictureUris } from './pictures/addresses.ts';
import { resourceDocument, resourceListDocument, resourceTypeListDocument } from './resources/documents.ts';
import { transcodingRoutes } from './routes.ts';
import { transcodingSchema } from './schema-sql.ts';
import { findTranscoders, transcoderCheck } from './self-test.ts';
import { transcodingSettings } from './settings.ts';
import { thumbnailSpriteSheetDocument } from './sheets/documents.ts';
import { analyzeJobDocument, loudnessDocument, waveformDataDocument } from './sound/documents.ts';
import { analyzeType } from './sound/measure.ts';
import { transcodeTypes } from './steps.ts';
import * as tables from './tables.ts';

/** Room of shapes made by presets, thumbnails and posters, and of the transcoders for them. */
export const transcoding = defineRoom({
  name: 'transcoding',
  settings: transcodingSettings,
  tables,
  schema: transcodingSchema,
  documents: [
    resourceDocument,
    resourceListDocument,
    resourceTypeListDocument,
    analyzeJobDocument,
    loudnessDocument,
    waveformDataDocument,
    thumbnailSpriteSheetDocument,
  ],
  open(house: TranscodingHouse) {
    const parts = openParts(house);
    return {
      routes: transcodingRoutes(parts),
      jobTypes: [...transcodeTypes(parts), analyzeType(parts)],
      offices: {
        pictureUris: (reader, kind, ids, view) => pictureUris(reader, kind, ids, view, house.settings.maxPageValues),
      },
      offers: { transcoders: () => findTranscoders(house.transcoders()) },
      // An edge has none, and no job of it transcodes.
      get checks() {
        return house.transcoders().length > 0 ? [transcoderCheck(house.transcoders())] : [];
      },
    };
  },
});
