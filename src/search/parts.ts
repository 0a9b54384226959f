import type { AssetSettings } from '../assets/settings.ts';
import type { House } from '../room/house.ts';

/** What the routes and the work of this room are given. */
export type SearchParts = House<AssetSettings>;
