import { defineRoom } from '../room/define-room.ts';
import { jobEvents } from './events.ts';

export const jobs = defineRoom({ name: 'jobs', events: jobEvents });
