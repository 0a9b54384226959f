import { placesOf } from '../../media/files/addresses.ts';
import { schemeOf } from '../../media/places/places.ts';
import { type MethodRow, methodsOf } from '../../media/storages/store.ts';
import type { Reader } from '../../store/statement.ts';
import { openAt, openFile } from './files.ts';
import { decoded, hasCredentials, refused, type Source, type SourceParts, type StoredPlace } from './source.ts';
import { openWeb } from './web.ts';

/** A file below a method of a storage, with the method that reads it. */
export interface StoredSource extends StoredPlace {
  readonly method: MethodRow;
}

/** Some clients encode addresses twice. */
export const plainAddress = (text: string): string => (!text.includes(':') && /%3a/i.test(text) ? decoded(text) : text);

/**
 * The file of a storage that an address means: that of the nearest method that reads. Undefined: no storage has the
 * address.
 */
export async function storedAt(reader: Reader, address: string): Promise<StoredSource | undefined> {
  const places = await placesOf(reader, address, undefined).catch(() => []);
  for (const { storageId, path } of places) {
    const methods = await methodsOf(reader, { id: storageId });
    const method = methods.find(({ read, uri }) => read === 1 && isBelow(address, uri));
    if (method) return { storageId, path, method };
  }
  return undefined;
}

/** Which of several methods of a storage the address is below. */
function isBelow(address: string, method: string): boolean {
  const [place = ''] = method.split(/[?#]/, 1);
  const plain = address.replace(/^([a-z][a-z0-9+.-]*:)\/(?!\/)/i, '$1///');
  return plain.startsWith(place.endsWith('/') ? place : `${place}/`);
}

/**
 * Opens what an address leads to. The credentials of a storage method open a file of its storage. Other files lie below
 * the folders of imports, or on a web server. Throws `JobFails` where no other attempt would help.
 */
export async function openSource(parts: SourceParts, text: string, signal?: AbortSignal): Promise<Source> {
  const address = plainAddress(text);
  const scheme = schemeOf(address);
  if (scheme === '') throw refused('Expected an address with a scheme, such as file:///srv/in/clip.mp4');
  if (hasCredentials(address)) throw refused('Expected an address without name and password');
  const stored = await storedAt(parts.store, address);
  if (stored) {
    const { method, path, storageId } = stored;
    return openAt(await parts.places.of(method), path, signal, storageId);
  }
  if (scheme === 'file') return openFile(parts, address, signal);
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(address)) return openWeb(parts, address, signal);
  throw refused(`Expected an address with file, http or https, or one below a method of a storage: "${scheme}"`);
}
