import { defineRoom } from '../room/define-room.ts';
import { assetEvents } from './events.ts';

export const assets = defineRoom({ name: 'assets', events: assetEvents });
