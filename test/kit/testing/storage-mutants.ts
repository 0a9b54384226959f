import { checkStorageDriver, type MemoryFolder, memoryStorage, storageError } from '../../../src/kit/testing/index.ts';
import type { StorageDriver, StoredFile } from '../../../src/spi/index.ts';

export type Writing = Required<Omit<StorageDriver, 'close' | 'sign' | 'localPath' | 'readPiece'>>;
/** Methods that a mutant replaces. `again` counts how often its place was opened. */
export type Mutant = (good: Writing, place: MemoryFolder, again: number) => Partial<StorageDriver>;

/** The suite for the driver in memory, with one thing done otherwise. */
export function tried(mutant: Mutant = () => ({}), more: object = {}) {
  const storage = memoryStorage(() => 0);
  const opened = new Map<string, number>();
  const open = (uri: string): StorageDriver => {
    const good = storage.open({ uri }) as Writing;
    opened.set(uri, (opened.get(uri) ?? 0) + 1);
    return { ...good, ...mutant(good, storage.place(uri), opened.get(uri)!) };
  };
  const unreachable = () => {
    storage.place('memory:///gone/').offline = 'Expected a place that is there';
    return open('memory:///gone/');
  };
  const largest = 200_000;
  return checkStorageDriver({
    open: (place) => open(`memory:///${place}/`),
    unreachable,
    patience: 400,
    largest,
    ...more,
  });
}

const bytesOf = async (body: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(body).arrayBuffer());
const byText = (one: StoredFile, other: StoredFile) => (one.path < other.path ? -1 : 1);

/** Drivers with one fault each, by the promise that it breaks. */
export const mutants: readonly (readonly [promise: string, mutant: Mutant, more?: object])[] = [
  ['has the methods of what it can do', ({ can }) => ({ can: { ...can, sign: true } })],
  [
    'tells the same of its place each time',
    ({ check }, _place, again) => ({ check: async () => ({ ...(await check()), identity: `${again}` }) }),
  ],
  [
    'refuses paths that lead out of the place or have a second spelling',
    ({ stat }) => ({ stat: (path) => stat(path.replace(/^\.\//, '')) }),
  ],
  [
    'refuses paths that lead out of the place or have a second spelling',
    () => ({ localPath: (path) => `/srv/${path}` }),
  ],
  [
    'knows no file that is not there',
    ({ read }) => ({
      read: (path, given) =>
        read(path, given).catch((error) => {
          throw error.kind === 'not-found' ? new Error('ENOENT') : error;
        }),
    }),
  ],
  [
    'says of a place that cannot be reached that it cannot, instead of that it is empty',
    ({ list }) => ({ list: (given) => list(given).catch(() => ({ files: [] })) }),
  ],
  [
    'gives the range that it is asked for, and nothing beyond',
    ({ read }) => ({
      async read(path, given = {}) {
        const { range, ...rest } = given;
        await read(path, given).then(({ body }) => body.cancel());
        return range && range.from < range.end
          ? read(path, { ...rest, range: { ...range, from: 0 } })
          : read(path, given);
      },
    }),
  ],
  [
    'refuses a range that lies outside of the file',
    ({ read, stat }) => ({
      async read(path, { range, ...rest } = {}) {
        const end = Math.min(range?.end ?? 0, (await stat(path))?.size ?? 0);
        return read(
          path,
          range && range.from >= 0 && range.from <= end
            ? { ...rest, range: { ...range, end } }
            : { ...rest, ...(range && { range }) },
        );
      },
    }),
  ],
  [
    'refuses another version than the one that was asked for',
    ({ read, stat }) => ({
      async read(path, { version, ...rest } = {}) {
        const file = await stat(path);
        // Only the beginning is looked at.
        const known = version === 'another version' ? file?.version : version;
        return read(path, known === undefined ? rest : { ...rest, version: known });
      },
    }),
  ],
  [
    'gives a short range at once, of one version, if it can',
    ({ read }) => ({
      // The version is not looked at.
      readPiece: async (path, { range }) => bytesOf((await read(path, { range })).body),
    }),
  ],
  [
    'gives a large file in pieces',
    ({ read }) => ({
      async read(path, given) {
        const { file, body } = await read(path, given);
        let sent = false;
        const whole = new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              if (sent) return controller.close();
              sent = true;
              const bytes = await bytesOf(body).catch((error) => controller.error(error));
              if (bytes) controller.enqueue(bytes);
            },
          },
          { highWaterMark: 0 },
        );
        return { file, body: file.size < 5_000_000 ? body : whole };
      },
    }),
    { largest: 5_000_000 },
  ],
  [
    'ends a read when its signal is aborted',
    ({ read }) => ({ read: (path, { signal: _, ...given } = {}) => read(path, given) }),
  ],
  [
    'gives a reader the old bytes or "changed", never a mix',
    ({ read }, place) => ({
      async read(path, given = {}) {
        const answer = await read(path, given);
        if (given.range || given.signal) return answer;
        let at = 0;
        const body = new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              const bytes = place.files.get(path)!.bytes.slice(at, at + 65_536);
              at += bytes.byteLength;
              if (bytes.byteLength === 0) controller.close();
              else controller.enqueue(bytes);
            },
          },
          { highWaterMark: 0 },
        );
        return { ...answer, body };
      },
    }),
  ],
  [
    'lists in the order of UTF-8 bytes, the same on pages of every size',
    ({ list }) => ({
      list: async (given) => {
        const page = await list(given);
        return given.after === undefined ? { ...page, files: page.files.toSorted(byText) } : page;
      },
    }),
  ],
  [
    'lists what stat tells',
    ({ list }) => ({
      list: async (given) => {
        const page = await list(given);
        return { ...page, files: page.files.map((file) => ({ ...file, version: `"${file.version}"` })) };
      },
    }),
  ],
  [
    'goes on behind any path, also after a restart',
    ({ list }, place) => ({
      list: (given) =>
        given.after === undefined || place.files.has(given.after) ? list(given) : Promise.resolve({ files: [] }),
    }),
  ],
  [
    'lists each file once while others come and go',
    ({ list }) => {
      let seen = 0;
      return {
        list: async ({ after, limit }) => {
          if (after !== undefined && seen === 0) return list({ after, limit });
          const all = (await list({ limit: 1000 })).files;
          if (after === undefined) seen = 0;
          const files = all.slice(seen, seen + limit);
          seen += files.length;
          return seen < all.length ? { files, next: files.at(-1)!.path } : { files };
        },
      };
    },
  ],
  [
    'lists nothing of what is staged',
    ({ list }, place) => ({
      list: async (given) => {
        const page = await list(given);
        const file = { path: '.staged/t1', size: 1, version: '1' };
        return place.staged.size > 0 ? { ...page, files: [file, ...page.files] } : page;
      },
    }),
  ],
  [
    'gives back the bytes of files of every size',
    (good) => ({
      publish: async (token, path, mode) => {
        const file = await good.publish(token, path, mode);
        return path === 'sizes/0.mov' ? { ...file, size: 1 } : file;
      },
    }),
  ],
  [
    'tells no wrong hash',
    ({ stage }) => ({
      stage: async (body, given) => {
        const staged = await stage(body, given);
        return given?.hashes ? { ...staged, hashes: { 'SHA-1': 'da39a3ee5e6b4b0d3255bfef95601890afd80709' } } : staged;
      },
    }),
  ],
  [
    'keeps odd names apart, or refuses them',
    ({ publish }) => ({ publish: (token, path, mode) => publish(token, path.normalize('NFC'), mode) }),
  ],
  ['removes a file once', ({ remove }) => ({ remove: async (path) => (await remove(path)) || path === 'in/a.mov' })],
  [
    'takes no other number of bytes than announced',
    ({ stage }) => ({ stage: (body, { size: _, ...given } = {}) => stage(body, given) }),
  ],
  [
    'leaves nothing of a body that breaks, and passes on why',
    ({ stage }) => ({
      stage: (body, given) =>
        stage(body, given).catch((error) => {
          throw 'kind' in error ? error : storageError('failed', error.message);
        }),
    }),
  ],
  [
    'leaves nothing of a body that breaks, and passes on why',
    ({ stage }, place) => ({
      stage: (body, given) =>
        stage(body, given).catch((error) => {
          if (!('kind' in error)) place.staged.set('rest', { bytes: new Uint8Array(1), at: 0 });
          throw error;
        }),
    }),
  ],
  [
    'ends a write when its signal is aborted',
    ({ stage }) => ({ stage: (body, { signal: _, ...given } = {}) => stage(body, given) }),
  ],
  [
    'shows nothing of what is staged until it is published',
    ({ staged }) => ({ staged: async () => (await staged()).map(({ token }) => ({ token, at: Number.NaN })) }),
  ],
  [
    'keeps what is staged over a restart',
    ({ publish }, _place, again) => ({
      publish: (token, path, mode) =>
        publish(again > 1 && path === 'a.mov' && mode === 'create' ? 'lost' : token, path, mode),
    }),
  ],
  [
    'forgets what is discarded, and minds no unknown token',
    ({ discard }, place) => ({
      discard: (token) => (place.staged.has(token) ? discard(token) : Promise.reject(storageError('not-found', 'x'))),
    }),
  ],
  [
    'keeps the file that has the path, and what was staged for it',
    ({ publish, discard }) => ({
      publish: (token, path, mode) =>
        publish(token, path, mode).catch(async (error) => {
          await discard(token);
          throw error;
        }),
    }),
  ],
  [
    'lets one of two win that create the same file',
    ({ publish, stat }) => ({
      publish: async (token, path, mode) => {
        const there = await stat(path);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return publish(token, path, there ? mode : 'replace');
      },
    }),
  ],
  [
    'gives another version after a replacement',
    ({ publish, stat, read }) => {
      // Size alone.
      const named = (file: StoredFile) => ({ ...file, version: String(file.size) });
      return {
        publish: async (...given) => named(await publish(...given)),
        stat: async (path) => {
          const file = await stat(path);
          return file && named(file);
        },
        list: async () => ({ files: [] }),
        async read(path, { version, ...given } = {}) {
          const answer = await read(path, given);
          if (version !== undefined && version !== String(answer.file.size)) throw storageError('changed', 'x');
          return { ...answer, file: named(answer.file) };
        },
        can: { list: false, write: true, parts: true, createOnly: true, sign: false },
      };
    },
  ],
  [
    'gives the file when it is asked to publish it again',
    ({ publish }, place) => ({
      publish: (token, path, mode) =>
        place.staged.has(token) ? publish(token, path, mode) : Promise.reject(storageError('not-found', 'x')),
    }),
  ],
  [
    'puts parts in their places, in any order and at the same time',
    ({ openParts }) => ({
      openParts: async (given) => {
        const sink = await openParts(given);
        return { ...sink, write: (offset, body, signal) => sink.write(offset === 1 ? 2 : offset, body, signal) };
      },
    }),
  ],
  [
    'gives back bytes of parts as they are staged, where it can',
    ({ openParts }) => ({
      openParts: async (given) => {
        const sink = await openParts(given);
        return { ...sink, read: ({ from, end }) => sink.read!({ from, end: Math.max(from, end - 1) }) };
      },
    }),
  ],
  [
    'counts what came of a part that breaks off',
    ({ openParts }) => ({
      openParts: async (given) => {
        const sink = await openParts(given);
        const write: typeof sink.write = async (offset, body, signal) => {
          const written = await sink.write(offset, body, signal);
          return written === 100_000 && offset === 0 ? written + 1 : written;
        };
        return { ...sink, write };
      },
    }),
  ],
  [
    'goes on with parts after a restart',
    ({ openParts }, place, again) => ({
      openParts: async (given) => {
        if (again > 1) place.staged.get(given.token!)!.bytes = new Uint8Array(given.size);
        return openParts(given);
      },
    }),
  ],
  [
    'refuses bytes beyond the size of a file in parts',
    ({ openParts }) => ({
      openParts: async (given) => {
        const sink = await openParts(given);
        return { ...sink, write: (offset, body, signal) => sink.write(Math.max(0, offset), body, signal) };
      },
    }),
  ],
  [
    'goes on with no token that it has not given',
    ({ openParts }) => ({
      openParts: (given) => openParts(given).catch(() => openParts({ size: given.size })),
    }),
  ],
];
