import type { House } from '../room/house.ts';
import type { AssetSettings } from './settings.ts';

/** Context of the routes and background work of this room. */
export type AssetParts = House<AssetSettings>;
