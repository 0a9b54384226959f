import { ServiceError } from '../../lib/errors.ts';

const longestKey = 255;

export function checkKey(key: string, place: string): void {
  if (key !== '' && key.length <= longestKey && !/[\0-\x1f\x7f*]/.test(key)) return;
  const explanation = `Expected a key of 1 to ${longestKey} characters without control characters and "*"`;
  throw new ServiceError('bad-value', { context: place, explanation, value: key.slice(0, 80) });
}

/**
 * Whether a key is on a path: `*` stands for one part of it, `**` for any number of them. By parts and not by a pattern,
 * because a pattern made of what a caller sends can take longer than anybody waits.
 */
export function isOnPath(path: string, key: string): boolean {
  const parts = key.split('/');
  // reached[i]: the first i parts of the key fit what of the path was looked at.
  let reached = [true, ...parts.map(() => false)];
  for (const step of path.split('/')) {
    const next = parts.map((part, index) => reached[index]! && (step === '*' || step === part));
    if (step === '**') {
      for (let index = 1; index <= parts.length; index++) reached[index] ||= reached[index - 1]!;
    } else reached = [false, ...next];
  }
  return reached[parts.length]!;
}

/** On the path, or further down. */
export const isBelowPath = (path: string, key: string): boolean => isOnPath(`${path}/**`, key);

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** The one pair on the path. */
export function onlyPair(path: string, pairs: readonly Pair[]): Pair {
  const found = pairs.filter(({ key }) => isOnPath(path, key));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new ServiceError('no-such-entity', { type: 'Metadata', id: path });
  const explanation = `Expected a path to one value: found ${found.length}`;
  throw new ServiceError('bad-value', { context: 'path', id: path, explanation });
}
