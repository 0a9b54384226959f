import type { MediaTools } from '../media/tools.ts';
import type { RoomContext } from '../room/context.ts';
import type { IngestSettings } from './settings.ts';

/** Parts of the routes and jobs of imports. */
export interface IngestParts
  extends RoomContext<IngestSettings>,
    Pick<MediaTools['parts'], 'places' | 'vault'>,
    Pick<MediaTools['bytes'], 'publishing' | 'destinations' | 'space' | 'receiving'> {}
