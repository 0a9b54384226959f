import type { MediaSettings } from '../media/settings.ts';
import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, setting, whole } from '../settings/kinds.ts';

/** Settings of items, collections and shapes. */
export const assetSettings = {
  maxCollectionMembers: setting(
    whole(1, 10_000_000),
    100_000,
    'Most members of one collection: GET of a collection answers all of them.',
  ),
};

export type AssetSettings = MediaSettings & CoreSettings & SettingsOf<typeof assetSettings>;
