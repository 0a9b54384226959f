import type { RoomContext } from '../../room/context.ts';
import { type MediaTools, mediaTools } from '../../storage/public.ts';
import type { IngestSettings } from './settings.ts';

/** Parts of the routes and jobs of imports. */
export interface IngestParts
  extends RoomContext<IngestSettings>,
    Pick<MediaTools['parts'], 'places' | 'vault'>,
    Pick<MediaTools['bytes'], 'publishing' | 'destinations' | 'space' | 'receiving'> {}

export type IngestContext = RoomContext<IngestSettings>;

/** Parts with opened storages and ways of bytes. */
export function openIngestParts(context: IngestContext): IngestParts {
  const { parts, bytes } = mediaTools(context);
  const { places, vault } = parts;
  const { publishing, destinations, space, receiving } = bytes;
  return { ...context, places, vault, publishing, destinations, space, receiving };
}
