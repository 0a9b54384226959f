import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { comparePaths } from '../../../src/kit/testing/storage/bytes.ts';
import { type Came, defectOf, escaped, type Key, Refused, refusal, xml } from './requests.ts';

interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

interface Upload {
  readonly key: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly storageClass: string;
  readonly parts: Map<number, Part>;
}

interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly id: string;
  readonly ignoresConditions: boolean;
}

interface UploadParts {
  readonly leastPart: number;
  readonly objects: Map<string, Stored>;
  readonly now: () => number;
}

const space = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

type Uploads = ReturnType<typeof createUploads>;

/** Multipart uploads: numbered parts, put together in their order, each but the last of the least size. */
function createUploads({ leastPart, objects, now }: UploadParts) {
  const open = new Map<string, Upload>();
  let count = 0;

  function requireUpload({ id, key }: Target): Upload {
    const upload = open.get(id);
    if (upload?.key !== key) throw new Refused('NoSuchUpload');
    return upload;
  }

  /** Source of a copy, which the header names as `/bucket/key`, percent-encoded. */
  function copied({ headers }: Came, bucket: string): Uint8Array<ArrayBuffer> {
    const [name, ...rest] = decodeURIComponent(headers.get('x-amz-copy-source')!).replace(/^\//, '').split('/');
    const source = objects.get(rest.join('/'));
    if (name !== bucket) throw new Refused('NoSuchBucket');
    if (!source) throw new Refused('NoSuchKey');
    requireReadable(source, now());
    const range = headers.get('x-amz-copy-source-range');
    if (range === null) return source.bytes.slice();
    if (source.bytes.byteLength <= leastPart) throw new Refused('InvalidRequest');
    const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    if (from === undefined || Number(last) >= source.bytes.byteLength) throw new Refused('InvalidArgument');
    return source.bytes.slice(Number(from), Number(last) + 1);
  }

  function putPart(came: Came, target: Target): Response {
    const { parts } = requireUpload(target);
    const number = Number(came.url.searchParams.get('partNumber'));
    if (!(Number.isInteger(number) && number >= 1 && number <= 10_000)) throw new Refused('InvalidArgument');
    const isCopy = came.headers.has('x-amz-copy-source');
    const bytes = isCopy ? copied(came, target.bucket) : new Uint8Array(came.body);
    const etag = md5(bytes);
    parts.set(number, { bytes, etag });
    if (!isCopy) return new Response(null, { headers: { etag: `"${etag}"` } });
    const at = new Date(now()).toISOString();
    return xml(
      `<CopyPartResult ${space}><LastModified>${at}</LastModified><ETag>&quot;${etag}&quot;</ETag></CopyPartResult>`,
    );
  }

  function chosen(upload: Upload, body: string): Part[] {
    const form =
      /^<CompleteMultipartUpload[^>]*>((?:<Part><PartNumber>\d+<\/PartNumber><ETag>[^<]+<\/ETag><\/Part>)+)<\/CompleteMultipartUpload>$/;
    const listed = form.exec(body)?.[1];
    if (listed === undefined) throw new Refused('MalformedXML');
    const named = [...listed.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)].map(([, number, tag]) => ({
      number: Number(number),
      etag: tag!.replace(/&#34;|&quot;|"/g, ''),
    }));
    if (named.some(({ number }, index) => index > 0 && number <= named[index - 1]!.number))
      throw new Refused('InvalidPartOrder');
    const parts = named.map(({ number, etag }) => {
      const part = upload.parts.get(number);
      if (part?.etag !== etag) throw new Refused('InvalidPart');
      return part;
    });
    if (parts.slice(0, -1).some(({ bytes }) => bytes.byteLength < leastPart)) throw new Refused('EntityTooSmall');
    return parts;
  }

  function complete(came: Came, target: Target): Response {
    const { bucket, key, id, ignoresConditions } = target;
    const upload = requireUpload(target);
    const parts = chosen(upload, new TextDecoder().decode(came.body));
    if (!ignoresConditions && came.headers.get('if-none-match') === '*' && objects.has(key))
      throw new Refused('PreconditionFailed');
    const all = createHash('md5');
    for (const { etag } of parts) all.update(Buffer.from(etag, 'hex'));
    const etag = `${all.digest('hex')}-${parts.length}`;
    const bytes = new Uint8Array(Buffer.concat(parts.map((part) => part.bytes)));
    objects.set(key, { bytes, etag, at: now(), metadata: upload.metadata, storageClass: upload.storageClass });
    open.delete(id);
    return xml(
      `<CompleteMultipartUploadResult ${space}><Bucket>${bucket}</Bucket><Key>${escaped(key)}</Key><ETag>&quot;${etag}&quot;</ETag></CompleteMultipartUploadResult>`,
    );
  }

  return {
    open,
    begin(bucket: string, key: string, headers: Headers): string {
      const id = `2~${(++count).toString(36)}.upload_id-`;
      open.set(id, { key, metadata: metadataIn(headers), storageClass: classIn(headers), parts: new Map() });
      return `<InitiateMultipartUploadResult ${space}><Bucket>${bucket}</Bucket><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
    },
    act(came: Came, target: Target): Response {
      if (came.method === 'PUT') return putPart(came, target);
      if (came.method === 'POST') return complete(came, target);
      if (came.method !== 'DELETE') throw new Refused('NotImplemented');
      requireUpload(target);
      open.delete(target.id);
      return new Response(null, { status: 204 });
    },
  };
}

interface Stored {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly at: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly storageClass?: string;
  /** A restore: when the bytes come back, and when they go again. */
  restored?: { readonly from: number; readonly until: number; readonly tier: string };
}

const archives = new Set(['GLACIER', 'DEEP_ARCHIVE']);
/** Milliseconds until a restore is over: the most that Amazon documents. */
const restoreTimes: Readonly<Record<string, number>> = {
  'GLACIER Expedited': 300_000,
  'GLACIER Standard': 5 * 3_600_000,
  'GLACIER Bulk': 12 * 3_600_000,
  'DEEP_ARCHIVE Standard': 12 * 3_600_000,
  'DEEP_ARCHIVE Bulk': 48 * 3_600_000,
};

const classIn = (headers: Headers): string => headers.get('x-amz-storage-class') ?? 'STANDARD';

type Restore = { readonly isOngoing: boolean; readonly until: number };

function restoreOf({ restored }: Stored, now: number): Restore | undefined {
  if (!restored || now >= restored.until) return undefined;
  return { isOngoing: now < restored.from, until: restored.until };
}

function requireReadable(stored: Stored, now: number): void {
  const restore = restoreOf(stored, now);
  if (archives.has(stored.storageClass ?? '') && (!restore || restore.isOngoing))
    throw new Refused('InvalidObjectState');
}

/** Headers that tell of the class, and of a restore. */
function classHeaders(stored: Stored, now: number): Record<string, string> {
  const { storageClass = 'STANDARD' } = stored;
  const restore = restoreOf(stored, now);
  const ready = restore && `ongoing-request="false", expiry-date="${new Date(restore.until).toUTCString()}"`;
  return {
    ...(storageClass !== 'STANDARD' && { 'x-amz-storage-class': storageClass }),
    ...(restore && { 'x-amz-restore': restore.isOngoing ? 'ongoing-request="true"' : ready! }),
  };
}

/** The answer to `POST /key?restore`. */
function restore(stored: Stored, { body }: Came, now: number): Response {
  const form =
    /^<RestoreRequest [^>]*><Days>(\d+)<\/Days><GlacierJobParameters><Tier>(\w+)<\/Tier><\/GlacierJobParameters><\/RestoreRequest>$/;
  const [, days, tier] = form.exec(new TextDecoder().decode(body)) ?? [];
  const time = restoreTimes[`${stored.storageClass} ${tier}`];
  if (!archives.has(stored.storageClass ?? '')) throw new Refused('InvalidObjectState');
  if (days === undefined || days === '0' || time === undefined) throw new Refused('MalformedXML');
  const before = restoreOf(stored, now);
  if (before?.isOngoing) throw new Refused('RestoreAlreadyInProgress');
  const from = before ? stored.restored!.from : now + time;
  stored.restored = { from, until: Math.max(from, now) + Number(days) * 86_400_000, tier: tier! };
  return new Response(null, { status: before ? 200 : 202 });
}

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** As a network brings them. */
export function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.slice(at, at + 65_536));
        at += 65_536;
      },
    },
    { highWaterMark: 0 },
  );
}

/** As forms encode: a blank is a plus. */
const inUrl = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/');

interface Listed {
  readonly objects: ReadonlyMap<string, Stored>;
  readonly bucket: string;
  readonly maxListed: number;
  readonly now: number;
  /** The request asks for the state of restores. */
  readonly restores: boolean;
  readonly ignoresEncoding: boolean;
}

function restoreStatus(stored: Stored, now: number): string {
  const restore = restoreOf(stored, now);
  if (!restore) return '';
  const expiry = restore.isOngoing
    ? ''
    : `<RestoreExpiryDate>${new Date(restore.until).toISOString()}</RestoreExpiryDate>`;
  return `<RestoreStatus><IsRestoreInProgress>${restore.isOngoing}</IsRestoreInProgress>${expiry}</RestoreStatus>`;
}

/** The answer to `GET /?list-type=2`. */
function listed(
  { objects, bucket, maxListed, now, restores, ignoresEncoding }: Listed,
  query: URLSearchParams,
): string {
  if (query.has('delimiter')) throw new Refused('NotImplemented');
  const asked = Number(query.get('max-keys') ?? 1000);
  if (!Number.isSafeInteger(asked) || asked < 0) throw new Refused('InvalidArgument');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const max = Math.min(asked, maxListed);
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && comparePaths(after, key) < 0)
    .sort(([one], [other]) => comparePaths(one, other));
  const page = found.slice(0, max);
  const isCut = found.length > page.length && max > 0;
  const isUrl = !ignoresEncoding && query.get('encoding-type') === 'url';
  const shown = (key: string) => escaped(isUrl ? inUrl(key) : key);
  const contents = page.map(
    ([key, stored]) =>
      `<Contents><Key>${shown(key)}</Key><LastModified>${new Date(stored.at).toISOString()}</LastModified><ETag>&quot;${stored.etag}&quot;</ETag><Size>${stored.bytes.byteLength}</Size><StorageClass>${stored.storageClass ?? 'STANDARD'}</StorageClass>${restores ? restoreStatus(stored, now) : ''}</Contents>`,
  );
  const next = isCut
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)![0]).toString('base64url')}</NextContinuationToken>`
    : '';
  return [
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<Name>${bucket}</Name><Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${max}</MaxKeys>`,
    `${isUrl ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${isCut}</IsTruncated>${next}`,
    ...contents,
    '</ListBucketResult>',
  ].join('');
}

export interface FakeS3Options {
  readonly key: Key;
  readonly bucket: string;
  readonly now: () => number;
  /** Host of the path style; with the bucket in front for the other one. */
  readonly host: string;
  /** Least bytes of a part but the last: 5 MiB unless told. */
  readonly leastPart?: number;
  /** Answers in place of the store, where it gives something. */
  readonly instead?: (came: Came, key: string | undefined) => Response | undefined | Promise<Response | undefined>;
  /** Keys on a page, however many are asked for. */
  readonly maxListed?: number;
  /** As old stores do. */
  readonly ignoresConditions?: boolean;
  /** Lists keys as they are, whatever is asked for. */
  readonly ignoresEncoding?: boolean;
}

export interface FakeS3 {
  readonly objects: Map<string, Stored>;
  readonly uploads: Uploads;
  /** Requests that came, as `PUT key?uploadId`. */
  readonly asked: string[];
  fetch(request: Request): Promise<Response>;
}

/** Parameters of the operations that are played; everything else is refused, as a slip must not look like an answer. */
const known = new Set([
  ...['list-type', 'prefix', 'start-after', 'continuation-token', 'max-keys', 'encoding-type', 'delimiter'],
  ...['uploads', 'uploadId', 'partNumber', 'restore'],
]);

/** A bucket that is as strict as S3 is: where it answers, S3 does, too. */
export function fakeS3(options: FakeS3Options): FakeS3 {
  const { key: signer, bucket, now, host, ignoresConditions = false, ignoresEncoding = false } = options;
  const objects = new Map<string, Stored>();
  const uploads = createUploads({ leastPart: options.leastPart ?? 5 * 1024 * 1024, objects, now });
  const asked: string[] = [];

  function keyIn(url: URL): string | undefined {
    const inPath = url.host === host;
    if (!inPath && url.host !== `${bucket}.${host}`) throw new Refused('NoSuchBucket');
    const [name, ...rest] = inPath ? url.pathname.slice(1).split('/') : [bucket, ...url.pathname.slice(1).split('/')];
    if (name !== bucket) throw new Refused('NoSuchBucket');
    const key = decodeURIComponent(rest.join('/'));
    if (new TextEncoder().encode(key).byteLength > 1024) throw new Refused('KeyTooLongError');
    return key === '' ? undefined : key;
  }

  function requireLength({ method, url, headers, body }: Came): void {
    // The holder of a link sends it by a fetch of its own, which tells the length on the wire alone.
    if (url.searchParams.has('X-Amz-Signature')) return;
    const told = headers.get('content-length');
    if (method !== 'PUT' && method !== 'POST') return;
    if (told === null) throw new Refused('MissingContentLength');
    if (Number(told) !== body.byteLength) throw new Refused('IncompleteBody');
  }

  function put(key: string, { headers, body }: Came): Response {
    if (!ignoresConditions && headers.get('if-none-match') === '*' && objects.has(key))
      throw new Refused('PreconditionFailed');
    const metadata = metadataIn(headers);
    const stored = {
      bytes: new Uint8Array(body),
      etag: md5(body),
      at: now(),
      metadata,
      storageClass: classIn(headers),
    };
    objects.set(key, stored);
    return new Response(null, { headers: { etag: `"${stored.etag}"` } });
  }

  function get(key: string, { method, headers }: Came): Response {
    const stored = objects.get(key);
    if (!stored) throw new Refused('NoSuchKey');
    const wanted = headers.get('if-match');
    if (wanted !== null && wanted !== `"${stored.etag}"`) throw new Refused('PreconditionFailed');
    if (method === 'GET') requireReadable(stored, now());
    const [from, end, isPart] = rangeIn(headers.get('range'), stored.bytes.byteLength);
    const told = {
      etag: `"${stored.etag}"`,
      'last-modified': new Date(stored.at).toUTCString(),
      'accept-ranges': 'bytes',
      'content-length': String(end - from),
      ...(isPart && { 'content-range': `bytes ${from}-${end - 1}/${stored.bytes.byteLength}` }),
      ...stored.metadata,
      ...classHeaders(stored, now()),
    };
    return new Response(method === 'HEAD' ? null : inPieces(stored.bytes.subarray(from, end)), {
      status: isPart ? 206 : 200,
      headers: told,
    });
  }

  async function act(came: Came, key: string | undefined): Promise<Response> {
    const { method, url } = came;
    const query = url.searchParams;
    const odd = [...query.keys()].find((name) => !known.has(name) && !name.startsWith('X-Amz-'));
    if (odd !== undefined) throw new Refused('NotImplemented');
    if (key === undefined) {
      if (method === 'GET' && query.get('list-type') === '2')
        return xml(
          listed(
            {
              ...{ objects, bucket, maxListed: options.maxListed ?? 1000, now: now() },
              restores: came.headers.get('x-amz-optional-object-attributes') === 'RestoreStatus',
              ignoresEncoding,
            },
            query,
          ),
        );
      throw new Refused('NotImplemented');
    }
    if (method === 'POST' && query.has('uploads')) return xml(uploads.begin(bucket, key, came.headers));
    if (method === 'POST' && query.has('restore')) {
      const stored = objects.get(key);
      if (!stored) throw new Refused('NoSuchKey');
      return restore(stored, came, now());
    }
    const id = query.get('uploadId');
    if (id !== null) return await uploads.act(came, { bucket, key, id, ignoresConditions });
    if (method === 'PUT' && came.headers.has('x-amz-copy-source')) throw new Refused('NotImplemented');
    if (method === 'PUT') return put(key, came);
    if (method === 'GET' || method === 'HEAD') return get(key, came);
    if (method !== 'DELETE') throw new Refused('MethodNotAllowed');
    objects.delete(key);
    return new Response(null, { status: 204 });
  }

  return {
    objects,
    uploads,
    asked,
    async fetch(request) {
      const url = new URL(request.url);
      const body = new Uint8Array(await request.arrayBuffer());
      const came: Came = { method: request.method, url, headers: request.headers, body };
      const date = { date: new Date(now()).toUTCString() };
      try {
        const key = keyIn(url);
        asked.push(`${request.method} ${key ?? ''}${url.search.replace(/=[^&]*/g, '')}`);
        const other = await options.instead?.(came, key);
        if (other) return other;
        requireLength(came);
        const defect = defectOf(came, signer, now());
        if (defect !== undefined) throw new Refused(defect);
        return await act(came, key);
      } catch (error) {
        if (error instanceof Refused) return refusal(error.code, request.method, date);
        throw error;
      }
    },
  };
}

const metadataIn = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-amz-meta-') || name === 'content-type'));

function rangeIn(text: string | null, size: number): readonly [from: number, end: number, isPart: boolean] {
  const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(text ?? '') ?? [];
  if (from === undefined || last === undefined) return [0, size, false];
  if (Number(from) > Number(last)) return [0, size, false];
  if (Number(from) >= size) throw new Refused('InvalidRange');
  return [Number(from), Math.min(size, Number(last) + 1), true];
}

/** The strict bucket `media` at a port of this machine, with the key KEY and SECRET. */
export async function serveBucket(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = pieces.length === 0 ? null : Buffer.concat(pieces);
    const request = new Request(`http://${headers.host}${url}`, { method, headers: headers as HeadersInit, body });
    const answer = await bucket.fetch(request);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const key = { accessKey: 'KEY', secret: 'SECRET', region: 'us-east-1' };
  const bucket = fakeS3({ key, bucket: 'media', host: `127.0.0.1:${port}`, now: Date.now });
  return { port, close: () => void server.close() };
}
