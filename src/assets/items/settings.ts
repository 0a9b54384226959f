import { type SettingsOf, setting, whole } from '../../core/settings/kinds.ts';
import type { RoomContext } from '../../room/context.ts';
import type { MetadataSettings } from '../metadata/public.ts';

export const itemSettings = {
  maxCollectionMembers: setting(
    whole(1, 10_000_000),
    100_000,
    'Maximum number of members of one collection: GET of a collection answers all of them.',
  ),
};

export type ItemSettings = MetadataSettings & SettingsOf<typeof itemSettings>;

/** Context of the routes and background work of items, and of rooms that read them. */
export type ItemsContext = RoomContext<ItemSettings>;
