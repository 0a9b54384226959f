import { defineRoom } from '../room/define-room.ts';
import { quotaEvents } from './events.ts';

export const quota = defineRoom({ name: 'quota', events: quotaEvents });
