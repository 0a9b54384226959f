import { defineRoom } from '../room/define-room.ts';
import { identityEvents } from './events.ts';

export const identity = defineRoom({ name: 'identity', events: identityEvents });
