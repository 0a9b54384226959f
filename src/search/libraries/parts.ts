import type { House } from '../../room/house.ts';
import type { FindItems } from './find.ts';
import type { LibrarySettings } from './settings.ts';

/** What the routes and the work of libraries are given. */
export interface LibraryParts extends House<LibrarySettings> {
  readonly findItems: FindItems;
}
