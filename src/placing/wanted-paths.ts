import { pathsInFolder } from '../items/public.ts';
import type { Services } from '../room/context.ts';
import { namesOfFile } from '../shapes/public.ts';

/** Candidate paths for a file. Used by the room of files, which has no access to shapes and collections. */
export const wantedPaths: Services['wantedPaths'] = async (reader, file) => {
  const [named] = await namesOfFile(reader, file);
  return named ? [named.filename] : pathsInFolder(reader, file.fileId);
};
