import { createHash } from 'node:crypto';
import { escaped, Refused, xml } from './answers.ts';
import type { Came } from './signature.ts';
import { md5, type Stored } from './stored.ts';

interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

interface Upload {
  readonly key: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parts: Map<number, Part>;
}

interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly id: string;
  readonly ignoresConditions: boolean;
}

export interface UploadParts {
  readonly leastPart: number;
  readonly objects: Map<string, Stored>;
  readonly now: () => number;
}

const space = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

export type Uploads = ReturnType<typeof createUploads>;

/** Multipart uploads: numbered parts, put together in their order, each but the last of the least size. */
export function createUploads({ leastPart, objects, now }: UploadParts) {
  const open = new Map<string, Upload>();
  let count = 0;

  function requireUpload({ id, key }: Target): Upload {
    const upload = open.get(id);
    if (upload?.key !== key) throw new Refused('NoSuchUpload');
    return upload;
  }

  /** Of the header: `/bucket/key`, percent-encoded. */
  function copied({ headers }: Came, bucket: string): Uint8Array<ArrayBuffer> {
    const [name, ...rest] = decodeURIComponent(headers.get('x-amz-copy-source')!).replace(/^\//, '').split('/');
    const source = objects.get(rest.join('/'));
    if (name !== bucket) throw new Refused('NoSuchBucket');
    if (!source) throw new Refused('NoSuchKey');
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
    objects.set(key, { bytes, etag, at: now(), metadata: upload.metadata });
    open.delete(id);
    return xml(
      `<CompleteMultipartUploadResult ${space}><Bucket>${bucket}</Bucket><Key>${escaped(key)}</Key><ETag>&quot;${etag}&quot;</ETag></CompleteMultipartUploadResult>`,
    );
  }

  return {
    open,
    begin(bucket: string, key: string, metadata: Readonly<Record<string, string>>): string {
      const id = `2~${(++count).toString(36)}.upload_id-`;
      open.set(id, { key, metadata, parts: new Map() });
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
