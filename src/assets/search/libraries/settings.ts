import { constant, type SettingsOf, setting, whole } from '../../../core/settings/kinds.ts';
import type { ItemSettings } from '../../items/public.ts';

export const librarySettings = {
  maxLibraryItems: constant(100_000, 'Maximum number of items of one library. A query that finds more is refused.'),
  libraryExpiry: setting(
    whole(0, 876_000),
    24,
    'Hours after which an unused library without dependents is deleted. 0: never.',
  ),
};

export type LibrarySettings = ItemSettings & SettingsOf<typeof librarySettings>;
