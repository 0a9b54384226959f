import { joined } from '../../../core/lib/bytes.ts';
import type {
  ByteRange,
  ChangeListener,
  FileArchive,
  HashAlgorithm,
  StorageDriver,
  StorageErrorKind,
  StorageScheme,
  StoredFile,
} from '../../../spi/index.ts';
import { comparePaths } from './bytes.ts';

/** An error as drivers throw it. */
export const storageError = (kind: StorageErrorKind, message: string) =>
  Object.assign(new Error(message), { kind }) as Error & { readonly kind: StorageErrorKind };

interface MemoryFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly modified: number;
  readonly version: string;
}

/** The files of one place, as a test sees and changes them behind the back of the service. */
export interface MemoryFolder {
  readonly files: Map<string, MemoryFile>;
  readonly staged: Map<string, { bytes: Uint8Array<ArrayBuffer>; at: number }>;
  /** Archived files, with the time from which they can be read. Undefined: nobody has asked for them. */
  readonly archived: Map<string, number | undefined>;
  /** Reason why the storage is offline. Undefined: online. */
  offline: string | undefined;
  /** Bytes that still fit. */
  room: number;
  tokens: number;
  /** Listeners for files that are put, where the storage tells of changes. */
  readonly listeners: Set<ChangeListener>;
  put(path: string, bytes: Uint8Array | string, modified?: number): void;
}

export interface MemoryStorage extends StorageScheme {
  /** The place of an address, made when it is asked for: `memory:///in/`. */
  place(uri: string): MemoryFolder;
}

const utf8 = new TextEncoder();

/** A storage scheme in memory, for tests: it keeps the whole contract of drivers. */
export function memoryStorage(now: () => number, scheme = 'memory', { tells = false } = {}): MemoryStorage {
  const places = new Map<string, MemoryFolder>();
  let versions = 0;

  const memoryFile = (bytes: Uint8Array<ArrayBuffer>, modified = now() * 1000): MemoryFile => ({
    bytes,
    modified,
    version: `v${++versions}`,
  });

  function place(uri: string): MemoryFolder {
    const folder = places.get(uri);
    if (folder) return folder;
    const files = new Map<string, MemoryFile>();
    const newFolder: MemoryFolder = {
      files,
      staged: new Map(),
      archived: new Map(),
      offline: undefined,
      room: Number.POSITIVE_INFINITY,
      tokens: 0,
      listeners: new Set(),
      put(path, bytes, modified) {
        files.set(path, memoryFile(typeof bytes === 'string' ? utf8.encode(bytes) : new Uint8Array(bytes), modified));
        for (const { changed } of newFolder.listeners) changed(path);
      },
    };
    places.set(uri, newFolder);
    return newFolder;
  }

  return {
    schemes: [scheme],
    hosts: ['server', 'edge'],
    place,
    open({ uri }) {
      const driver = driverOf(place(uri), uri, now, memoryFile);
      return tells ? { ...driver, watch: (listener) => listen(place(uri), listener) } : driver;
    },
  };
}

async function listen({ listeners, offline }: MemoryFolder, listener: ChangeListener): Promise<() => void> {
  if (offline !== undefined) throw storageError('offline', offline);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function driverOf(
  folder: MemoryFolder,
  uri: string,
  now: () => number,
  fileOf: (bytes: Uint8Array<ArrayBuffer>) => MemoryFile,
): StorageDriver {
  // Drivers of one place give no token twice.
  const newToken = (): string => `t${++folder.tokens}`;

  function online(): void {
    if (folder.offline !== undefined) throw storageError('offline', folder.offline);
  }

  function fileAt(path: string): StoredFile | undefined {
    const file = folder.files.get(path);
    if (!file) return undefined;
    return {
      path,
      size: file.bytes.byteLength,
      modified: file.modified,
      version: file.version,
      identity: file.version,
      ...(folder.archived.has(path) && { archive: { state: archiveState(path), storageClass: 'SHELF' } }),
    };
  }

  function archiveState(path: string): FileArchive['state'] {
    const from = folder.archived.get(path);
    if (from === undefined) return 'archived';
    return from > now() ? 'restoring' : 'restored';
  }

  function take(count: number): void {
    if (count > folder.room) throw storageError('no-space', `Expected room for ${count} bytes`);
    folder.room -= count;
  }

  const driver: StorageDriver = {
    can: { list: true, write: true, parts: true, createOnly: true, sign: false },
    async check() {
      online();
      return { identity: uri, ...(Number.isFinite(folder.room) && { capacity: folder.room, free: folder.room }) };
    },
    async stat(path) {
      online();
      checkPath(path);
      return fileAt(path);
    },
    async read(path, { range, version, signal } = {}) {
      online();
      checkPath(path);
      const file = fileAt(path);
      if (!file) throw storageError('not-found', `Expected a file at ${path}`);
      if (version !== undefined && version !== file.version) throw storageError('changed', `${path} has changed`);
      if (file.archive && file.archive.state !== 'restored') throw storageError('archived', `${path} is archived`);
      checkRange(range, file.size);
      const bytes = folder.files.get(path)!.bytes.subarray(range?.from ?? 0, range?.end ?? file.size);
      return { file, body: streamOf(bytes, signal) };
    },
    async list({ after = '', limit }) {
      online();
      const paths = [...folder.files.keys()].filter((path) => comparePaths(after, path) < 0).sort(comparePaths);
      const page = paths.slice(0, limit);
      const files = page.map((path) => fileAt(path)!);
      return paths.length > limit ? { files, next: page.at(-1)! } : { files };
    },
    async stage(body, { size, hashes = [], signal, onBytes } = {}) {
      online();
      const bytes = await collect(body, signal, onBytes);
      if (size !== undefined && size !== bytes.byteLength) {
        throw storageError('failed', `Expected ${size} bytes: ${bytes.byteLength}`);
      }
      take(bytes.byteLength);
      const token = newToken();
      folder.staged.set(token, { bytes, at: now() });
      return { token, size: bytes.byteLength, hashes: await hashesOf(bytes, hashes) };
    },
    async openParts({ size, token: existing }) {
      online();
      const token = existing ?? newToken();
      if (existing === undefined) folder.staged.set(token, { bytes: new Uint8Array(size), at: now() });
      const staged = folder.staged.get(token);
      if (!staged) throw storageError('not-found', 'Expected staged bytes');
      return {
        token,
        async write(offset, body, signal) {
          online();
          let at = offset;
          if (offset < 0) throw storageError('range', `Expected at most ${size} bytes`);
          try {
            for await (const chunk of chunksOf(body, signal)) {
              if (at + chunk.byteLength > size) throw storageError('range', `Expected at most ${size} bytes`);
              take(chunk.byteLength);
              staged.bytes.set(chunk, at);
              at += chunk.byteLength;
            }
          } catch (error) {
            const { kind } = error as { readonly kind?: unknown };
            if (kind !== undefined && kind !== 'aborted') throw error;
          }
          staged.at = now();
          return at - offset;
        },
        read: ({ from, end }) => streamOf(staged.bytes.subarray(from, end)),
        sync: async () => online(),
        close: async () => undefined,
      };
    },
    async publish(token, path, mode) {
      online();
      checkPath(path);
      const staged = folder.staged.get(token);
      const existing = fileAt(path);
      if (!staged) {
        if (existing) return existing;
        throw storageError('not-found', 'Expected staged bytes');
      }
      if (mode === 'create' && existing) throw storageError('exists', `Expected no file at ${path}`);
      folder.files.set(path, fileOf(staged.bytes));
      folder.staged.delete(token);
      return fileAt(path)!;
    },
    async discard(token) {
      online();
      folder.staged.delete(token);
    },
    async staged() {
      online();
      return Array.from(folder.staged, ([token, { at }]) => ({ token, at }));
    },
    async remove(path) {
      online();
      checkPath(path);
      return folder.files.delete(path);
    },
    restoreTiers: () => [{ name: 'Standard', least: 1, most: 1 }],
    async restore(path) {
      online();
      checkPath(path);
      if (!folder.archived.has(path)) throw storageError('failed', `${path} is in no archive`);
      folder.archived.set(path, folder.archived.get(path) ?? now() + 1000);
    },
  };
  return driver;
}

/** The rules of paths that every driver keeps: none leads out of the place, and none has two spellings. */
function checkPath(path: string): void {
  const parts = path.split('/');
  const odd = parts.some((part) => part === '' || part === '.' || part === '..');
  if (odd || path.includes('\0') || !path.isWellFormed()) {
    throw storageError('bad-path', 'Expected a path without empty parts, "." and ".."');
  }
}

function checkRange(range: ByteRange | undefined, size: number): void {
  if (range && (range.from < 0 || range.from > range.end || range.end > size)) {
    throw storageError('range', `Expected a range within ${size} bytes`);
  }
}

const pieceBytes = 64 * 1024;

function streamOf(bytes: Uint8Array, signal?: AbortSignal): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (signal?.aborted) controller.error(storageError('aborted', 'The reader went away'));
        else if (at >= bytes.byteLength) controller.close();
        else {
          controller.enqueue(bytes.slice(at, at + pieceBytes));
          at += pieceBytes;
        }
      },
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // A read that waits for a silent sender ends with it.
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = signal?.aborted ? { done: true, value: undefined } : await reader.read();
      if (signal?.aborted) throw storageError('aborted', 'The sender went away');
      if (done) return;
      yield value!;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

async function collect(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  onBytes: ((count: number) => void) | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body, signal)) {
    parts.push(chunk);
    size += chunk.byteLength;
    onBytes?.(size);
  }
  return joined(parts);
}

async function hashesOf(bytes: Uint8Array<ArrayBuffer>, algorithms: readonly HashAlgorithm[]) {
  const hashes: Partial<Record<HashAlgorithm, string>> = {};
  for (const algorithm of algorithms) {
    // Web Crypto has no MD5.
    if (algorithm === 'MD5') continue;
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
    hashes[algorithm] = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  return hashes;
}
