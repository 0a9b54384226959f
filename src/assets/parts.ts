import type { MediaSettings } from '../media/settings.ts';
import type { House } from '../room/house.ts';
import type { CoreSettings } from '../settings/core.ts';

/** What the routes and the work of this room are given. */
export type AssetParts = House<CoreSettings & Pick<MediaSettings, 'deleteGraceHours'>>;
