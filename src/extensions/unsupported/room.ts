import type { CoreSettings } from '../../core/settings/core.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { unsupportedRoutes, unsupportedSegments, vxaListDocument } from './routes.ts';

/** Paths of what this service does without, with the reason of each. */
export const unsupported = defineRoom({
  name: 'unsupported',
  extension: { says: 'Answers of paths that only systems of others can carry out, each with its reason.' },
  documents: [{ vxaListDocument }],
  open(context: RoomContext<CoreSettings>) {
    return { routes: [below(unsupportedSegments, () => unsupportedRoutes(context))] };
  },
});
