import { rooms } from '../../src/composition/rooms.ts';
import { foldDocuments } from '../../src/room/fold.ts';

/** Every document of all rooms, one per root element. */
export const catalogue = foldDocuments(rooms);
