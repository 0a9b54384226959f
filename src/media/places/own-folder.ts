/** What a driver keeps for itself in each place. No path leads into such a folder, at any depth. */
export const ownFolder = '.portico';

/** Some file systems do not tell cases apart. */
export const isOwn = (name: string): boolean => name.toLowerCase() === ownFolder;
