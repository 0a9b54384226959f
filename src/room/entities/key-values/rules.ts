import type { SimpleMetadata } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { KeyValue, KeyValues } from './store.ts';

const maxKeyLength = 255;

export function checkKey(key: string, place: string): void {
  if (key !== '' && key.length <= maxKeyLength && !/[\0-\x1f\x7f*]/.test(key)) return;
  const explanation = `Expected a key of 1 to ${maxKeyLength} characters without control characters and "*"`;
  throw new ServiceError('bad-value', { context: place, explanation, value: key.slice(0, 80) });
}

/** More parts than any key has. */
const maxSteps = 400;

/** Whether a key is on a path. */
export type OnPath = (key: string) => boolean;

/**
 * Compiles a path of keys: `*` stands for one part, `**` for any number of them. All possible positions advance
 * together, 32 in one number. So a key costs at most its parts times the steps, divided by 32, without backtracking.
 */
export const compilePath = (path: string): OnPath => compile(stepsOf(path));

/** Matches keys on the path, or further down. */
export const compileBelow = (path: string): OnPath => compile([...stepsOf(path), '**']);

function stepsOf(path: string): readonly string[] {
  const steps = path.split('/');
  if (steps.length <= maxSteps) return steps;
  const explanation = `Expected a path of at most ${maxSteps} parts`;
  throw new ServiceError('bad-value', { context: 'path', explanation, value: String(steps.length) });
}

const onePart = -1;
const anyNumber = -2;
const wildcards = new Map([
  ['*', onePart],
  ['**', anyNumber],
]);

function compile(steps: readonly string[]): OnPath {
  const names = new Map<string, number>();
  const program = steps
    .filter((step, at) => step !== '**' || steps[at - 1] !== '**')
    .map((step) => wildcards.get(step) ?? numberOf(step, names));
  const least = program.filter((step) => step !== anyNumber).length;
  return (key) => {
    const parts = key.split('/');
    return parts.length >= least && follow(program, partBits(parts, names), parts.length);
  };
}

function numberOf(name: string, names: Map<string, number>): number {
  const number = names.get(name) ?? names.size;
  names.set(name, number);
  return number;
}

const wordsOf = (count: number): number => (count >>> 5) + 1;

/** For each name of a path one bit for each part of a key, set where the part has that name. */
function partBits(parts: readonly string[], names: ReadonlyMap<string, number>): Uint32Array {
  const words = wordsOf(parts.length);
  const places = new Uint32Array(names.size * words);
  for (const [at, part] of parts.entries()) {
    const name = names.get(part);
    if (name !== undefined) places[name * words + (at >>> 5)]! |= 1 << (at & 31);
  }
  return places;
}

/** Bit n of `reached` says: the steps so far may stand for the first n parts. */
function follow(program: readonly number[], places: Uint32Array, parts: number): boolean {
  const words = wordsOf(parts);
  const reached = new Uint32Array(words);
  reached[0] = 1;
  for (const step of program) {
    if (step === anyNumber) reachAllAfter(reached);
    else reachNext(reached, step === onePart ? undefined : places, step * words);
  }
  return ((reached[parts >>> 5]! >>> (parts & 31)) & 1) === 1;
}

function reachNext(reached: Uint32Array, places: Uint32Array | undefined, from: number): void {
  let carried = 0;
  for (let word = 0; word < reached.length; word++) {
    const fitting = places ? reached[word]! & places[from + word]! : reached[word]!;
    reached[word] = (fitting << 1) | carried;
    carried = fitting >>> 31;
  }
}

function reachAllAfter(reached: Uint32Array): void {
  let first = 0;
  while (first < reached.length && reached[first] === 0) first++;
  if (first < reached.length) reached[first]! |= -reached[first]!;
  for (let word = first + 1; word < reached.length; word++) reached[word] = 0xffffffff;
}

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** The only pair on the path. */
export function onlyPair(path: string, pairs: readonly Pair[]): Pair {
  const isOnPath = compilePath(path);
  const matches = pairs.filter(({ key }) => isOnPath(key));
  if (matches.length === 1) return matches[0]!;
  if (matches.length === 0) throw noSuchKey(path);
  const explanation = `Expected a path to one value: found ${matches.length}`;
  throw new ServiceError('bad-value', { context: 'path', id: path, explanation });
}

export const noSuchKey = (path: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Metadata', id: path });

/** Validated key-value pairs of a document. Keys without a value are dropped. */
export function keyValuesFrom(
  metadata: SimpleMetadata | undefined,
  place: string,
  mostBytes: number,
  prefix = '',
): KeyValues {
  const pairs = (metadata?.field ?? []).flatMap((field): KeyValue[] => {
    const key = field.key && `${prefix}${field.key}`;
    checkKey(key, place);
    if (field.value === undefined) return [];
    const { value, mode } = field.value;
    return [mode?.toLowerCase() === 'add' ? [key, value, 'add'] : [key, value]];
  });
  return { pairs, mostBytes };
}

export function metadataOf(rows: readonly { key: string; value: string }[] | undefined): SimpleMetadata | undefined {
  return rows && rows.length > 0 ? simpleMetadata(rows) : undefined;
}

export function simpleMetadata(rows: readonly { key: string; value: string }[]): SimpleMetadata {
  return { field: rows.map((row) => ({ key: row.key, value: { value: row.value } })) };
}
