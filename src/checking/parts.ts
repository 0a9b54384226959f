import type { AssetSettings } from '../items/settings.ts';
import type { RoomContext } from '../room/context.ts';
import type { CheckingSettings } from './settings.ts';

/** Parts of a media check, which every room has. */
export type CheckParts = Pick<
  RoomContext<CheckingSettings & AssetSettings>,
  'settings' | 'store' | 'clock' | 'log' | 'media' | 'security' | 'sharesWork' | 'secretKey' | 'random'
>;
