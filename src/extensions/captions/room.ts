import type { ItemsContext } from '../../assets/items/public.ts';
import { below } from '../../http/route-group.ts';
import { captionsHook } from '../../production/ingest/public.ts';
import { subtitlesHook } from '../../production/transcoding/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { subtitlesOfItems } from './item-cues.ts';
import { captionMetadata, subtitleField } from './read.ts';
import { captionRoutes } from './routes.ts';

/** Subtitles in the formats SubRip, WebVTT, TTML and SCC. */
export const captions = defineRoom({
  name: 'captions',
  extension: { says: 'Subtitles as sidecars, and exports of subtitles as TTML and SCC.' },
  fields: [{ name: subtitleField, type: 'string', system: false }],
  open(parts: ItemsContext) {
    return {
      hooks: [hooked(captionsHook, captionMetadata), hooked(subtitlesHook, subtitlesOfItems(parts))],
      routes: [below('item', () => captionRoutes(parts))],
    };
  },
});
