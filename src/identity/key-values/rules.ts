import { ServiceError } from '../../lib/errors.ts';

const longestKey = 255;

export function checkKey(key: string, place: string): void {
  if (key !== '' && key.length <= longestKey && !/[\0-\x1f\x7f*]/.test(key)) return;
  const explanation = `Expected a key of 1 to ${longestKey} characters without control characters and "*"`;
  throw new ServiceError('bad-value', { context: place, explanation, value: key.slice(0, 80) });
}

/** More parts than any key has. */
const mostSteps = 400;

/** What tells whether a key is on a path. */
export type OnPath = (key: string) => boolean;

/**
 * A path of keys: `*` stands for one part, `**` for any number of them. The parts between two `**` are looked for from
 * left to right, and a place that was found is never given up. So a key costs at most its parts squared.
 */
export const compilePath = (path: string): OnPath => compile(stepsOf(path));

/** Keys on the path, or further down. */
export const compileBelow = (path: string): OnPath => compile([...stepsOf(path), '**']);

function stepsOf(path: string): readonly string[] {
  const steps = path.split('/');
  if (steps.length <= mostSteps) return steps;
  const explanation = `Expected a path of at most ${mostSteps} parts`;
  throw new ServiceError('bad-value', { context: 'path', explanation, value: String(steps.length) });
}

function compile(steps: readonly string[]): OnPath {
  const [head = [], ...rest] = piecesOf(steps);
  const tail = rest.pop();
  const least = steps.filter((step) => step !== '**').length;
  return (key) => {
    const parts = key.split('/');
    if (parts.length < least || !fitsAt(head, parts, 0)) return false;
    if (tail === undefined) return parts.length === least;
    const end = parts.length - tail.length;
    if (!fitsAt(tail, parts, end)) return false;
    let at = head.length;
    for (const piece of rest) {
      while (at + piece.length <= end && !fitsAt(piece, parts, at)) at++;
      at += piece.length;
      if (at > end) return false;
    }
    return true;
  };
}

/** The steps before, between and behind the `**`. */
function piecesOf(steps: readonly string[]): string[][] {
  const pieces: string[][] = [[]];
  for (const step of steps) {
    if (step === '**') pieces.push([]);
    else pieces.at(-1)!.push(step);
  }
  return pieces;
}

const fitsAt = (piece: readonly string[], parts: readonly string[], at: number): boolean =>
  piece.every((step, index) => step === '*' || step === parts[at + index]);

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** The one pair on the path. */
export function onlyPair(path: string, pairs: readonly Pair[]): Pair {
  const isOnPath = compilePath(path);
  const found = pairs.filter(({ key }) => isOnPath(key));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new ServiceError('no-such-entity', { type: 'Metadata', id: path });
  const explanation = `Expected a path to one value: found ${found.length}`;
  throw new ServiceError('bad-value', { context: 'path', id: path, explanation });
}
