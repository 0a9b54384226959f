import { BrokenBody, pour, toHex } from '../../../src/kit/index.ts';
import type { ByteRange, HashAlgorithm, Host, Staged, StageOptions, StorageDriver } from '../../../src/spi/index.ts';
import { fault, ignoreMissing, senderGone } from '../faults.ts';
import type { Client } from './client.ts';
import { listPage, ownPrefix } from './listing.ts';
import {
  Cutter,
  type Fragment,
  fragmentIn,
  fragmentName,
  maxInFlight,
  pieceAt,
  pieceFor,
  type Segment,
  wholeLength,
} from './pieces.ts';
import { InFlight } from './upload-flow.ts';
import type { Upload, Uploads } from './uploads.ts';

const folder = `${ownPrefix}tmp/`;
const isToken = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
const stagedKey = (token: string, name: string): string => `${folder}${token}/${name}`;

/** Limit of concurrent removals. */
const atOnce = 8;
/** A name that says how many bytes all fragments together have. */
const whole = /^size-(\d{1,16})$/;
const record = /^upload-/;

/** An object of a token. */
interface Entry {
  readonly name: string;
  readonly size: number;
}

/** Staged bytes of a token. */
export interface Waiting {
  readonly token: string;
  readonly size: number;
  readonly fragments: readonly Fragment[];
  /** Names of all staged objects. */
  readonly names: readonly string[];
  /** Records of multipart uploads begun for its publication. */
  readonly uploads: readonly string[];
}

export type S3Staging = ReturnType<typeof createS3Staging>;
type UploadedFragment = Awaited<ReturnType<S3Staging['beginFragment']>>;

/**
 * Bytes without a path yet: objects below `.portico/tmp/TOKEN/`, a fragment each. A store has no files that grow, and
 * the path of a multipart upload cannot be changed any more.
 */
export function createS3Staging(
  client: Client,
  uploads: Uploads,
  { now, randomBytes }: Pick<Host, 'now' | 'randomBytes'>,
) {
  let last = 0;

  /** Increasing order for fragment names, also within one millisecond. */
  function nextOrder(): string {
    last = Math.max(last + 1, now() * 1000);
    return last.toString(36).padStart(12, '0');
  }

  async function entriesIn(token: string): Promise<Entry[]> {
    const listed: Entry[] = [];
    const prefix = stagedKey(token, '');
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { entries, next }: Awaited<ReturnType<typeof listPage>> = await listPage(client, { prefix, after });
      listed.push(...entries.map(({ path, size }) => ({ name: path.slice(prefix.length), size })));
      after = next;
    }
    return listed;
  }

  const remove = (token: string, name: string) => client.headers({ method: 'DELETE', key: stagedKey(token, name) });

  const isThere = (token: string, name: string): Promise<boolean> =>
    client.headers({ method: 'HEAD', key: stagedKey(token, name) }).then(
      () => true,
      () => false,
    );

  /** The size goes last: without it a rest of the fragments could pass for all of them. */
  async function removeAll(token: string, names: readonly string[]): Promise<void> {
    const running = new InFlight(atOnce);
    for (const name of names) if (!whole.test(name)) await running.add(1, async () => void (await remove(token, name)));
    await running.ended();
    for (const name of names) if (whole.test(name)) await remove(token, name);
  }

  async function put(token: string, name: string, body: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<void> {
    await client.headers({ method: 'PUT', key: stagedKey(token, name), body, signal });
  }

  async function abortUpload(token: string, name: string): Promise<void> {
    const { body } = await client.ask({ method: 'GET', key: stagedKey(token, name) });
    const [uploadId = '', ...path] = (await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).text()).split(
      '\n',
    );
    await ignoreMissing(uploads.abort({ key: path.join('\n'), uploadId }));
    await remove(token, name);
  }

  /** Keeps a record of an upload, so that it can be ended if nobody completes it. Returns its name. */
  async function putUpload(token: string, { uploadId, key }: Upload): Promise<string> {
    const name = `upload-${nextOrder()}`;
    await put(token, name, new TextEncoder().encode(`${uploadId}\n${key}`));
    return name;
  }

  return {
    newToken: (): string => toHex(randomBytes(16)),

    async putFragment(
      token: string,
      from: number,
      bytes: Uint8Array<ArrayBuffer>,
      signal?: AbortSignal,
    ): Promise<string> {
      const name = fragmentName(from, bytes.byteLength, nextOrder());
      await put(token, name, bytes, signal);
      return name;
    },

    async putSize(token: string, size: number, signal?: AbortSignal): Promise<string> {
      const name = `size-${size}`;
      await put(token, name, new Uint8Array(), signal);
      return name;
    },

    putUpload,

    /** A fragment that comes in parts, and is there with the last one: one object, however many bytes it has. */
    async beginFragment(token: string, signal?: AbortSignal) {
      const name = fragmentName(0, wholeLength, nextOrder());
      const upload = await uploads.begin(stagedKey(token, name));
      const record = await putUpload(token, upload).catch(async (error: unknown) => {
        await uploads.abort(upload).catch(() => undefined);
        throw error;
      });
      const tags: string[] = [];
      return {
        async put(index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
          tags[index] = await uploads.put(upload, index + 1, bytes, signal);
        },
        async complete(): Promise<void> {
          await uploads.complete(upload, tags).catch(async (error: unknown) => {
            // The answer may be lost, and a second request finds no upload. The name is of this upload alone.
            if (!(await isThere(token, name))) throw error;
          });
          await remove(token, record);
        },
        async abort(): Promise<void> {
          await ignoreMissing(uploads.abort(upload));
          await removeAll(token, [name, record]);
        },
      };
    },

    /** Ends what an attempt to publish has left, so that its parts cost nothing any more. */
    async abortUploads({ token, uploads }: Waiting): Promise<void> {
      for (const name of uploads) await ignoreMissing(abortUpload(token, name));
    },

    /** Undefined where nothing is staged under the token, or not all of it. */
    async find(token: string): Promise<Waiting | undefined> {
      if (!isToken(token)) return undefined;
      const entries = await entriesIn(token);
      const names = entries.map(({ name }) => name);
      const fragments = entries.flatMap(({ name, size }) => fragmentIn(name, size) ?? []);
      const wholeSize = names.flatMap((name) => whole.exec(name)?.[1] ?? [])[0];
      const [only] = fragments.length === 1 ? fragments : [];
      const size = wholeSize === undefined ? (only?.from === 0 ? only.length : undefined) : Number(wholeSize);
      return size === undefined
        ? undefined
        : { token, size, fragments, names, uploads: names.filter((name) => record.test(name)) };
    },

    bytesOf({ token }: Waiting, { fragment, from, end }: Segment) {
      const range: ByteRange = { from: from - fragment.from, end: end - fragment.from };
      const headers = { range: `bytes=${range.from}-${range.end - 1}` };
      return client.ask({ method: 'GET', key: stagedKey(token, fragment.name), headers });
    },

    keyOf: ({ token }: Waiting, { name }: Fragment): string => stagedKey(token, name),

    removeAll,

    async discard(token: string): Promise<void> {
      if (!isToken(token)) return;
      const names = (await entriesIn(token)).map(({ name }) => name);
      for (const name of names) if (record.test(name)) await ignoreMissing(abortUpload(token, name));
      await removeAll(
        token,
        names.filter((name) => !record.test(name)),
      );
    },

    async staged(): ReturnType<NonNullable<StorageDriver['staged']>> {
      const bytesByToken = new Map<string, number>();
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { entries, next }: Awaited<ReturnType<typeof listPage>> = await listPage(client, {
          prefix: folder,
          after,
        });
        for (const { path, modified = 0 } of entries) {
          const token = path.slice(folder.length).split('/', 1)[0]!;
          if (isToken(token)) bytesByToken.set(token, Math.max(bytesByToken.get(token) ?? 0, modified / 1000));
        }
        after = next;
      }
      return Array.from(bytesByToken, ([token, at]) => ({ token, at }));
    },
  };
}

/** Stages a body as it comes, a few pieces at a time. Nothing of it stays when it throws. */
export async function stageBody(
  staging: S3Staging,
  { hasher }: Pick<Host, 'hasher'>,
  body: ReadableStream<Uint8Array>,
  { size, hashes = [], signal, onBytes, leastPart }: StageOptions & { readonly leastPart: number },
): Promise<Staged> {
  const token = staging.newToken();
  const running = new InFlight(maxInFlight);
  const names: string[] = [];
  const digests = hashes.map((name) => [name, hasher(name)] as const);
  let count = 0;

  // An object of many parts is published and removed in as few calls as one of a few bytes.
  let fragment: Promise<UploadedFragment> | undefined;
  let nextIndex = 0;
  const sizeAt = (index: number) => Math.max(size === undefined ? pieceAt(index) : pieceFor(size), leastPart);
  const cutter = new Cutter(0, sizeAt, (piece, from) => {
    const index = nextIndex++;
    if (index === 0 && piece.byteLength >= sizeAt(0) && piece.byteLength !== size) {
      fragment = staging.beginFragment(token, signal);
    }
    return running.add(piece.byteLength, async () => {
      if (fragment) await (await fragment).put(index, piece);
      else names.push(await staging.putFragment(token, from, piece, signal));
    });
  });

  try {
    await pour(body, signal, senderGone, async (chunk) => {
      count += chunk.byteLength;
      if (size !== undefined && count > size) throw otherSize(size, 'more');
      for (const [, digest] of digests) digest.update(chunk);
      await cutter.add(chunk);
      onBytes?.(count);
    });
    if (size !== undefined && count !== size) throw otherSize(size, String(count));
    await cutter.end();
    if (count === 0) names.push(await staging.putFragment(token, 0, new Uint8Array(), signal));
    await running.ended();
    if (fragment) await (await fragment).complete();
    const hexByAlgorithm = digests.map(([name, digest]): [HashAlgorithm, string] => [name, digest.hex()]);
    return { token, size: count, hashes: Object.fromEntries(hexByAlgorithm) };
  } catch (error) {
    await running.settled();
    // Fragments that cannot be removed now are discarded later, by their age.
    await (fragment ? fragment.then((begun) => begun.abort()) : staging.removeAll(token, names)).catch(() => undefined);
    throw error instanceof BrokenBody ? error.reason : error;
  }
}

const otherSize = (size: number, actual: string) =>
  fault('failed', `Expected a body of ${size} bytes, as announced: ${actual}`);
