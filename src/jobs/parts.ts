import type { House } from '../room/house.ts';
import type { JobSettings } from './settings.ts';

/** Parts of the routes of jobs. */
export type JobRoomParts = House<JobSettings>;
