import type { StorageDriver, StorageErrorKind, StoredFile } from '../../../spi/index.ts';
import { broken, errorSentence } from '../result.ts';
import { mebibyte, someBytes, streamBody, toBytes } from './bytes.ts';

export interface DriverUnderTest {
  /** Opens a location: empty at first, and the same one for the same number. */
  open(place: number): Promise<StorageDriver> | StorageDriver;
  /** Initial content of each location, by path, for a read-only driver. */
  readonly holds?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Opens a location that is unreachable. */
  readonly unreachable?: (() => Promise<StorageDriver> | StorageDriver) | undefined;
  /** Number of files or connections that are open now. */
  readonly openHandles?: (() => Promise<number> | number) | undefined;
  /** Requests a signed address. */
  readonly fetch?: ((request: Request) => Promise<Response> | Response) | undefined;
  /** Size limit of test files in bytes. Default: 20 MiB. */
  readonly largest?: number | undefined;
  /** Milliseconds that it has for one step: 5,000 unless told. */
  readonly patience?: number | undefined;
}

/** Driver with all optional methods, for promises behind a check of its abilities. */
export type Writer = Required<
  Pick<StorageDriver, 'stage' | 'publish' | 'discard' | 'staged' | 'remove' | 'list' | 'openParts' | 'sign'>
> &
  StorageDriver;

export interface StorageTrial {
  /** Number of the location, for `open`. */
  readonly place: number;
  readonly driver: Writer;
  /** Opens the same location again, as after a restart. */
  again(): Promise<Writer>;
}

export interface Files {
  /** Runs a promise with a location of its own. */
  inPlace(work: (trial: StorageTrial) => Promise<void>): () => Promise<void>;
  /** Runs a promise with a file of this size, or with the largest file that the location can hold. */
  withFile(size: number, work: (trial: StorageTrial, file: TrialFile) => Promise<void>): () => Promise<void>;
  readonly patience: number;
  readonly largest: number;
  readonly subject: DriverUnderTest;
}

interface TrialFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function filesOf(subject: DriverUnderTest, canWrite: boolean): Files {
  const { patience = 5_000, largest = 20 * mebibyte, holds = {} } = subject;
  let places = 0;

  const inPlace = (work: (trial: StorageTrial) => Promise<void>) => async () => {
    const place = ++places;
    const opened: StorageDriver[] = [];
    const open = async (): Promise<Writer> => {
      const driver = await subject.open(place);
      opened.push(driver);
      return driver as Writer;
    };
    try {
      await work({ place, driver: await open(), again: open });
    } finally {
      for (const driver of opened) await driver.close?.();
    }
  };

  return {
    subject,
    inPlace,
    patience,
    largest,
    withFile: (size, work) =>
      inPlace(async (trial) => {
        if (canWrite) {
          const file = { path: 'in/a file.mov', bytes: someBytes(Math.min(size, largest)) };
          await put(trial.driver, file.path, file.bytes);
          return work(trial, file);
        }
        const files = Object.entries(holds).map(([path, content]) => ({ path, bytes: toBytes(content) }));
        const file = files.sort((one, other) => other.bytes.byteLength - one.bytes.byteLength)[0];
        if (!file) broken('files that each place holds, because the driver cannot write', 'none');
        return work(trial, file);
      }),
  };
}

/** Stages and publishes. */
export async function put(
  driver: Writer,
  path: string,
  content: string | Uint8Array,
  mode: 'create' | 'replace' = 'create',
): Promise<StoredFile> {
  const { token } = await driver.stage(streamBody(toBytes(content)));
  return driver.publish(token, path, mode);
}

/** Breaks the promise unless the work throws an error of one of these kinds. */
export async function refuses(
  kinds: StorageErrorKind | readonly StorageErrorKind[],
  what: string,
  work: () => unknown,
): Promise<void> {
  const wanted: readonly string[] = typeof kinds === 'string' ? [kinds] : kinds;
  const kind = await kindThrownBy(work);
  if (!wanted.includes(kind)) broken(`${what} to throw an error of the kind ${wanted.join(' or ')}`, kind);
}

export async function kindThrownBy(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'no error';
  } catch (error) {
    const { kind } = Object(error) as { readonly kind?: unknown };
    return typeof kind === 'string' ? kind : `an error without a kind, ${errorSentence(error)}`;
  }
}

/** Real time: whatever ends the work comes from the driver itself. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), milliseconds);
  });
  try {
    const outcome = await Promise.race([work, late]);
    if (outcome === 'late') {
      work.catch(() => undefined);
      return broken(`${what} to end`, `no end within ${milliseconds} ms`);
    }
    return outcome as T;
  } finally {
    clearTimeout(timer);
  }
}

/** Lists all files of a location page by page, without skipped entries. */
export async function listFiles(driver: Writer, limit = 1000, after?: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  let from = after;
  for (let pages = 0; ; pages++) {
    const page = await driver.list(from === undefined ? { limit } : { after: from, limit });
    if (page.files.length > limit) broken(`at most ${limit} files on a page`, String(page.files.length));
    files.push(...page.files);
    if (page.next === undefined) return files;
    if (page.next === from || pages > 10_000) broken('another place to go on from', JSON.stringify(page.next));
    from = page.next;
  }
}
