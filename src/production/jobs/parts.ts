import type { RoomContext } from '../../room/context.ts';
import type { JobSettings } from './settings.ts';

/** Parts of the routes of jobs. */
export type JobRoomParts = RoomContext<JobSettings>;
