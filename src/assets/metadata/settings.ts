import { constant, mebibyte, type SettingsOf } from '../../core/settings/kinds.ts';
import type { RoomContext } from '../../room/context.ts';
import type { StorageSettings } from '../../storage/public.ts';

export const metadataSettings = {
  maxStateBytes: constant(
    4 * mebibyte,
    'Maximum number of characters that the metadata of one item, of one collection, or of no entity takes where it is stored.',
  ),
};

export type MetadataSettings = StorageSettings & SettingsOf<typeof metadataSettings>;

/** Context of the routes and background work of metadata and shapes. */
export type MetadataContext = RoomContext<MetadataSettings>;
