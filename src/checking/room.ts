import type { AssetSettings } from '../assets/settings.ts';
import { below } from '../http/route-group.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { shapeNow } from './probing/shape-now.ts';
import { mediaCheck } from './self-test.ts';
import { type CheckingSettings, checkingSettings } from './settings.ts';
import { shapeUpdateRoutes } from './updating/routes.ts';
import { shapeUpdateType } from './updating/steps.ts';

/** Says what files are: the media check, which fills shapes and the metadata of their items. */
export const checking = defineRoom({
  name: 'checking',
  settings: checkingSettings,
  open(house: House<CheckingSettings & AssetSettings>) {
    return {
      routes: [below('item', () => shapeUpdateRoutes(house))],
      jobTypes: [shapeUpdateType(house)],
      checks: [mediaCheck(house)],
      offices: { shapeNow: (shapeId, signal) => shapeNow(house, shapeId, signal) },
    };
  },
});
