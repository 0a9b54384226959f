import type { RoomContext } from '../room/context.ts';
import type { AssetSettings } from './settings.ts';

/** Context of the routes and background work of this room. */
export type AssetParts = RoomContext<AssetSettings>;
