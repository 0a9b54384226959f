import type { SettingsOf } from '../../core/settings/kinds.ts';
import { below } from '../../http/route-group.ts';
import { openTranscodingParts, type TranscodingContext } from '../../production/transcoding/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { markedStreamsHook } from '../../room/marks.ts';
import { createMarkedStreams, streamingSettings } from './marked.ts';
import { streamRoutes } from './routes.ts';

/** Manifests of streams: HLS and DASH. */
export const streaming = defineRoom({
  name: 'streaming',
  extension: { says: 'Playlists of streams for HLS and DASH, with addresses that end.' },
  settings: streamingSettings,
  open(context: TranscodingContext & { readonly settings: SettingsOf<typeof streamingSettings> }) {
    const parts = openTranscodingParts(context);
    const { settings } = context;
    return {
      hooks: [hooked(markedStreamsHook, createMarkedStreams({ ...parts, settings }))],
      routes: [below(['item', 'APInoauth'], () => streamRoutes(parts))],
    };
  },
});
