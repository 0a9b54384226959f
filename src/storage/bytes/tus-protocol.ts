import type { HashName, NewHasher } from '../../core/lib/bytes.ts';
import { readBase64, toHex } from '../../core/lib/bytes.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { headerBytes } from '../../http/form-body.ts';
import type { Reply } from '../../http/reply.ts';
import { newPath } from '../files/path.ts';
import type { Checksum } from './transfers/receive.ts';
import { badHeader } from './transfers/rules.ts';

const version = '1.0.0';
export const offsetType = 'application/offset+octet-stream';
const hashes: ReadonlyMap<string, readonly [name: HashName, bytes: number]> = new Map([
  ['sha1', ['SHA-1', 20]],
  ['sha256', ['SHA-256', 32]],
  ['md5', ['MD5', 16]],
]);

const spoken = { 'tus-resumable': version };

/** Headers of the answer to OPTIONS: supported protocol versions and extensions. */
export const abilities = (maxBytes: number): Readonly<Record<string, string>> => ({
  ...spoken,
  'tus-version': version,
  'tus-extension': 'creation,creation-with-upload,termination,checksum,expiration',
  'tus-max-size': String(maxBytes),
  'tus-checksum-algorithm': [...hashes.keys()].join(),
});

/** Answers in the protocol version of the request, refusals too. */
export async function inVersion(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  try {
    const named = headers.get('tus-resumable');
    // A person may look at an upload with a browser.
    if (named !== version && method !== 'GET') throw otherVersion(named ?? '');
    const reply = await handle();
    return { ...reply, headers: { ...spoken, ...reply.headers } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, error.detail, { ...spoken, ...error.headers });
  }
}

const otherVersion = (value: string): ServiceError =>
  new ServiceError(
    'condition-failed',
    { context: 'header Tus-Resumable', explanation: `Expected the version ${version}`, value: value.slice(0, 80) },
    { 'tus-version': version },
  );

/** A header that says a number of bytes. */
export function requiredBytes(headers: Headers, name: string): number {
  const bytes = headerBytes(headers, name);
  if (bytes !== undefined) return bytes;
  throw badHeader(name, 'Expected a number of bytes', '');
}

/** Reads the header Upload-Checksum, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`. */
export function checksumIn(headers: Headers, newHasher: NewHasher): Checksum | undefined {
  const text = headers.get('upload-checksum');
  if (text === null) return undefined;
  const [, word = '', base64 = ''] = /^(\S+) +(\S+)$/.exec(text.trim()) ?? [];
  const [name, length] = hashes.get(word.toLowerCase()) ?? [];
  const expected = readBase64(base64);
  if (name === undefined || expected?.byteLength !== length) {
    throw badHeader(
      'Upload-Checksum',
      `Expected one of ${[...hashes.keys()].join(', ')}, then the hash in base64`,
      text,
    );
  }
  return { hasher: newHasher(name), expected: toHex(expected!) };
}

const header = 'Upload-Metadata';
const keys = 'the keys storage and path, each with its value in base64, as in "storage VlgtMQ==,path aW4vYS5tb3Y="';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Target of a tus upload. */
interface UploadTarget {
  readonly storage: string;
  readonly path: string;
}

/** Whether the uploaded file is to become an item. */
export function asksForImport(values: ReadonlyMap<string, string>): boolean {
  const value = values.get('import') ?? 'false';
  if (value !== 'true' && value !== 'false') throw badHeader(header, 'Expected import true or false', value);
  if (value === 'true' && values.has('path')) {
    throw badHeader(header, 'Expected no path beside import=true: the service names the file', values.get('path')!);
  }
  return value === 'true';
}

/** Path that the caller gives to the file. Other keys are kept for the client. */
export function uploadTarget(values: ReadonlyMap<string, string>): UploadTarget {
  const storage = values.get('storage');
  if (!storage) throw badHeader(header, `Expected ${keys}: storage, the id of a storage, is missing`, namesOf(values));
  const folder = values.get('path') ?? '';
  const name = values.get('filename') ?? '';
  if (folder !== '' && !folder.endsWith('/')) return { storage, path: newPath(folder, header) };
  if (name === '') throw badHeader(header, `Expected ${keys}: path, or filename, is missing`, namesOf(values));
  if (name.includes('/')) throw badHeader(header, 'Expected a file name without a slash', name);
  return { storage, path: newPath(`${folder}${name}`, header) };
}

const namesOf = (values: ReadonlyMap<string, string>): string => [...values.keys()].join(', ');

/** Reads `storage VlgtMQ==,path aW4v,filename YS5tb3Y=`: keys, each with its value in base64. */
export function uploadMetadata(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of text === '' ? [] : text.split(',')) {
    const [key = '', value = '', more] = pair.trim().split(' ');
    if (key === '' || more !== undefined || values.has(key)) {
      throw badHeader(header, 'Expected keys that differ, each with its value in base64', pair);
    }
    values.set(key, value === '' ? '' : decoded(value));
  }
  return values;
}

function decoded(base64: string): string {
  try {
    const bytes = readBase64(base64);
    if (bytes) return utf8.decode(bytes);
  } catch {
    // Same error as for invalid base64.
  }
  throw badHeader(header, 'Expected UTF-8 in base64', base64);
}
