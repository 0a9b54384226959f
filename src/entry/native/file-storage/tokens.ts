import type { Stats } from 'node:fs';

/** Content of a token for staged bytes. */
export interface StagedFile {
  /** Name of the temporary file. */
  readonly name: string;
  /** Inode of the file. Publishing keeps it, so published bytes are recognised. */
  readonly ino: string;
}

export const tokenOf = (name: string, { ino }: Pick<Stats, 'ino'>): string => `${name}-${ino.toString(36)}`;

/** Reads a token. Undefined if it is invalid. */
export function readToken(token: string): StagedFile | undefined {
  const [, name, ino] = /^([0-9a-f]{32})-([0-9a-z]{1,16})$/.exec(token) ?? [];
  return name === undefined || ino === undefined ? undefined : { name, ino };
}

export const isTemporary = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);
