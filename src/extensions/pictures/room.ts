import type { CoreSettings } from '../../core/settings/core.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { marksHook } from '../../room/marks.ts';
import { picturesHook } from '../../room/pictures.ts';
import { drawGraph } from './graph-picture.ts';
import { createMarks } from './marking.ts';
import { createDrawing } from './sheet-drawing.ts';
import { thumbnailSpriteSheetDocument } from './sprite-routes.ts';
import { sheetRoutes } from './stitch-routes.ts';
import { tilesBy } from './tiles.ts';
import { drawWaveform } from './waveform.ts';

/** Pictures that are drawn here: of graphs, of waveforms, and sheets of thumbnails. */
export const pictures = defineRoom({
  name: 'pictures',
  extension: { says: 'Sheets of thumbnails, and graphs and waveforms as PNG.' },
  documents: [{ thumbnailSpriteSheetDocument }],
  open(context: RoomContext<CoreSettings>) {
    const draw = createDrawing(context);
    return {
      hooks: [
        hooked(picturesHook, { graph: drawGraph, waveform: drawWaveform, ...tilesBy(draw) }),
        hooked(marksHook, createMarks(context)),
      ],
      routes: [below(['item', 'APInoauth'], () => sheetRoutes(context, draw))],
    };
  },
});
