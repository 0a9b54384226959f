import type { MediaSettings } from '../media/settings.ts';
import type { CoreSettings } from '../settings/core.ts';
import { mebibyte, type SettingsOf, setting, whole } from '../settings/kinds.ts';

export const assetSettings = {
  maxCollectionMembers: setting(
    whole(1, 10_000_000),
    100_000,
    'Maximum number of members of one collection: GET of a collection answers all of them.',
  ),
  maxStateBytes: setting(
    whole(1000, 1024 * mebibyte),
    4 * mebibyte,
    'Maximum number of characters that the metadata of one item, of one collection, or of no entity takes where it is stored.',
  ),
};

export type AssetSettings = MediaSettings & CoreSettings & SettingsOf<typeof assetSettings>;
