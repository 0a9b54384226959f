import type { StoredFile } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { notStaged, StoreRefusal } from './answers.ts';
import type { Client } from './client.ts';
import { type BucketObjects, tokenHeader } from './objects.ts';
import { segmentBytes } from './part-sink.ts';
import {
  Gathering,
  isWholeFragment,
  leastOf,
  pieceFor,
  type Segment,
  segmentsBetween,
  uploadPieceBytes,
} from './pieces.ts';
import type { S3Staging, Waiting } from './staging.ts';
import { InFlight } from './upload-flow.ts';
import type { Upload, Uploads } from './uploads.ts';

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
  readonly uploads: Uploads;
}

/** Limit of concurrent parts. */
const atOnce = 4;
/** Bytes that a store copies in one request. It takes up to 5 GiB, but its time, too. */
const maxCopied = 1024 * 1024 * 1024;

type Publish = (token: string, path: string, mode: 'create' | 'replace') => Promise<StoredFile>;

/** Gives staged bytes their path: in one request that the store carries out whole or not at all. */
export function createPublish({ client, objects, staging, leastPart, conditional, uploads }: PublishParts): Publish {
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

  /** Returns the name of the record of the upload, which goes with what is staged. */
  async function putInParts(
    waiting: Waiting,
    segments: readonly Segment[],
    path: string,
    mode: 'create' | 'replace',
  ): Promise<string> {
    await staging.abortUploads(waiting);
    const upload = await uploads.begin(path, { [tokenHeader]: waiting.token, ...inClass });
    const running = new InFlight(atOnce);
    try {
      const record = await staging.putUpload(waiting.token, upload);
      await uploads.complete(upload, await putParts(waiting, segments, upload, running), ifNone(mode));
      return record;
    } catch (error) {
      // A part that comes behind the end of its upload would stay.
      await running.settled();
      // The record of it stays until the bytes go, so a failure here is made good later.
      await uploads.abort(upload).catch(() => undefined);
      throw error;
    }
  }

  /** Tags of all parts. The first one shows whether the store copies parts. */
  async function putParts(waiting: Waiting, segments: readonly Segment[], upload: Upload, running: InFlight) {
    const tags: string[] = [];
    let parts = uploadParts(segments, waiting.size, leastPart);
    const put = async (index: number): Promise<boolean> => {
      const part = parts[index]!;
      const tag =
        'copy' in part
          ? await uploads.copy(upload, index + 1, part.copy, staging.keyOf(waiting, part.copy.fragment))
          : await uploads.put(upload, index + 1, await readAll(waiting, part.read));
      if (tag !== undefined) tags[index] = tag;
      return tag !== undefined;
    };
    const isPut = await put(0);
    if (!isPut) parts = readParts(segments, waiting.size, leastPart);
    for (let index = isPut ? 1 : 0; index < parts.length; index++) {
      await running.add(1, async () => {
        if (!(await put(index))) throw fault('failed', 'Expected a store that copies all parts, or none');
      });
    }
    await running.ended();
    return tags;
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
      await staging.discard(token).catch(() => undefined);
      return file;
    }
    const isSmall = waiting.size <= uploadPieceBytes;
    const looksFirst = mode === 'create' && (!conditional || !isSmall);
    let file = looksFirst ? await requireFree(token, path) : undefined;
    const records: string[] = [];
    file ??= await (isSmall
      ? putWhole(waiting, segments, path, mode)
      : putInParts(waiting, segments, path, mode).then((record) => void records.push(record))
    ).then(
      async () => (await objects.look(path))?.file,
      (error: unknown) => settled(token, path, error),
    );
    if (!file) throw fault('offline', 'Expected the file that was just written');
    const isEnded = isSmall || records.length > 0;
    // The file has its path: what cannot be removed now is found by its age.
    await (isEnded ? staging.removeAll(token, [...waiting.names, ...records]) : staging.discard(token)).catch(
      () => undefined,
    );
    return file;
  };
}

const taken = () => fault('exists', 'Expected a name that no file has');

/** Parts of an upload. All but the last one have the minimal size; larger fragments are copied. */
export function uploadParts(segments: readonly Segment[], size: number, leastPart: number): Part[] {
  const least = Math.max(leastPart, leastOf(size));
  const isCopied = (segment: Segment): boolean => segment.end - segment.from >= least && isWholeFragment(segment);
  return partsOf(segments, least, (segment) => (isCopied(segment) ? pieces(segment, maxCopied) : undefined));
}

/** Parts of an upload to a store that does not copy them. */
function readParts(segments: readonly Segment[], size: number, leastPart: number): Part[] {
  const least = Math.max(leastPart, pieceFor(size));
  const small = segments.flatMap((segment) => pieces(segment, least));
  return partsOf(small, least, () => undefined);
}

/** Segments of about equal length, none of more bytes than that. */
function pieces({ fragment, from, end }: Segment, most: number): Segment[] {
  const length = Math.ceil((end - from) / Math.ceil((end - from) / most));
  const starts = Array.from({ length: Math.ceil((end - from) / length) }, (_, index) => from + index * length);
  return starts.map((start) => ({ fragment, from: start, end: Math.min(end, start + length) }));
}

/** `copied`: the segments that a segment is copied as. Undefined: it is read, and put together with others. */
function partsOf(
  segments: readonly Segment[],
  least: number,
  copied: (segment: Segment) => readonly Segment[] | undefined,
): Part[] {
  const parts: Part[] = [];
  let small: Segment[] = [];
  let bytes = 0;
  for (const segment of segments) {
    const length = segment.end - segment.from;
    const copies = bytes === 0 ? copied(segment) : undefined;
    if (copies) {
      parts.push(...copies.map((copy) => ({ copy })));
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
