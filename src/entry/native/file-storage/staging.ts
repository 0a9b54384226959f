import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { toHex } from '../../../core/lib/bytes.ts';
import { BrokenBody, pour } from '../../../kit/index.ts';
import type { HashAlgorithm, PartSink, Staged, StageOptions, StorageDriver } from '../../../spi/index.ts';
import { DriverError, ownFolder } from '../../../storage/public.ts';
import { senderGone, systemCode, toCreate, toWrite, unlessMissing, withDriverFaults } from './disk.ts';
import { writing } from './file-writer.ts';
import type { OpenFolder } from './held-folder.ts';
import { partSink } from './part-sink.ts';
import type { StorageFolder } from './place-folder.ts';
import { giveName, isTemporary, publishedBefore, readToken, tokenOf } from './publish.ts';

interface StagingParts {
  readonly place: StorageFolder;
  /** Bytes that stay free on the disk. */
  readonly minFreeBytes: number;
  randomBytes(length: number): Uint8Array;
}

/** `onBytes` is not called for fewer bytes: they are there at once. */
const tellFrom = 1024 * 1024;

/** Bytes between two checks of the free disk space. */
const lookAfter = 64 * 1024 * 1024;

const algorithms: Readonly<Record<HashAlgorithm, string>> = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', MD5: 'md5' };

/** Bytes without a path yet: files below `.portico/tmp` of the place, on the disk where they will stay. */
export type Staging = ReturnType<typeof createStaging>;

export function createStaging({ place, minFreeBytes, randomBytes }: StagingParts) {
  const { disk } = place;
  const holdTemporary = (make: boolean) => place.hold([ownFolder, 'tmp'], { make });

  /** Runs the work in the folder of temporary files. `folder` is undefined if it does not exist yet. */
  async function inTemporary<T>(work: (folder: OpenFolder | undefined) => Promise<T>): Promise<T> {
    const folder = await unlessMissing(holdTemporary(false));
    try {
      return await work(folder);
    } finally {
      await folder?.close();
    }
  }

  async function keepFree(folder: OpenFolder, coming: number, least: number): Promise<void> {
    if (least === 0 && coming === 0) return;
    const { bavail, bsize } = await disk.statfs(folder.at('.'));
    const free = bavail * bsize;
    if (free - coming >= least) return;
    throw new DriverError(
      'no-space',
      `Expected room for ${coming} bytes beside the ${least} that stay free (PORTICO_MIN_FREE_BYTES): ${free}`,
    );
  }

  async function openNew(folder: OpenFolder): Promise<{ readonly name: string; readonly handle: FileHandle }> {
    for (;;) {
      const name = toHex(randomBytes(16));
      try {
        return { name, handle: await disk.open(folder.at(name), toCreate) };
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error;
      }
    }
  }

  /** Makes an empty temporary file. What the work throws takes it away again. */
  async function create<T>(folder: OpenFolder, work: (handle: FileHandle, token: string) => Promise<T>): Promise<T> {
    const { name, handle } = await openNew(folder);
    try {
      await folder.verify();
      return await work(handle, tokenOf(name, await handle.stat()));
    } catch (error) {
      await handle.close().catch(() => undefined);
      await disk.unlink(folder.at(name)).catch(() => undefined);
      throw error;
    }
  }

  async function stageIn(
    folder: OpenFolder,
    body: ReadableStream<Uint8Array>,
    { size, hashes = [], signal, onBytes }: StageOptions,
    least: number,
  ): Promise<Staged> {
    await keepFree(folder, size ?? 0, least);
    return create(folder, async (handle, token) => {
      const hashers = hashes.map((algorithm) => [algorithm, createHash(algorithms[algorithm])] as const);
      const written = await writing(handle, { overlaps: true }, async (writer) => {
        let [toldAt, looked] = [0, 0];
        await pour(body, signal, senderGone, async (piece) => {
          if (size !== undefined && writer.end + piece.byteLength > size) throw otherSize(size, 'more');
          const added = writer.add(piece);
          // While another thread writes them.
          for (const [, hash] of hashers) hash.update(piece);
          await added;
          if (writer.written === toldAt) return;
          toldAt = writer.written;
          onBytes?.(toldAt);
          if (toldAt - looked < lookAfter) return;
          looked = toldAt;
          await keepFree(folder, 0, least);
        });
        await writer.flush();
        if (writer.written !== toldAt && writer.written >= tellFrom) onBytes?.(writer.written);
        return writer.written;
      });
      if (size !== undefined && written !== size) throw otherSize(size, String(written));
      await handle.datasync();
      await handle.close();
      await folder.sync();
      const digests = hashers.map(([algorithm, hash]) => [algorithm, hash.digest('hex')] as const);
      return { token, size: written, hashes: Object.fromEntries(digests) };
    });
  }

  return {
    randomBytes,

    async stage(body: ReadableStream<Uint8Array>, options: StageOptions = {}, least = minFreeBytes): Promise<Staged> {
      try {
        return await withDriverFaults('write to the storage', async () => {
          const folder = await holdTemporary(true);
          try {
            return await stageIn(folder, body, options, least);
          } finally {
            await folder.close();
          }
        });
      } catch (error) {
        if (!body.locked) void body.cancel(error).catch(() => undefined);
        throw error instanceof BrokenBody ? error.reason : error;
      }
    },

    openParts: ({ size, token }: Parameters<NonNullable<StorageDriver['openParts']>>[0]): Promise<PartSink> =>
      withDriverFaults('write to the storage', async () => {
        const resumed = token === undefined ? undefined : readToken(token);
        if (token !== undefined) {
          return inTemporary(async (folder) => {
            const handle = resumed && folder && (await unlessMissing(disk.open(folder.at(resumed.name), toWrite)));
            if (!handle) throw notStaged();
            return partSink({ handle, token, size, keepFree: () => stillFree() });
          });
        }
        const folder = await holdTemporary(true);
        try {
          await keepFree(folder, size, minFreeBytes);
          return await create(folder, async (handle, made) => {
            await folder.sync();
            return partSink({ handle, token: made, size, keepFree: () => stillFree() });
          });
        } finally {
          await folder.close();
        }
      }),

    /** Gives staged bytes a name in a folder of the place. */
    async settle(token: string, parents: readonly string[], name: string, mode: 'create' | 'replace' = 'create') {
      return inTemporary(async (folder) => {
        const tokenParts = readToken(token);
        const staged = tokenParts && folder && (await unlessMissing(disk.lstat(folder.at(tokenParts.name))));
        if (!tokenParts) throw notStaged();
        const target = await place.hold(parents, { make: staged !== undefined });
        try {
          if (!folder || !staged?.isFile()) return await publishedBefore(disk, target, name, tokenParts);
          return await giveName(
            disk,
            { folder, name: tokenParts.name, ino: staged.ino },
            { folder: target, name },
            mode,
          );
        } finally {
          await target.close();
        }
      });
    },

    discard: (token: string): Promise<void> =>
      withDriverFaults('discard staged bytes', async () => {
        const tokenParts = readToken(token);
        if (!tokenParts) return;
        await inTemporary(async (folder) => {
          if (folder) await unlessMissing(disk.unlink(folder.at(tokenParts.name)));
        });
      }),

    staged: () =>
      withDriverFaults('look for staged bytes', () =>
        inTemporary(async (folder) => {
          if (!folder) return [];
          const stagedTokens: { token: string; at: number }[] = [];
          for (const name of await disk.readdir(folder.at('.'))) {
            if (!isTemporary(name)) continue;
            const stats = await unlessMissing(disk.lstat(folder.at(name)));
            if (stats?.isFile()) stagedTokens.push({ token: tokenOf(name, stats), at: Math.floor(stats.mtimeMs) });
          }
          return stagedTokens;
        }),
      ),
  };

  /** For a file in parts, which is open longer than the folder. */
  async function stillFree(): Promise<void> {
    const folder = await holdTemporary(true);
    await keepFree(folder, 0, minFreeBytes).finally(() => folder.close());
  }
}

const notStaged = () => new DriverError('not-found', 'Expected staged bytes: they are gone');

const otherSize = (size: number, found: string) =>
  new DriverError('failed', `Expected a body of ${size} bytes, as announced: ${found}`);
