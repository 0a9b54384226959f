import type { StoredFile } from '../../../src/spi/index.ts';
import { fault, StorageFault } from '../faults.ts';
import { encodePath } from '../paths.ts';
import { elementText, escaped, notStaged, StoreRefusal } from './answers.ts';
import type { Client } from './client.ts';
import { type BucketObjects, tokenHeader } from './objects.ts';
import { segmentBytes } from './part-sink.ts';
import { Gathering, isWholeFragment, leastOf, type Segment, segmentsBetween, uploadPieceBytes } from './pieces.ts';
import type { S3Staging, Waiting } from './staging.ts';
import { InFlight } from './upload-flow.ts';

/** Part of an upload: copied inside the store, or sent from here. */
type Part = { readonly copy: Segment } | { readonly read: readonly Segment[] };

export interface PublishParts {
  readonly client: Client;
  readonly objects: BucketObjects;
  readonly staging: S3Staging;
  /** Least bytes of a part that is not the last one. */
  readonly leastPart: number;
  /** False: the store knows no conditional writes, so it is looked at before. */
  readonly conditional: boolean;
  /** Milliseconds until the store has put all parts together. */
  readonly completeWithin: number;
}

/** Limit of concurrent parts. */
const atOnce = 4;

type Publish = (token: string, path: string, mode: 'create' | 'replace') => Promise<StoredFile>;

/** Gives staged bytes their path: in one request that the store carries out whole or not at all. */
export function createPublish({
  client,
  objects,
  staging,
  leastPart,
  conditional,
  completeWithin,
}: PublishParts): Publish {
  /** Object that was already published under the token. Undefined: not published. */
  async function doneBefore(token: string, path: string): Promise<StoredFile | undefined> {
    const object = await objects.look(path);
    return object?.token === token ? object.file : undefined;
  }

  async function requireFree(token: string, path: string): Promise<StoredFile | undefined> {
    const object = await objects.look(path);
    if (object && object.token !== token) throw taken();
    return object?.file;
  }

  const ifNone = (mode: 'create' | 'replace') => (mode === 'create' && conditional ? { 'if-none-match': '*' } : {});
  const { storageClass } = client.folder;
  const inClass = storageClass === undefined ? {} : { 'x-amz-storage-class': storageClass };

  async function putWhole(waiting: Waiting, segments: readonly Segment[], path: string, mode: 'create' | 'replace') {
    const headers = { [tokenHeader]: waiting.token, ...inClass, ...ifNone(mode) };
    await client.headers({ method: 'PUT', key: path, headers, body: await readAll(waiting, segments) });
  }

  async function readAll(waiting: Waiting, segments: readonly Segment[]): Promise<Uint8Array<ArrayBuffer>> {
    const gathering = new Gathering();
    for await (const piece of segmentBytes(staging, waiting, segments)) gathering.add(piece);
    return gathering.take();
  }

  async function putInParts(waiting: Waiting, parts: readonly Part[], path: string, mode: 'create' | 'replace') {
    await staging.abortUploads(waiting);
    const uploadId = await beginUpload(waiting.token, path);
    const upload = { key: path, uploadId };
    const running = new InFlight(atOnce);
    try {
      await staging.putUpload(waiting.token, uploadId, path);
      const tags: string[] = [];
      for (const [index, part] of parts.entries()) {
        await running.add(1, async () => {
          tags[index] = await putPart(waiting, part, upload, index + 1);
        });
      }
      await running.ended();
      await complete(upload, tags, ifNone(mode));
    } catch (error) {
      // A part that comes behind the end of its upload would stay.
      await running.settled();
      // The record of it stays until the bytes go, so a failure here is made good later.
      await client.headers({ method: 'DELETE', key: path, query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  }

  async function beginUpload(token: string, path: string): Promise<string> {
    const request = {
      method: 'POST',
      key: path,
      query: { uploads: '' },
      headers: { [tokenHeader]: token, ...inClass },
    } as const;
    const uploadId = elementText(await client.document(request, 'InitiateMultipartUploadResult'), 'UploadId');
    if (!uploadId) throw fault('failed', 'Expected the id of an upload');
    return uploadId;
  }

  async function putPart(waiting: Waiting, part: Part, { key, uploadId }: Upload, number: number): Promise<string> {
    const query = { partNumber: String(number), uploadId };
    if ('copy' in part) {
      const tag = await copyPart(waiting, part.copy, { key, query });
      if (tag !== undefined) return tag;
    }
    const segments = 'copy' in part ? [part.copy] : part.read;
    const headers = await client.headers({ method: 'PUT', key, query, body: await readAll(waiting, segments) });
    return headers.get('etag') ?? '';
  }

  /** Undefined where the store does not copy parts. */
  async function copyPart(waiting: Waiting, { fragment }: Segment, to: { key: string; query: Record<string, string> }) {
    const { bucket, prefix } = client.folder;
    const source = `/${bucket}/${encodePath(prefix + staging.keyOf(waiting, fragment))}`;
    const request = { method: 'PUT', ...to, headers: { 'x-amz-copy-source': source } } as const;
    try {
      return elementText(await client.document(request, 'CopyPartResult'), 'ETag');
    } catch (error) {
      // Some read the key of the source in a way of their own: what is there is not found.
      if (error instanceof StorageFault && (error.kind === 'unsupported' || isMissingKey(error))) return undefined;
      throw error;
    }
  }

  async function complete({ key, uploadId }: Upload, tags: readonly string[], headers: Record<string, string>) {
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const body = new TextEncoder().encode(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    );
    const request = { method: 'POST', key, query: { uploadId }, headers, body, answerWithin: completeWithin } as const;
    await client.document(request, 'CompleteMultipartUploadResult');
  }

  /** Result after a failure: the answer was lost, or a concurrent writer took the path. */
  async function settled(token: string, path: string, error: unknown): Promise<StoredFile> {
    const status = error instanceof StoreRefusal ? error.status : 0;
    if (status !== 412 && status !== 404) throw error;
    const object = await objects.look(path);
    if (object?.token === token) return object.file;
    throw status === 412 ? taken() : fault('failed', (error as Error).message);
  }

  return async (token, path, mode) => {
    const waiting = await staging.find(token);
    const segments = waiting && segmentsBetween(waiting.fragments, 0, waiting.size);
    if (!waiting || !segments) {
      const file = await doneBefore(token, path);
      if (!file) throw notStaged();
      await clear(token);
      return file;
    }
    const isSmall = waiting.size <= uploadPieceBytes;
    const looksFirst = mode === 'create' && (!conditional || !isSmall);
    let file = looksFirst ? await requireFree(token, path) : undefined;
    file ??= await (isSmall
      ? putWhole(waiting, segments, path, mode)
      : putInParts(waiting, uploadParts(segments, waiting.size, leastPart), path, mode)
    ).then(
      async () => (await objects.look(path))?.file,
      (error: unknown) => settled(token, path, error),
    );
    if (!file) throw fault('offline', 'Expected the file that was just written');
    await clear(token);
    return file;
  };

  /** The file has its path: what cannot be removed now is found by its age. */
  async function clear(token: string): Promise<void> {
    await staging.discard(token).catch(() => undefined);
  }
}

const isMissingKey = (error: StorageFault): boolean => error instanceof StoreRefusal && error.code === 'NoSuchKey';

interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

const taken = () => fault('exists', 'Expected a name that no file has');

/** Parts of an upload. All but the last one have the minimal size; larger fragments are copied as they are. */
export function uploadParts(segments: readonly Segment[], size: number, leastPart: number): Part[] {
  const least = Math.max(leastPart, leastOf(size));
  const parts: Part[] = [];
  let small: Segment[] = [];
  let bytes = 0;
  for (const segment of segments) {
    const length = segment.end - segment.from;
    if (bytes === 0 && length >= least && isWholeFragment(segment)) {
      parts.push({ copy: segment });
      continue;
    }
    small.push(segment);
    bytes += length;
    if (bytes < least) continue;
    parts.push({ read: small });
    [small, bytes] = [[], 0];
  }
  if (bytes > 0) parts.push({ read: small });
  return parts;
}
