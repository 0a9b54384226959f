import type { House } from '../../room/house.ts';
import type { FindItems } from './find.ts';
import type { LibrarySettings } from './settings.ts';

/** Context of the routes and background work of libraries. */
export interface LibraryParts extends House<LibrarySettings> {
  readonly findItems: FindItems;
}
