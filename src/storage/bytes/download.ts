import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { describeError, type Log } from '../../core/lib/log.ts';
import { type Random, textOfBytes } from '../../core/lib/random.ts';
import { passing } from '../../core/lib/streams.ts';
import type { Store } from '../../core/store/store.ts';
import { type Bytes, type BytesRequest, bytesReply } from '../../http/bytes.ts';
import { digestHeader } from '../../http/digest.ts';
import type { Reply } from '../../http/reply.ts';
import type { MediaUse } from '../../room/media.ts';
import type { StorageDriver, StoredFile } from '../../spi/index.ts';
import { kindOfFailure, type StorageDrivers, storageRefusal } from '../drivers.ts';
import { sha256Of } from '../files/hashes.ts';
import { archivedFile, isArchived, noSuchFile, unable } from '../files/rules.ts';
import type { FileRow } from '../files/store.ts';
import { handOverOf } from '../hand-over.ts';
import { methodsOf } from '../storages/store.ts';

/** Characters that every reader takes for themselves, in a quoted text and elsewhere. */
const plain = /[^A-Za-z0-9._ -]/g;

/**
 * Tells a browser to store a file under its name and not to show it: a page among the files would act for the caller.
 * The name cannot end the header, nor the quotes (RFC 6266). `kind`: of bytes that a browser may show.
 */
export function disposition(name: string, kind: 'attachment' | 'inline' = 'attachment'): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, (character) => `%${hexOf(character)}`);
  return `${kind}; filename="${name.replace(plain, '_')}"; filename*=UTF-8''${encoded}`;
}

/** Types that a browser shows without running anything of them. Never SVG, HTML or PDF. */
const shown = /^(?:(?:video|audio)\/[\w.+-]+|image\/(?:jpeg|png|gif|webp|avif))$/i;

/** Whether a browser may show bytes of the type in a page of the service. */
const isShown = (type: string): boolean => shown.test(type);

/** Headers of bytes that a page of the service shows. Opened by themselves, they are in an origin of their own. */
const shownHeaders = {
  'content-disposition': 'inline',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Headers of bytes whose content is not trusted: a browser stores them under the name, and guesses no type. */
export const downloadHeaders = (name: string) =>
  ({ 'content-disposition': disposition(name), 'x-content-type-options': 'nosniff' }) as const;

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase();

interface DownloadParts {
  readonly store: Store;
  readonly places: StorageDrivers;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly log: Log;
  fingerprint(text: string): string;
}

/** The media type of the bytes: that of a shape, once a file belongs to one. */
const octets = 'application/octet-stream';

/** Times that a file may change between a look at it and its bytes. */
const attempts = 3;

/**
 * Answers the bytes of a file. What the caller gets is one version of it: the one of its row, or else the one that the
 * storage has now. A file that changes meanwhile breaks the answer off, and never mixes it.
 */
export async function download(
  parts: DownloadParts,
  request: BytesRequest,
  row: FileRow,
  view: FileView = {},
): Promise<Reply> {
  // A row that waits for its deletion may have lost its path to another file.
  if (row.state === 'TO_BE_DELETED') throw noSuchFile(row.id);
  let refusal: unknown;
  for (const method of await methodsOf(parts.store, { id: row.storageId })) {
    if (method.read === 0) continue;
    try {
      return await answer(parts, request, row, view, await parts.places.of(method));
    } catch (error) {
      if (isOurs(error)) throw error;
      refusal ??= error;
    }
  }
  if (refusal === undefined) throw unable(row.storageId, 'Expected a storage with a method that reads');
  if (kindOfFailure(refusal) === 'not-found') throw noSuchFile(row.id);
  if (kindOfFailure(refusal) === 'archived') throw archivedFile(row.id);
  throw storageRefusal(refusal, { storage: row.storageId, path: row.path });
}

/** View of a file in an answer. */
interface FileView {
  /** Type of its shape, which a browser may show if it is safe. */
  readonly type?: string | undefined;
  /** Name under which the bytes are stored, instead of that of the file. */
  readonly name?: string | undefined;
  /** Use of the bytes by the caller. Where it ends, the answer breaks off. */
  readonly use?: MediaUse;
}

/** An answer to the caller, which another method of the storage would not change. */
const isOurs = (error: unknown): boolean => error instanceof ServiceError;

async function answer(
  parts: DownloadParts,
  request: BytesRequest,
  row: FileRow,
  view: FileView,
  driver: StorageDriver,
): Promise<Reply> {
  const listedFile = request.method === 'GET' ? knownFrom(row) : undefined;
  for (let attempt = 1; ; attempt++) {
    const file = (attempt === 1 ? listedFile : undefined) ?? (await driver.stat(row.path));
    if (!file) throw noSuchFile(row.id);
    if (isArchived(file)) throw archivedFile(row.id);
    try {
      const bytes = bytesOf(parts, request, row, view, file, driver);
      const fails = (error: unknown) => {
        parts.log.write('warn', 'download-broken', { id: request.requestId, file: row.id, ...describeError(error) });
        return brokenOff();
      };
      return await bytesReply(request, {
        ...bytes,
        open: async (from, end) =>
          passing(await bytes.open(from, end), {
            fails,
            ...(view.use?.stillUsable && { each: view.use.stillUsable }),
          }),
      });
    } catch (error) {
      if (isOurs(error) || attempt === attempts || !temporary.has(kindOfFailure(error))) throw error;
    }
  }
}

/** The row knows another version of the file than the storage has. */
const temporary: ReadonlySet<string> = new Set(['changed', 'not-found', 'range']);

/** Stored file by its row, which saves a request to the storage. A missing file shows when it is read. */
function knownFrom({ state, path, size, content, modified }: FileRow): StoredFile | undefined {
  if (state !== 'CLOSED' || size === null || content === null) return undefined;
  return { path, size, version: content, ...(modified !== null && { modified }) };
}

/** Error for the caller, whose connection ends early. Servers print it: one line, without the paths of a storage. */
function brokenOff(): Error {
  const error = new Error('A download broke off: the log says why');
  error.stack = error.message;
  return error;
}

function bytesOf(
  { random, fingerprint }: DownloadParts,
  { headers, isForwarded }: BytesRequest,
  { path, name: ownName, hash, digest, content, state }: FileRow,
  { type = octets, name, use }: FileView,
  { size, version, modified }: StoredFile,
  driver: StorageDriver,
): Bytes {
  // A proxy goes on sending after rights have ended.
  const handOver = isForwarded && state === 'CLOSED' && use?.until === undefined ? handOverOf(driver) : undefined;
  const isHashed = hash !== null && content === version;
  return {
    size,
    type: isShown(type) ? type : octets,
    version: isHashed ? hash : fingerprint(`${size} ${version}`).slice(0, 27),
    ...(modified !== undefined && { modified: Math.floor(modified / 1000) }),
    boundary: () => textOfBytes(random.bytes(18)),
    headers: {
      ...(isShown(type) ? shownHeaders : downloadHeaders(name ?? ownName)),
      ...(isShown(type) && name !== undefined && { 'content-disposition': disposition(name, 'inline') }),
      // A cache asks before each use: the time of the end may change.
      ...(use?.until !== undefined && { 'cache-control': 'private, no-cache' }),
      ...(isHashed && digestHeader(headers, { 'sha-256': sha256Of({ hash, digest }), sha: hash })),
    },
    ...(driver.readPiece &&
      state !== 'OPEN' && { piece: (from, end) => driver.readPiece!(path, { range: { from, end }, version }) }),
    handOver: handOver && (() => handOver(path, version)),
    async open(from, end) {
      // Reads open files in any version: a growing file keeps its bytes, so each version begins with the one before.
      const same = state === 'OPEN' ? {} : { version };
      return (await driver.read(path, { range: { from, end }, ...same })).body;
    },
  };
}
