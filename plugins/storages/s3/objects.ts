import type { ByteRange, StoredFile } from '../../../src/spi/index.ts';
import { fault, StorageFault } from '../faults.ts';
import { StoreRefusal } from './answers.ts';
import { archiveIn } from './archive.ts';
import type { Client } from './client.ts';

/** Metadata of an object. */
interface ObjectHead {
  readonly file: StoredFile;
  /** Token that the object was published with by this service. */
  readonly token: string | undefined;
}

/** Metadata header with the token, by which published objects are recognised. */
export const tokenHeader = 'x-amz-meta-portico';

/** Milliseconds for which an answering bucket is assumed to exist. */
const seenFor = 60_000;

export type BucketObjects = ReturnType<typeof createObjects>;

/** Single objects of a bucket. */
export function createObjects(client: Client, now: () => number) {
  let seen = Number.NEGATIVE_INFINITY;

  /** A missing object and a missing bucket look alike: neither answer has a body. */
  async function requireBucket(signal: AbortSignal | undefined): Promise<void> {
    if (now() - seen < seenFor) return;
    const query = { 'list-type': '2', 'max-keys': '1', prefix: client.folder.prefix };
    await client.document({ method: 'GET', query, signal }, 'ListBucketResult');
    seen = now();
  }

  async function look(path: string, signal?: AbortSignal): Promise<ObjectHead | undefined> {
    try {
      const headers = await client.headers({ method: 'HEAD', key: path, signal });
      seen = now();
      return { file: fileOf(path, headers), token: headers.get(tokenHeader) ?? undefined };
    } catch (error) {
      if (!(error instanceof StoreRefusal) || error.status !== 404) throw error;
      await requireBucket(signal);
      return undefined;
    }
  }

  return {
    look,

    async bytes(file: StoredFile, range: ByteRange, signal: AbortSignal | undefined) {
      const headers = { range: `bytes=${range.from}-${range.end - 1}`, 'if-match': `"${file.version}"` };
      const answer = await client.ask({ method: 'GET', key: file.path, headers, signal }).catch((error: unknown) => {
        throw isOther(error) ? changedFault(file) : error;
      });
      const answerHeaders = answer.headers;
      const isAsked = answerHeaders.get('content-range') === `bytes ${range.from}-${range.end - 1}/${file.size}`;
      const isWhole = answer.status === 200 && range.from === 0 && range.end === file.size;
      if ((isAsked || isWhole) && versionIn(answerHeaders) === file.version) return answer;
      await answer.body.cancel().catch(() => undefined);
      throw versionIn(answerHeaders) === file.version
        ? fault('failed', 'Expected the range that was asked for')
        : changedFault(file);
    },
  };
}

/** Whether the object is missing, or has been replaced. */
const isOther = (error: unknown): boolean =>
  error instanceof StorageFault && ['changed', 'not-found', 'range'].includes(error.kind);

export const changedFault = ({ path }: StoredFile) =>
  fault('changed', `Expected the file as it was: "${path.slice(0, 80)}" has changed`);

/** Version of an object. Not a hash: objects uploaded in parts have another form of ETag. */
export const versionFromEtag = (etag: string): string => etag.replace(/^(?:W\/)?"|"$/g, '');

const versionIn = (headers: Headers): string => versionFromEtag(headers.get('etag') ?? '');

/** Seconds, as headers have them: a list of some stores tells more. */
export const unixSeconds = (time: string | null | undefined): number | undefined => {
  const at = Date.parse(time ?? '');
  return Number.isFinite(at) ? Math.floor(at / 1000) * 1_000_000 : undefined;
};

function fileOf(path: string, headers: Headers): StoredFile {
  const size = Number(headers.get('content-length') ?? Number.NaN);
  const version = versionIn(headers);
  if (!Number.isSafeInteger(size) || version === '')
    throw fault('failed', 'Expected an answer with a length and an ETag');
  const modified = unixSeconds(headers.get('last-modified'));
  return { path, size, version, ...(modified !== undefined && { modified }), archive: archiveIn(headers) };
}
