import { below } from '../http/route-group.ts';
import type { ItemSettings } from '../items/public.ts';
import type { RoomContext } from '../room/context.ts';
import { defineRoom } from '../room/define-room.ts';
import { shapeNow } from './probing/shape-now.ts';
import { mediaCheck } from './self-test.ts';
import { type CheckingSettings, checkingSettings } from './settings.ts';
import { shapeUpdateRoutes } from './updating/routes.ts';
import { shapeUpdateType } from './updating/steps.ts';

/** Says what files are: the media check, which fills shapes and the metadata of their items. */
export const checking = defineRoom({
  name: 'checking',
  settings: checkingSettings,
  open(context: RoomContext<CheckingSettings & ItemSettings>) {
    return {
      routes: [below('item', () => shapeUpdateRoutes(context))],
      jobTypes: [shapeUpdateType(context)],
      checks: [mediaCheck(context)],
      services: { shapeNow: (shapeId, signal) => shapeNow(context, shapeId, signal) },
    };
  },
});
