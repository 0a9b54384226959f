import type { ItemSettings } from '../../assets/items/public.ts';
import type { RoomContext } from '../../room/context.ts';
import type { CheckingSettings } from './settings.ts';

/** Parts of a media check, which every room has. */
export type CheckParts = Pick<
  RoomContext<CheckingSettings & ItemSettings>,
  'settings' | 'store' | 'clock' | 'log' | 'media' | 'security' | 'sharesWork' | 'secretKey' | 'random' | 'services'
>;
