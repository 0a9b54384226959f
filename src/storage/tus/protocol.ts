import { readBase64 } from '../../core/lib/base64.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { HashName, NewHasher } from '../../core/lib/hasher.ts';
import { toHex } from '../../core/lib/hex.ts';
import { headerBytes } from '../../http/form-body.ts';
import type { Reply } from '../../http/reply.ts';
import { badHeader } from '../bytes/refusals.ts';
import type { Checksum } from '../bytes/transfers/receive.ts';

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
