import { defineRoom } from '../room/define-room.ts';
import { mediaEvents } from './events.ts';

export const media = defineRoom({ name: 'media', events: mediaEvents });
