import { watched } from '../../../core/lib/streams.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { StorageErrorKind } from '../../../spi/index.ts';
import { jobError, kindOfFailure, storageRefusal } from '../../../storage/public.ts';
import type { ExportDestination, StoredDestination, WebDestination } from '../destination.ts';

/** Bytes of one exported file. */
export interface ExportedBytes {
  readonly body: ReadableStream<Uint8Array>;
  /** Undefined if unknown before the last byte. */
  readonly size: number | undefined;
}

export function textBytes(text: string): ExportedBytes {
  const bytes = new TextEncoder().encode(text);
  return { body: new Blob([bytes]).stream(), size: bytes.byteLength };
}

/** Bytes that are to get the first of some names that is free. */
export interface Writing {
  /** The names to try, the preferred one first. */
  names(): Iterable<string>;
  /** Further names that must be free with a name, such as that of a sidecar. */
  companions(name: string): readonly string[];
  /** Progress of an earlier attempt. */
  readonly begun: { readonly name: string | null; readonly token: string | null };
  /** Opens the bytes and gives them to the writer. Called again for another attempt. */
  open<T>(write: (bytes: ExportedBytes) => Promise<T>): Promise<T>;
  /** Durable before the destination is asked: after a crash the same name is asked for once more. */
  record(name: string | null, token: string | null): Promise<void>;
}

/** Limit of names tried: each try is a request, and some servers answer every name. */
const maxTriesOnWeb = 100;

/** Replaces the token while bytes are sent in one request: they may have arrived. */
const sent = 'sent';

/** Writes the bytes under the first free name, without replacing a file. Returns the name. */
export function writeBytes(destination: ExportDestination, job: LeasedJob, writing: Writing): Promise<string> {
  return 'driver' in destination ? intoStore(destination, job, writing) : ontoWeb(destination, writing);
}

async function intoStore(destination: StoredDestination, job: LeasedJob, writing: Writing): Promise<string> {
  const { driver, path } = destination;
  const { begun } = writing;
  let { token } = begun;
  if (token !== null && begun.name !== null) {
    const ended = await publish(destination, token, begun.name);
    if (ended === 'done') return begun.name;
    if (ended === 'gone') token = null;
  }
  const staged =
    token ??
    (await writing.open(async ({ body, size }) => {
      const read = watched(body);
      try {
        const onBytes = (count: number) => job.progress(count, size ?? count);
        return (await driver.stage!(read.body, { ...(size !== undefined && { size }), signal: job.signal, onBytes }))
          .token;
      } catch (error) {
        throw read.failure() ?? outOfReach(error, destination);
      }
    }));
  for (const name of writing.names()) {
    const wanted = [name, ...writing.companions(name)].map((each) => path + each);
    if (await anyTaken(destination, wanted)) continue;
    await writing.record(name, staged);
    const ended = await publish(destination, staged, name);
    if (ended === 'done') return name;
    if (ended === 'gone') throw new Error('Expected the bytes that were staged: they are gone');
  }
  await driver.discard?.(staged).catch(() => undefined);
  throw new JobFails('Expected a name that no file has');
}

async function publish(
  destination: StoredDestination,
  token: string,
  name: string,
): Promise<'done' | 'taken' | 'gone'> {
  try {
    await destination.driver.publish!(token, destination.path + name, 'create');
    return 'done';
  } catch (error) {
    const kind = kindOfFailure(error);
    if (kind === 'exists') return 'taken';
    if (kind === 'not-found') return 'gone';
    throw outOfReach(error, destination);
  }
}

async function anyTaken(destination: StoredDestination, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const file = await destination.driver.stat(path).catch((error: unknown) => {
      throw outOfReach(error, destination);
    });
    if (file) return true;
  }
  return false;
}

async function ontoWeb(destination: WebDestination, writing: Writing): Promise<string> {
  const { begun } = writing;
  const put = (name: string, replaces: boolean) =>
    writing.open(({ body, size }) => destination.put(name, body, size, replaces));
  // The server may have received only a part, so the same bytes are sent to the same name again.
  if (begun.token === sent && begun.name !== null && (await put(begun.name, true))) return begun.name;
  let tried = 0;
  for (const name of writing.names()) {
    if (++tried > maxTriesOnWeb) break;
    const wanted = [name, ...writing.companions(name)];
    const taken = await Promise.all(wanted.map((each) => destination.has(each)));
    if (taken.includes(true)) continue;
    await writing.record(name, sent);
    if (await put(name, false)) return name;
  }
  throw new JobFails('Expected a name that no file has');
}

const hopeless: ReadonlySet<StorageErrorKind> = new Set(['denied', 'bad-path', 'unsupported']);

/** Maps an error of the destination's driver to the job's reaction. */
function outOfReach(error: unknown, { storageId }: StoredDestination): unknown {
  if (error instanceof Error && hopeless.has(kindOfFailure(error))) return new JobFails(error.message);
  return storageId === undefined ? error : jobError(storageRefusal(error, { storage: storageId }), storageId);
}
