/** Folder that a driver uses for itself in each storage. No path leads into such a folder, at any depth. */
export const ownFolder = '.portico';

/** Compared without case, since some file systems ignore it. */
export const isOwn = (name: string): boolean => name.toLowerCase() === ownFolder;
