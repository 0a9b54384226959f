import { fault } from './faults.ts';

const utf8 = new TextEncoder();

/**
 * A path that is the same for all its readers: `fetch` makes another address of "." and "..", also of encoded ones,
 * and a write would reach another file.
 */
export const isPath = (path: string): boolean => !/(?:^|\/)\.{0,2}(?:\/|$)|\0|\p{Surrogate}/u.test(path);

export function checkPath(path: string): void {
  if (!isPath(path)) throw fault('bad-path', 'Expected a path without empty parts, "." and ".."');
}

/** Encodes by RFC 3986, which is stricter than the language. */
export const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

export const encodePath = (path: string): string => path.split('/').map(encodeSegment).join('/');

export const byteLength = (text: string): number => utf8.encode(text).byteLength;

/** For messages. A path is no secret, but it may be long. */
export const shortPath = (path: string): string => path.slice(0, 80);

/** Decodes a path. Undefined if it is no percent-encoded UTF-8. */
export function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
