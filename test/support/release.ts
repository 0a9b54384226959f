import { rooms } from '../../src/composition/rooms.ts';
import { foldFields, foldRoles } from '../../src/room/fold.ts';

/** What initialisation creates: the roles and metadata fields of all rooms. */
export const releaseRoles = foldRoles(rooms);
export const releaseFields = foldFields(rooms);
