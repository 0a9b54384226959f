import type { AssetSettings } from '../assets/settings.ts';
import type { House } from '../room/house.ts';
import type { CheckingSettings } from './settings.ts';

/** Parts of a media check, which every room has. */
export type CheckParts = Pick<
  House<CheckingSettings & AssetSettings>,
  'settings' | 'store' | 'clock' | 'log' | 'media' | 'security' | 'sharesWork' | 'secretKey' | 'random'
>;
