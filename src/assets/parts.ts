import type { House } from '../room/house.ts';
import type { AssetSettings } from './settings.ts';

/** What the routes and the work of this room are given. */
export type AssetParts = House<AssetSettings>;
