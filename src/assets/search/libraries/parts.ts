import type { RoomContext } from '../../../room/context.ts';
import type { FindItems } from './find.ts';
import type { LibrarySettings } from './settings.ts';

/** Context of the routes and background work of libraries. */
export interface LibraryParts extends RoomContext<LibrarySettings> {
  readonly findItems: FindItems;
}
