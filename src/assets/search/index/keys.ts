import { serialOf } from '../../../core/lib/serial.ts';

/** Short hashed keys of fields and values: the index stores no names. */

/** Two 32-bit hashes in one pass, since every value of a change is hashed. */
function mixed(text: string): readonly [number, number] {
  let [one, other] = [0x811c9dc5, 0x2545f491];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x01000193);
  }
  return [stirred(one), stirred(other)];
}

function stirred(hash: number): number {
  let number = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  number = Math.imul(number ^ (number >>> 13), 0xc2b2ae35);
  return (number ^ (number >>> 16)) >>> 0;
}

/** Limit of cached names: few names recur with each entity. */
const maxNames = 10_000;
const numbers = new Map<string, number>();
const keys = new Map<string, string>();

function remembered<T>(cache: Map<string, T>, name: string, make: (name: string) => T): T {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const madeValue = make(name);
  if (cache.size >= maxNames) cache.clear();
  cache.set(name, madeValue);
  return madeValue;
}

/** 48-bit hash of a name: with ten thousand names, collisions occur once in millions of installations. */
export const fieldNumber = (name: string): number =>
  remembered(numbers, name, () => {
    const [one, other] = mixed(name);
    return (one >>> 8) * 2 ** 24 + (other >>> 8);
  });

export const fieldKeyLength = 10;

export const fieldKey = (name: string): string =>
  remembered(keys, name, () => fieldNumber(name).toString(36).padStart(fieldKeyLength, '0'));

function valueKey(text: string): string {
  const [one, other] = mixed(text);
  return digitsOf(one) + digitsOf(other);
}

const twoDigits = 36 * 36;
const digitPairs = Array.from({ length: twoDigits }, (_, number) => number.toString(36).padStart(2, '0'));

/** Seven base-36 digits of a 32-bit number: `toString` takes five times as long. */
function digitsOf(number: number): string {
  const upper = Math.floor(number / twoDigits);
  const first = Math.floor(upper / twoDigits);
  const top = first < twoDigits ? `0${digitPairs[first]!}` : `1${digitPairs[first - twoDigits]!}`;
  return top + digitPairs[upper - first * twoDigits]! + digitPairs[number - upper * twoDigits]!;
}

/** Key of every entity, with which negative searches begin. */
export const everything = 'all';
export const existsKey = (field: string): string => `e${field}`;
export const exactKey = (field: string, text: string): string => `v${field}${valueKey(text)}`;
export const referenceKey = (uuid: string): string => `r${valueKey(uuid.toLowerCase())}`;

const field = '[0-2][0-9a-z]{9}';
const value = '(?:[01][0-9a-z]{6}){2}';
const keyLike = new RegExp(`^(?:${everything}|e${field}|v${field}${value}|r${value}|${field}\\w+)$`);
/**
 * Whether a token may be a key or a field word. Plain words hardly ever are: 48 or 32 hash bits would have to match.
 */
export const isKeyLike = (token: string): boolean => keyLike.test(token);

/** Separator between values, so that phrases do not match across values. */
export const wordGap = '_gap';

/**
 * Offset of collection numbers in the index. Ids of items and collections overlap, as in `VX-1`. Numbers of collections
 * follow those of all items, so that a range is a kind, and order is order of creation.
 */
export const collectionsFrom = 2 ** 50;

export type IndexedKind = 'item' | 'collection';

export const numberOf = (kind: IndexedKind, id: string): number =>
  serialOf(id) + (kind === 'collection' ? collectionsFrom : 0);

export const kindOf = (number: number): IndexedKind => (number >= collectionsFrom ? 'collection' : 'item');

/** Range of numbers: the first is inclusive, the second exclusive. */
export const rangeOf = (kind: IndexedKind | 'both'): readonly [from: number, below: number] =>
  kind === 'item' ? [0, collectionsFrom] : [kind === 'collection' ? collectionsFrom : 0, Number.MAX_SAFE_INTEGER];
