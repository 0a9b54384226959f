import type { Reader } from '../../../core/store/statement.ts';
import { fileLocations, type MethodRow, methodsOf, schemeOf } from '../../../storage/public.ts';
import { openAt, openFile } from './files.ts';
import { filesAtAddress, type MayHave, mayHaveAlike, plainAddress } from './foreign.ts';
import { hasCredentials, refused, type Source, type SourceParts, type StoredPlace } from './source.ts';
import { openWebSource } from './web.ts';

/** A file below a method of a storage, with the method that reads it. */
export interface StoredSource extends StoredPlace {
  readonly method: MethodRow;
}

/**
 * The file of a storage that an address means: that of the nearest method that reads. Undefined: no storage has the
 * address.
 */
export async function storedAt(reader: Reader, address: string): Promise<StoredSource | undefined> {
  const places = await fileLocations(reader, address, undefined).catch(() => []);
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
