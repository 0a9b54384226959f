import type { MediaTools } from '../media/tools.ts';
import type { House } from '../room/house.ts';
import type { IngestSettings } from './settings.ts';

/** What the routes and the work of this room are given. */
export interface IngestParts
  extends House<IngestSettings>,
    Pick<MediaTools['parts'], 'places' | 'vault'>,
    Pick<MediaTools['bytes'], 'publishing' | 'destinations' | 'space' | 'receiving'> {}
