import { badParameter } from '../../http/parameters/index.ts';

/** The algorithm whose hash a file has in its document. Others are key-value metadata. */
export const usualAlgorithm = 'SHA-1';

/** Hexadecimal digits of a hash. */
const digits: ReadonlyMap<string, number> = new Map([
  ['SHA-1', 40],
  ['SHA-256', 64],
  ['SHA-384', 96],
  ['SHA-512', 128],
  ['MD5', 32],
]);

/** `sha1` is `SHA-1`, too. */
export function algorithmFrom(text: string): string {
  const name = text.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-');
  if (digits.has(name)) return name;
  throw badParameter('algorithm', `Expected one of ${[...digits.keys()].join(', ')}`, text);
}

/** In lower case. */
export function hashFrom(text: string, algorithm: string, parameter: string): string {
  const length = digits.get(algorithm);
  if (text.length === length && /^[\da-f]+$/i.test(text)) return text.toLowerCase();
  throw badParameter(parameter, `Expected ${length} hexadecimal digits for ${algorithm}`, text);
}

/** The key of the metadata that has the hash of another algorithm. */
export const hashKey = (algorithm: string): string => `hash_${algorithm}`;
