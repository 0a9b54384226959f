import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Disk, disk } from '../../src/entry/native/file-storage/disk.ts';
import { createFileDriver, type FileDriverParts } from '../../src/entry/native/file-storage/driver.ts';
import { FolderThreads } from '../../src/entry/native/file-storage/folder-threads.ts';
import { seededRandom } from '../../src/kit/testing/index.ts';
import type { Listing, StorageDriver, StoredFile } from '../../src/spi/index.ts';

export type FileDriver = Required<Omit<StorageDriver, 'sign'>>;

export interface FilePlaces {
  /** The one folder below which places may lie. */
  readonly root: string;
  /** A driver of a folder in it, made where it is missing. */
  open(name?: string, more?: Partial<FileDriverParts>): Promise<FileDriver>;
  /** How many files and folders its drivers hold open. */
  openHandles(): number;
}

/** Folders of this machine for tests of the file driver, gone with the test. */
export async function filePlaces(): Promise<FilePlaces> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-files-')));
  const threads = new FolderThreads();
  const opened = new Set<object>();
  // Counted where they are opened and closed: those that are forgotten, the garbage collector closes some day.
  const counted = (open: Disk['open']): Disk['open'] => {
    return async (...given) => {
      const handle = await open(...given);
      const close = handle.close.bind(handle);
      opened.add(handle);
      handle.close = () => close().finally(() => opened.delete(handle));
      return handle;
    };
  };
  const random = seededRandom(1);
  onTestFinished(async () => {
    await threads.close();
    await rm(root, { recursive: true, force: true });
  });
  return {
    root,
    async open(name = 'place', more = {}) {
      const folder = join(root, name);
      if (!more.folder) await mkdir(folder, { recursive: true });
      return createFileDriver({
        folder,
        roots: { folders: [root] },
        minFreeBytes: 0,
        threads,
        randomBytes: (length) => random.bytes(length),
        ...more,
        disk: { ...(more.disk ?? disk), open: counted((more.disk ?? disk).open) },
      }) as FileDriver;
    },
    openHandles: () => opened.size,
  };
}

export const bodyOf = (given: string | Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([given as Uint8Array<ArrayBuffer>]).stream();

/** Stages and publishes. */
export async function put(
  driver: FileDriver,
  path: string,
  given: string | Uint8Array,
  mode: 'create' | 'replace' = 'create',
): Promise<StoredFile> {
  return driver.publish((await driver.stage(bodyOf(given))).token, path, mode);
}

export const textOf = async (driver: FileDriver, path: string): Promise<string> =>
  new Response((await driver.read(path)).body).text();

/** The paths of a place, page by page, and what was skipped. */
export async function listed(driver: FileDriver, limit = 1000) {
  const [paths, skipped]: [string[], NonNullable<Listing['skipped']>[number][]] = [[], []];
  let after: string | undefined;
  do {
    const page: Listing = await driver.list({ limit, ...(after !== undefined && { after }) });
    paths.push(...page.files.map(({ path }) => path));
    skipped.push(...(page.skipped ?? []));
    after = page.next;
  } while (after !== undefined);
  return { paths, skipped };
}

export const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error) => error.kind ?? String(error),
  );
