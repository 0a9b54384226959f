import { JobFails } from '../../room/jobs/job-type.ts';
import type { StorageDriver } from '../../spi/index.ts';
import { createDestinations, fileLocations, jobError, type Writable } from '../../storage/public.ts';
import type { ExportParts } from './parts.ts';
import { fileMethods } from './store.ts';

/** A folder of a web server that takes files by PUT. */
export interface WebDestination {
  /** False where the server says that it has nothing of that name. */
  has(name: string): Promise<boolean>;
  /** False: a file has the name. */
  put(name: string, body: ReadableStream<Uint8Array>, size: number | undefined, replaces: boolean): Promise<boolean>;
}

const limits = { answerWithin: 30_000, idle: 60_000 };

function openWebDestination({ stream }: Pick<ExportParts, 'stream'>, folder: string): WebDestination {
  const urlOf = (name: string): string => folder + name.split('/').map(encodeURIComponent).join('/');

  async function ask(request: Parameters<ExportParts['stream']>[0]): Promise<number> {
    const { status, body } = await stream(request).catch((error: unknown) => {
      // Blocked by the settings: a retry would not help.
      if ((error as { kind?: unknown })?.kind === 'blocked') throw new JobFails((error as Error).message);
      throw error;
    });
    await body.cancel().catch(() => undefined);
    return status;
  }

  return {
    async has(name) {
      const status = await ask({ url: urlOf(name), method: 'HEAD', ...limits });
      return status === 200 || status === 204;
    },
    async put(name, body, size, replaces) {
      const headers = {
        'content-type': 'application/octet-stream',
        ...(!replaces && { 'if-none-match': '*' }),
      };
      const status = await ask({
        url: urlOf(name),
        method: 'PUT',
        headers,
        body,
        ...(size !== undefined && { length: size }),
        ...limits,
      });
      if (status === 412) return false;
      if (status >= 200 && status < 300) return true;
      const sentence = `Expected a server that takes the file: ${status}`;
      // A permanent refusal fails the job. Other statuses are retried.
      throw status < 500 && status !== 408 && status !== 429 ? new JobFails(sentence) : new Error(sentence);
    },
  };
}

/** A place with names and staged bytes: a storage, or a folder that the operator opened for exports. */
export interface StoredDestination {
  readonly driver: StorageDriver;
  /** Path of the folder in the storage: empty, or with "/" at its end. */
  readonly path: string;
  /** Undefined: the destination is no storage. */
  readonly storageId: string | undefined;
}

export type ExportDestination = StoredDestination | WebDestination;

/** Opens the folder of an address. Throws JobFails or JobWaits. */
export async function openDestination(parts: ExportParts, folder: string): Promise<ExportDestination> {
  const storage = await belowStorage(parts, folder);
  if (storage) return storage;
  const scheme = folder.slice(0, folder.indexOf(':')).toLowerCase();
  if (scheme === 'http' || scheme === 'https') return openWebDestination(parts, folder);
  const opened = parts.security.storages().find(({ schemes }) => schemes.includes(scheme));
  const place = opened?.exportPlace?.(folder);
  if (!place) {
    throw new JobFails(`Expected an address below a method of a storage that writes: "${scheme}:" has no other place`);
  }
  if ('defect' in place) throw new JobFails(place.defect);
  return { ...place, storageId: undefined };
}

/** Refuses other spellings of a storage's folder, which could bypass the rights of the storage. */
async function refuseOtherSpelling({ store }: ExportParts, folder: string): Promise<undefined> {
  const path = filePath(folder);
  if (path === undefined) return undefined;
  const method = (await fileMethods(store, {})).find(({ uri }) => path.startsWith(filePath(uri) ?? '\0'));
  if (method) throw new JobFails(`Expected the address as the method of the storage has it: ${method.storageId}`);
}

/** With a slash at its end. Undefined: it is no folder of this machine. */
function filePath(uri: string): string | undefined {
  const encoded = /^file:(?:\/\/)?(\/[^?#]*)/i.exec(uri)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return `${decodeURIComponent(encoded).replace(/\/$/, '')}/`;
  } catch {
    return undefined;
  }
}

/** Destination below a storage. The nearest storage decides, even if it refuses writes. */
async function belowStorage(parts: ExportParts, folder: string): Promise<StoredDestination | undefined> {
  const { store, places } = parts;
  const named = 'name';
  const [nearest] = await fileLocations(store, `${folder}${named}`, undefined);
  if (!nearest) return refuseOtherSpelling(parts, folder);
  const { storageId, path } = nearest;
  const destinations = createDestinations({ store, places });
  let destination: Writable;
  try {
    destination = await destinations.writableOf(await destinations.storageOf(storageId));
  } catch (error) {
    throw jobError(error, storageId);
  }
  return { driver: destination.driver, path: path.slice(0, -named.length), storageId };
}
