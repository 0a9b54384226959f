import type { House } from '../room/house.ts';
import type { OrderParts } from './contract.ts';
import type { JobSettings } from './settings.ts';

/** What the routes of the room are given. */
export type JobRoomParts = House<JobSettings>;

/** Offices are held once all rooms are open. */
export const orderingOf = ({
  store,
  clock,
  offices,
}: Pick<JobRoomParts, 'store' | 'clock' | 'offices'>): OrderParts => ({
  store,
  clock,
  jobNotification: (query) => offices.jobNotification(query),
  depthOf: (headers) => offices.depthOf(headers),
});
