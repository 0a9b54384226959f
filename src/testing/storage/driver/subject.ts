import type { StorageDriver, StorageErrorKind, StoredFile } from '../../../spi/index.ts';
import { broken, sentenceOf } from '../../result.ts';
import { bodyOf, bytesOf, mebibyte, someBytes } from '../bytes.ts';

export interface DriverUnderTest {
  /** Opens a place: an empty one for each number, and the same one for the same number. */
  open(place: number): Promise<StorageDriver> | StorageDriver;
  /** What each place holds from the beginning, by path: for a driver that cannot write. */
  readonly holds?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Opens a place that cannot be reached. */
  readonly unreachable?: (() => Promise<StorageDriver> | StorageDriver) | undefined;
  /** How many files or connections are open now. */
  readonly openHandles?: (() => Promise<number> | number) | undefined;
  /** Asks a signed address. */
  readonly fetch?: ((request: Request) => Promise<Response> | Response) | undefined;
  /** Bytes of the largest file that it is tried with: 20 MiB unless told. */
  readonly largest?: number | undefined;
  /** Milliseconds that it has for one step: 5,000 unless told. */
  readonly patience?: number | undefined;
}

/** What of a driver the suite asks for once it is known to be able. */
export type Writer = Required<
  Pick<StorageDriver, 'stage' | 'publish' | 'discard' | 'staged' | 'remove' | 'list' | 'openParts' | 'sign'>
> &
  StorageDriver;

export interface Trial {
  /** Which place, for `open`. */
  readonly place: number;
  readonly driver: Writer;
  /** The same place, opened again: as after a restart. */
  again(): Promise<Writer>;
}

export interface Files {
  /** How the suite opens places, one for each promise. */
  inPlace(work: (trial: Trial) => Promise<void>): () => Promise<void>;
  /** A place with a file of this size, or with the largest that it holds. */
  withFile(size: number, work: (trial: Trial, file: Known) => Promise<void>): () => Promise<void>;
  readonly patience: number;
  readonly largest: number;
  readonly subject: DriverUnderTest;
}

export interface Known {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function filesOf(subject: DriverUnderTest, canWrite: boolean): Files {
  const { patience = 5_000, largest = 20 * mebibyte, holds = {} } = subject;
  let places = 0;

  const inPlace = (work: (trial: Trial) => Promise<void>) => async () => {
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
        const held = Object.entries(holds).map(([path, given]) => ({ path, bytes: bytesOf(given) }));
        const file = held.sort((one, other) => other.bytes.byteLength - one.bytes.byteLength)[0];
        if (!file) broken('files that each place holds, because the driver cannot write', 'none');
        return work(trial, file);
      }),
  };
}

/** Stages and publishes. */
export async function put(
  driver: Writer,
  path: string,
  given: string | Uint8Array,
  mode: 'create' | 'replace' = 'create',
): Promise<StoredFile> {
  const { token } = await driver.stage(bodyOf(bytesOf(given)));
  return driver.publish(token, path, mode);
}

/** Breaks the promise unless the work throws an error of one of these kinds. */
export async function refuses(
  kinds: StorageErrorKind | readonly StorageErrorKind[],
  what: string,
  work: () => unknown,
): Promise<void> {
  const wanted: readonly string[] = typeof kinds === 'string' ? [kinds] : kinds;
  const found = await kindThrownBy(work);
  if (!wanted.includes(found)) broken(`${what} to throw an error of the kind ${wanted.join(' or ')}`, found);
}

export async function kindThrownBy(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'no error';
  } catch (error) {
    const { kind } = Object(error) as { readonly kind?: unknown };
    return typeof kind === 'string' ? kind : `an error without a kind, ${sentenceOf(error)}`;
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

/** All that a place lists, page by page, with what was skipped left out. */
export async function listed(driver: Writer, limit = 1000, after?: string): Promise<StoredFile[]> {
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
