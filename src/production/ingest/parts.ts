import type { ItemSettings } from '../../assets/items/public.ts';
import { constant, list, type SettingsOf, setting } from '../../core/settings/kinds.ts';
import type { RoomContext } from '../../room/context.ts';
import { type MediaTools, mediaTools, type StorageSettings } from '../../storage/public.ts';
import type { CheckingSettings } from '../checking/public.ts';

/** Settings of imports. */
export const ingestSettings = {
  importRoots: setting(
    list,
    [],
    'Folders whose files callers may import by their address, with commas between, beside the folders of storages.',
  ),
  uploadKeyHours: constant(24, 'Hours until the passkey of an import that nobody has used expires.'),
};

export type IngestSettings = SettingsOf<typeof ingestSettings> & StorageSettings & ItemSettings & CheckingSettings;

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
