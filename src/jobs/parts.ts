import type { House } from '../room/house.ts';
import type { JobSettings } from './settings.ts';

/** What the routes of the room are given. */
export type JobRoomParts = House<JobSettings>;
