import type { RoomContext } from '../../room/context.ts';
import type { StorageDrivers } from '../../storage/public.ts';
import type { FixitySettings } from './settings.ts';

export interface FixityParts extends RoomContext<FixitySettings> {
  readonly places: StorageDrivers;
}
