import { defineRoom } from '../room/define-room.ts';
import { configurationEvents } from './events.ts';

export const configuration = defineRoom({ name: 'configuration', events: configurationEvents });
