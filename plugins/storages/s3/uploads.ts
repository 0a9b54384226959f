import { fault, StorageFault } from '../faults.ts';
import { encodePath } from '../paths.ts';
import { elementText, escaped, StoreRefusal } from './answers.ts';
import type { Client } from './client.ts';
import { isWholeFragment, type Segment } from './pieces.ts';

/** A multipart upload that has begun. */
export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

export type Uploads = ReturnType<typeof createUploads>;

/** Multipart uploads: numbered parts, which the store puts together in one request. `completeWithin`: its milliseconds. */
export function createUploads(client: Client, completeWithin: number) {
  const partOf = ({ key, uploadId }: Upload, number: number) =>
    ({ method: 'PUT', key, query: { partNumber: String(number), uploadId } }) as const;

  return {
    async begin(key: string, headers: Record<string, string> = {}): Promise<Upload> {
      const request = { method: 'POST', key, query: { uploads: '' }, headers } as const;
      const uploadId = elementText(await client.document(request, 'InitiateMultipartUploadResult'), 'UploadId');
      if (!uploadId) throw fault('failed', 'Expected the id of an upload');
      return { key, uploadId };
    },

    /** Sends a part. Returns its tag. */
    async put(upload: Upload, number: number, body: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<string> {
      return (await client.headers({ ...partOf(upload, number), body, signal })).get('etag') ?? '';
    },

    /** Copies a part within the store. Undefined where the store does not. */
    async copy(upload: Upload, number: number, segment: Segment, source: string): Promise<string | undefined> {
      const { bucket, prefix } = client.folder;
      const { fragment, from, end } = segment;
      const headers = {
        'x-amz-copy-source': `/${bucket}/${encodePath(prefix + source)}`,
        ...(!isWholeFragment(segment) && {
          'x-amz-copy-source-range': `bytes=${from - fragment.from}-${end - fragment.from - 1}`,
        }),
      };
      try {
        const request = { ...partOf(upload, number), headers, answerWithin: completeWithin };
        return elementText(await client.document(request, 'CopyPartResult'), 'ETag');
      } catch (error) {
        // Some stores decode the key of the source differently, and do not find an existing object.
        if (error instanceof StorageFault && (error.kind === 'unsupported' || isMissingKey(error))) return undefined;
        throw error;
      }
    },

    async complete({ key, uploadId }: Upload, tags: readonly string[], headers: Record<string, string> = {}) {
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
      );
      const body = new TextEncoder().encode(
        `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
      );
      const request = {
        method: 'POST',
        key,
        query: { uploadId },
        headers,
        body,
        answerWithin: completeWithin,
      } as const;
      await client.document(request, 'CompleteMultipartUploadResult');
    },

    abort: ({ key, uploadId }: Upload) => client.headers({ method: 'DELETE', key, query: { uploadId } }),
  };
}

const isMissingKey = (error: StorageFault): boolean => error instanceof StoreRefusal && error.code === 'NoSuchKey';
