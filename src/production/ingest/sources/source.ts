import type { RoomContext } from '../../../room/context.ts';
import { JobFails } from '../../../room/jobs/job-type.ts';
import type { ByteRange } from '../../../spi/index.ts';
import type { StorageDrivers } from '../../../storage/public.ts';

export interface SourceParts extends Pick<RoomContext, 'store' | 'security' | 'sharesWork' | 'stream'> {
  readonly places: StorageDrivers;
  readonly settings: { readonly maxTransferBytes: number };
}

/** Bytes at an external address. */
export interface Source {
  /** The last part of its path. */
  readonly name: string;
  readonly size?: number | undefined;
  /** Version of the bytes, if the storage has one. */
  readonly version?: string;
  /** Identity of the file on its storage, the same for each address of it. */
  readonly identity?: string | undefined;
  /** Media type, by the remote server. */
  readonly mimeType?: string | undefined;
  /** Opens a connection or a file. */
  body(range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
}

/** A file of a storage that the service knows by its address. */
export interface StoredPlace {
  readonly storageId: string;
  readonly path: string;
}

/** The address as logs and metadata may show it: without name and password, and without what signs it. */
export function shownAddress(address: string): string {
  const plain = !address.includes(':') && /%3a/i.test(address) ? decoded(address) : address;
  return plain
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
    .replace(/[?#].*$/s, '')
    .slice(0, 2000);
}

/** The last part of the path of an address, decoded. Empty where there is none. */
export function nameIn(address: string): string {
  const [path = ''] = shownAddress(address)
    .replace(/^[a-z][a-z0-9+.-]*:\/*/i, '/')
    .split(/[?#]/, 1);
  return decoded(path.slice(path.lastIndexOf('/') + 1));
}

/** Whether an address has a name or a password in it. Such an address is not kept. */
export function hasCredentials(text: string): boolean {
  const address = !text.includes(':') && /%3a/i.test(text) ? decoded(text) : text;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(address);
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No attempt would help. The sentence quotes nothing of what is at the address. */
export const refused = (says: string): JobFails => new JobFails(says);
