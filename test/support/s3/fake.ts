import { Refused, refusal, xml } from './answers.ts';
import { listed } from './listing.ts';
import { type Came, defectOf, type Key } from './signature.ts';
import { inPieces, md5, type Stored } from './stored.ts';
import { createUploads, type Uploads } from './uploads.ts';

export interface FakeS3Options {
  readonly key: Key;
  readonly bucket: string;
  readonly now: () => number;
  /** Of the path style; with the bucket in front for the other one. */
  readonly host: string;
  /** Least bytes of a part but the last: 5 MiB unless told. */
  readonly leastPart?: number;
  /** What answers instead, where it gives something. */
  readonly instead?: (came: Came, key: string | undefined) => Response | undefined | Promise<Response | undefined>;
  /** Keys on a page, however many are asked for. */
  readonly mostListed?: number;
  /** As old stores do. */
  readonly ignoresConditions?: boolean;
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
  ...['uploads', 'uploadId', 'partNumber'],
]);

/** A bucket that is as strict as S3 is: where it answers, S3 does, too. */
export function fakeS3(options: FakeS3Options): FakeS3 {
  const { key: signer, bucket, now, host, ignoresConditions = false } = options;
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
    const stored = { bytes: new Uint8Array(body), etag: md5(body), at: now(), metadata: metadataIn(headers) };
    objects.set(key, stored);
    return new Response(null, { headers: { etag: `"${stored.etag}"` } });
  }

  function get(key: string, { method, headers }: Came): Response {
    const stored = objects.get(key);
    if (!stored) throw new Refused('NoSuchKey');
    const wanted = headers.get('if-match');
    if (wanted !== null && wanted !== `"${stored.etag}"`) throw new Refused('PreconditionFailed');
    const [from, end, isPart] = rangeIn(headers.get('range'), stored.bytes.byteLength);
    const told = {
      etag: `"${stored.etag}"`,
      'last-modified': new Date(stored.at).toUTCString(),
      'accept-ranges': 'bytes',
      'content-length': String(end - from),
      ...(isPart && { 'content-range': `bytes ${from}-${end - 1}/${stored.bytes.byteLength}` }),
      ...stored.metadata,
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
        return xml(listed({ objects, bucket, mostListed: options.mostListed ?? 1000 }, query));
      throw new Refused('NotImplemented');
    }
    if (method === 'POST' && query.has('uploads')) return xml(uploads.begin(bucket, key, metadataIn(came.headers)));
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
