import type { Offices } from '../../../room/house.ts';
import { namesOfFile } from './store.ts';

/** For the room of files, which knows no shapes. */
export const nameByShape: Offices['nameByShape'] = async (reader, file) =>
  (await namesOfFile(reader, file))[0]?.filename;
