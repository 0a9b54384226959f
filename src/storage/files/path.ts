import { bytesOf } from '../../core/lib/bytes.ts';
import { badParameter } from '../../http/parameters/index.ts';

/** Bytes: what common file systems take for a whole path. */
export const maxPathLength = 4096;

/**
 * The path of a new file below its storage, in the one spelling that it has. What another reader could take for another
 * file, or for one outside of the storage, is refused.
 */
export function newPath(path: string, parameter = 'path'): string {
  const bad = (explanation: string) => badParameter(parameter, explanation, path);
  if (path.startsWith('/')) throw bad('Expected a path below the storage, without a slash at its beginning');
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw bad('Expected a path without empty parts, "." and ".."');
  }
  if (/[\0-\x1f\x7f\\]/.test(path)) throw bad('Expected a path without backslashes and control characters');
  if (!path.isWellFormed() || bytesOf(path) > maxPathLength) {
    throw bad(`Expected a path of at most ${maxPathLength} bytes of UTF-8`);
  }
  return path;
}

/** Folders above a method. The list of all of an address as long as it may be has megabytes. */
const maxDepth = 50;

/** An address of a file, as far as it can be read without the methods of storages. */
interface FileUri {
  /** The addresses that a method above it can have, the longest first. */
  readonly above: readonly string[];
  /** The path below such a method. */
  below(method: string): string;
}

/** An address such as `file:///srv/in/a%20b.mov`. A refusal quotes none: it may hold a password. */
export function readUri(text: string): FileUri {
  const uri = plainUri(text);
  const begin = /^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i.exec(uri)?.[0];
  if (begin === undefined) throw badParameter('uri', 'Expected an address such as file:///srv/media/a.mov');
  const above: string[] = [];
  for (let at = begin.length - 1; at >= 0 && above.length < 2 * maxDepth; at = uri.indexOf('/', at + 1)) {
    above.push(uri.slice(0, at), uri.slice(0, at + 1));
  }
  return {
    above: above.reverse(),
    below(method) {
      const place = withoutQuery(method);
      const rest = uri.slice(place.endsWith('/') ? place.length : place.length + 1);
      return newPath(rest.split('/').map(decodePart).join('/'), 'uri');
    },
  };
}

/** Some clients encode addresses twice. Names and passwords in an address do not say which file it is. */
function plainUri(text: string): string {
  const once = !text.includes(':') && /%3a/i.test(text) ? decode(text) : text;
  const [uri = ''] = once.split(/[?#]/, 1);
  return uri.replace(/^([a-z][a-z0-9+.-]*:)\/(?!\/)/i, '$1///').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}

/** Address without query and fragment: they configure the access method and are no part of a file's location. */
const withoutQuery = (uri: string): string => uri.replace(/[?#].*$/s, '');

/** Percent-encoded path, as in addresses. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The address of a file below a method. The address of a method is kept without name and password. */
export function fileUri(method: string, encoded: string): string {
  const place = withoutQuery(method);
  return `${place.endsWith('/') ? place : `${place}/`}${encoded}`;
}

function decodePart(part: string): string {
  const decoded = decode(part);
  if (decoded.includes('/')) throw badParameter('uri', 'Expected an address without an encoded slash', part);
  return decoded;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badParameter('uri', 'Expected percent-encoding of UTF-8');
  }
}
