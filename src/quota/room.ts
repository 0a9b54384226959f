import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { quotaEvents } from './events.ts';

/** Rules about how much users and groups may keep. */
export const quota = defineRoom({ name: 'quota', events: quotaEvents, roles: readAndWrite('quota') });
