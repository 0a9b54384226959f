import { foldDocuments } from '../../src/room/fold.ts';
import { rooms } from '../../src/rooms.ts';

/** Every document of all rooms, one per root element. */
export const catalogue = foldDocuments(rooms);
