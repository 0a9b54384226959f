import { below } from '../../http/route-group.ts';
import { openTranscodingParts, type TranscodingContext } from '../../production/transcoding/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { streamRoutes } from './routes.ts';

/** Manifests of streams: HLS and DASH. */
export const streaming = defineRoom({
  name: 'streaming',
  extension: { says: 'Playlists of streams for HLS and DASH, with addresses that end.' },
  open(context: TranscodingContext) {
    const parts = openTranscodingParts(context);
    return { routes: [below(['item', 'APInoauth'], () => streamRoutes(parts))] };
  },
});
