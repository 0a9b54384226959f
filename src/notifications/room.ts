import { defineRoom } from '../room/define-room.ts';
import { notificationEvents } from './events.ts';

export const notifications = defineRoom({ name: 'notifications', events: notificationEvents });
