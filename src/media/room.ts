import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { mediaEvents } from './events.ts';

/** Storages, files and bytes. */
export const media = defineRoom({
  name: 'media',
  events: mediaEvents,
  roles: readAndWrite('file', 'storage', 'storage_group', 'storage_rule'),
});
