import type { AssetParts } from '../../assets/parts.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { subtitleField } from './field.ts';
import { captionRoutes } from './routes.ts';

/** Subtitles in the formats SubRip, WebVTT, TTML and SCC. */
export const captions = defineRoom({
  name: 'captions',
  fields: [{ name: subtitleField, type: 'string', system: false }],
  open(parts: AssetParts) {
    return { routes: [below('item', () => captionRoutes(parts))] };
  },
});
