import type { MediaTools } from '../media/tools.ts';
import type { House } from '../room/house.ts';
import type { IngestSettings } from './settings.ts';

/** Parts of the routes and jobs of imports. */
export interface IngestParts
  extends House<IngestSettings>,
    Pick<MediaTools['parts'], 'places' | 'vault'>,
    Pick<MediaTools['bytes'], 'publishing' | 'destinations' | 'space' | 'receiving'> {}
