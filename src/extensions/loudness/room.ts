import { below } from '../../http/route-group.ts';
import { openTranscodingParts, type TranscodingContext } from '../../production/transcoding/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import * as documents from './documents.ts';
import { analyzeType } from './measure.ts';
import { soundSchema } from './store.ts';
import * as tables from './tables.ts';
import { soundRoutes } from './waveform-routes.ts';

/** Loudness and waveforms of the sound of shapes. */
export const loudness = defineRoom({
  name: 'loudness',
  extension: { says: 'Analysis of sound: loudness and waveforms.', needs: ['probers'] },
  tables,
  schema: globalThis.isEdgeModule ? [] : soundSchema(),
  documents: [documents],
  open(context: TranscodingContext) {
    const parts = openTranscodingParts(context);
    return {
      routes: [below(['item', 'file', 'storage'], () => soundRoutes(parts))],
      jobTypes: [analyzeType(parts)],
    };
  },
});
