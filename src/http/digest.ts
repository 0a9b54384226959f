import { fromHex, type HashName, type NewHasher, readBase64, toBase64, toHex } from '../core/lib/bytes.ts';
import { ServiceError } from '../core/lib/errors.ts';
import type { ByteBody } from './body.ts';

/** Algorithms of RFC 9530 with the length of their hashes in bytes. `sha` is SHA-1. */
const algorithms: ReadonlyMap<string, readonly [name: HashName, bytes: number]> = new Map([
  ['sha-256', ['SHA-256', 32]],
  ['sha-512', ['SHA-512', 64]],
  ['sha', ['SHA-1', 20]],
  ['md5', ['MD5', 16]],
]);

const contentHeader = 'content-digest';
const wholeHeader = 'repr-digest';

/** Members of a dictionary of RFC 8941, such as `sha-256=:…:`. Undefined if one cannot be read. */
function membersOf(text: string, value: RegExp): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  for (const member of text.split(',')) {
    const [, name, rest] = /^\s*([a-z*][a-z0-9_.*-]*)=(\S*)\s*$/.exec(member) ?? [];
    const [, content] = value.exec(rest ?? '') ?? [];
    if (name === undefined || content === undefined) return undefined;
    members.set(name, content);
  }
  return members;
}

/** Expected hashes of a header, in hexadecimal. Algorithms that nobody here computes are left out, as the RFC allows. */
function digestsIn(headers: Headers, header: string): readonly (readonly [HashName, string])[] {
  const text = headers.get(header);
  if (text === null) return [];
  const members = membersOf(text, /^:([A-Za-z0-9+/]+={0,2}):(?:;\S*)?$/);
  if (!members) throw badDigest(header, text);
  return [...members].flatMap(([algorithm, base64]) => {
    const [name, length] = algorithms.get(algorithm) ?? [];
    if (name === undefined) return [];
    const bytes = readBase64(base64);
    if (bytes?.byteLength !== length) throw badDigest(header, text);
    return [[name, toHex(bytes!)] as const];
  });
}

/** Bytes that a body has: all of a file, a part of one, or a form around them. */
type Extent = 'whole' | 'part' | 'form';

const refused: Readonly<Record<Extent, readonly [headers: readonly string[], explanation: string]>> = {
  whole: [[], ''],
  part: [[wholeHeader], 'Expected Content-Digest for a part of a file'],
  form: [[contentHeader, wholeHeader], 'Expected the bytes without a form around them'],
};

/**
 * The body, refused at its end where its bytes have another digest than the request says (RFC 9530). Readers keep
 * nothing of a body that fails.
 */
export function digested(body: ByteBody, headers: Headers, newHasher: NewHasher, extent: Extent): ByteBody {
  const [without, explanation] = refused[extent];
  const misplaced = without.find((header) => headers.has(header));
  if (misplaced !== undefined) throw badHeader(misplaced, explanation, headers.get(misplaced)!);
  const digests = [contentHeader, wholeHeader].flatMap((header) =>
    digestsIn(headers, header).map(([name, expected]) => ({ header, expected, hasher: newHasher(name) })),
  );
  if (digests.length === 0) return body;
  let isOver = false;
  return {
    length: body.length,
    isChecked: true,
    async read() {
      const piece = isOver ? undefined : await body.read();
      if (piece) for (const { hasher } of digests) hasher.update(piece);
      else if (!isOver) {
        isOver = true;
        const other = digests.find(({ hasher, expected }) => hasher.hex() !== expected);
        if (other) throw otherBytes(other.header);
      }
      return piece;
    },
    cancel: () => body.cancel(),
  };
}

/**
 * The header Repr-Digest of bytes with these hashes, by the names of RFC 9530. A caller chooses by Want-Repr-Digest, whose
 * weight 0 means never. None where the caller wants others alone.
 */
export function digestHeader(
  headers: Headers,
  hashes: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const text = headers.get('want-repr-digest');
  const wanted = text === null ? undefined : membersOf(text, /^(\d{1,2})(?:;\S*)?$/);
  const members = Object.entries(hashes).flatMap(([name, hex]) => {
    if (hex === undefined || (wanted && Number(wanted.get(name) ?? 0) === 0)) return [];
    return `${name}=:${toBase64(fromHex(hex))}:`;
  });
  return members.length === 0 ? {} : { [wholeHeader]: members.join(', ') };
}

export const badHeader = (header: string, explanation: string, value: string): ServiceError =>
  new ServiceError('bad-header', { context: `header ${header}`, explanation, value: value.slice(0, 80) });

const badDigest = (header: string, value: string): ServiceError =>
  badHeader(header, 'Expected digests such as sha-256=:…:, with the hash in base64', value);

const otherBytes = (header: string): ServiceError =>
  new ServiceError('digest-mismatch', {
    context: `header ${header}`,
    explanation: 'Expected bytes with this digest: none of them is kept',
  });
