import type { Stats } from 'node:fs';

/** What a token of staged bytes says. */
export interface TokenParts {
  /** Of the temporary file. */
  readonly name: string;
  /** The number of the file, which it keeps when it gets its path: so what was published is known again. */
  readonly ino: string;
}

export const tokenOf = (name: string, { ino }: Pick<Stats, 'ino'>): string => `${name}-${ino.toString(36)}`;

/** Undefined for whatever is no token. */
export function readToken(token: string): TokenParts | undefined {
  const [, name, ino] = /^([0-9a-f]{32})-([0-9a-z]{1,16})$/.exec(token) ?? [];
  return name === undefined || ino === undefined ? undefined : { name, ino };
}

export const isTemporary = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);
