import type { Places } from '../media/places/places.ts';
import type { House } from '../room/house.ts';
import type { ExportSettings } from './settings.ts';

/** Parts of the routes and jobs of exports. */
export interface ExportParts extends House<ExportSettings> {
  readonly places: Places;
}
