import type { Reader } from '../../../core/store/statement.ts';
import type { ByteRange, StorageDriver } from '../../../spi/index.ts';
import {
  kindOfFailure,
  type MethodRow,
  methodsOf,
  placesAt,
  schemeOf,
  storageRefusal,
} from '../../../storage/public.ts';
import { filesAtAddress, type MayHave, mayHaveAlike, plainAddress } from './foreign.ts';
import { hasCredentials, refused, type Source, type SourceParts, type StoredPlace } from './source.ts';
import { openWebSource } from './web.ts';

/** Absolute path after one or three slashes, or after the name of this machine. */
const form = /^file:(?:\/\/(?:localhost)?)?(\/(?!\/).*)$/i;
const address = 'Expected an address of a file such as file:///srv/in/clip.mp4';

/**
 * Opens a local file below the folders of the setting PORTICO_IMPORT_ROOTS, or below those of storages. The driver
 * compares folders after links are resolved, and follows no link below them.
 */
async function openFile({ security, sharesWork }: SourceParts, text: string, signal?: AbortSignal) {
  const path = form.exec(text)?.[1];
  const cut = path?.lastIndexOf('/') ?? 0;
  const name = nameOf(path?.slice(cut + 1) ?? '');
  if (path === undefined || name === undefined) throw refused(address);
  const scheme = security.storages().find(({ schemes }) => schemes.includes('file'));
  if (!scheme || !sharesWork) throw refused('Expected a server that reads files: an edge has none');
  const uri = `file://${path.slice(0, cut + 1)}`;
  const defect = scheme.defect?.({ uri }) ?? scheme.closed?.({ uri }, 'import');
  if (defect !== undefined) throw refused(defect);
  return openAt(scheme.open({ uri }, 'import'), name, signal);
}

/** The name of a file. Undefined: it leads elsewhere, or is none. */
function nameOf(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part);
    return /^\.{0,2}$|[\\/\0-\x1f]/.test(name) || /[?#]/.test(part) ? undefined : name;
  } catch {
    return undefined;
  }
}

/** A file that a driver has. What the driver refuses for good fails the job. `storage`: one that may come back. */
export async function openAt(
  driver: StorageDriver,
  path: string,
  signal?: AbortSignal,
  storage?: string,
): Promise<Source> {
  const file = await driver.stat(path, signal).catch((error: unknown) => {
    if (storage !== undefined) throw storageRefusal(error, { storage, path });
    throw hopeless.has(kindOfFailure(error)) ? refused((error as Error).message) : error;
  });
  if (!file) throw refused('Expected a file at the address: there is none');
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    size: file.size,
    version: file.version,
    identity: file.identity,
    async body(range?: ByteRange) {
      const options = { version: file.version, ...(range && { range }), ...(signal && { signal }) };
      return (await driver.read(path, options)).body;
    },
  };
}

const hopeless: ReadonlySet<string> = new Set(['denied', 'bad-path', 'unsupported', 'offline']);

/** A file below a method of a storage, with the method that reads it. */
export interface StoredSource extends StoredPlace {
  readonly method: MethodRow;
}

/**
 * The file of a storage that an address means: that of the nearest method that reads. Undefined: no storage has the
 * address.
 */
export async function storedAt(reader: Reader, address: string): Promise<StoredSource | undefined> {
  const places = await placesAt(reader, address);
  for (const { storageId, path } of places) {
    const methods = await methodsOf(reader, { id: storageId });
    const method = methods.find(({ read, uri }) => read === 1 && isBelow(address, uri));
    if (method) return { storageId, path, method };
  }
  return undefined;
}

/** Whether the address is below the method, to choose among several methods. */
function isBelow(address: string, method: string): boolean {
  const [place = ''] = method.split(/[?#]/, 1);
  const plain = address.replace(/^([a-z][a-z0-9+.-]*:)\/(?!\/)/i, '$1///');
  return plain.startsWith(place.endsWith('/') ? place : `${place}/`);
}

/**
 * Opens what an address leads to. The credentials of a storage method open a file of its storage. Other files lie below
 * the folders of imports, or on a web server. A file that the service knows is opened for whom `mayHave` lets have it,
 * by whatever spelling of its address. Throws `JobFails` where no other attempt would help.
 */
export async function openImportSource(
  parts: SourceParts,
  mayHave: MayHave,
  text: string,
  signal?: AbortSignal,
): Promise<Source> {
  const address = plainAddress(text);
  const scheme = schemeOf(address);
  if (scheme === '') throw refused('Expected an address with a scheme, such as file:///srv/in/clip.mp4');
  if (hasCredentials(address)) throw refused('Expected an address without name and password');
  for (const id of await filesAtAddress(parts.store, address)) await mayHave(id);
  const stored = await storedAt(parts.store, address);
  if (scheme === 'file' || stored?.method.uri.startsWith('file:')) {
    const source = stored ? await openStored(parts, stored, signal) : await openFile(parts, address, signal);
    // A link, or a folder that is spelt otherwise, leads to a file that its address does not name.
    await mayHaveAlike(parts.store, mayHave, source.identity);
    return source;
  }
  if (stored) return openStored(parts, stored, signal);
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(address)) {
    return openWebSource(parts, mayHave, address, signal);
  }
  throw refused(`Expected an address with file, http or https, or one below a method of a storage: "${scheme}"`);
}

const openStored = async ({ places }: SourceParts, { method, path, storageId }: StoredSource, signal?: AbortSignal) =>
  openAt(await places.of(method), path, signal, storageId);
