import { pictureUrisHook } from '../../assets/items/public.ts';
import { setting, text, whole, wholeOrAuto } from '../../core/settings/kinds.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { orderingRoutes } from './order-routes.ts';
import { openTranscodingParts, type TranscodingContext } from './parts.ts';
import { pictureUris } from './pictures/addresses.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { presetRoutes } from './presets/routes.ts';
import * as documents from './resources/documents.ts';
import { resourceRoutes } from './resources/routes.ts';
import { transcodeTypes } from './steps.ts';
import { transcodingSchema } from './store.ts';
import * as tables from './tables.ts';
import { findTranscoders, transcoderCheck } from './transcoders.ts';

/** Settings of what makes other forms of media. */
const transcodingSettings = {
  ffmpeg: setting(text, 'ffmpeg', 'Program that transcodes and creates still images. Empty: none.'),
  mediaLibrary: setting(
    text,
    '',
    'The folder whose `node_modules` have `@mediabunny/server`, which transcodes without ffmpeg. Empty: the root.',
  ),
  transcodings: setting(
    wholeOrAuto(1, 64),
    'auto',
    'Maximum number of concurrent transcodings on this server. As many runs that make stills go on beside them. "auto": one for each four cores.',
  ),
  transcodeMegabytes: setting(
    whole(256, 262_144),
    4096,
    'Maximum memory of a transcoding in MiB. A transcoding that needs more is ended.',
  ),
};

/** Room of shapes made by presets, thumbnails and posters, and of the transcoders for them. */
export const transcoding = defineRoom({
  name: 'transcoding',
  settings: transcodingSettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : transcodingSchema(),
  documents: [documents],
  open(context: TranscodingContext) {
    const parts = openTranscodingParts(context);
    return {
      routes: [
        below('item', () => orderingRoutes(parts)),
        below(['shape-tag', 'APIinit'], () => presetRoutes(parts)),
        below(['item', 'thumbnail', 'APInoauth', 'poster'], () => pictureRoutes(parts)),
        below('resource', () => resourceRoutes(parts)),
      ],
      jobTypes: transcodeTypes(parts),
      hooks: [
        hooked(pictureUrisHook, (reader, kind, ids, view) =>
          pictureUris(reader, kind, ids, view, context.settings.maxPageValues),
        ),
      ],
      provides: { transcoders: () => findTranscoders(context.transcoders()) },
      // An edge has none, and no job of it transcodes.
      get checks() {
        return context.transcoders().length > 0 ? [transcoderCheck(context.transcoders())] : [];
      },
    };
  },
});
