import { Secret } from '../../lib/secret.ts';
import type { Vault } from '../../lib/vault.ts';
import type { StorageAddress, StorageDriver, StorageScheme } from '../../spi/index.ts';
import type { MethodRow } from '../storages/store.ts';
import { DriverError } from './refusals.ts';

/** Schemes of the original that documents may keep. Without a driver they are OFFLINE. */
export const knownSchemes: ReadonlySet<string> = new Set([
  'file',
  'ftp',
  'sftp',
  'http',
  'https',
  's3',
  'azure',
  'gs',
  'ds3',
  'omms',
  'smb',
  'universal',
  'vxa',
]);

export const schemeOf = (uri: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? '';

interface DriverParts {
  /** Storage schemes available now: built-in ones and those declared in security.ini. */
  schemes(): readonly StorageScheme[];
  readonly sharesWork: boolean;
  /** Decrypts the secrets of methods. Undefined: there is no secret key. */
  readonly vault: Vault | undefined;
}

/** The places of storage methods. */
export interface StorageDrivers {
  /** The driver of a method, the same until the method changes. Throws `offline` where none can be opened here. */
  of(method: MethodRow): Promise<StorageDriver>;
  schemeFor(uri: string): StorageScheme | undefined;
  /** Why an address cannot be read here. Undefined: it can, or another instance may. */
  unread(uri: string): string | undefined;
  close(): Promise<void>;
}

/** The purpose under which the secret of a method is sealed. */
export const methodPurpose = (id: string): string => `storage-method ${id}`;

interface Opened {
  readonly version: number;
  readonly scheme: StorageScheme;
  readonly driver: StorageDriver;
}

export function createStorageDrivers({ schemes, sharesWork, vault }: DriverParts): StorageDrivers {
  const opened = new Map<string, Opened>();

  function schemeFor(uri: string): StorageScheme | undefined {
    const name = schemeOf(uri);
    return schemes().find((each) => each.schemes.includes(name));
  }

  function noDriver(uri: string): string {
    const read = schemes().flatMap((each) => [...each.schemes]);
    return `Expected one of the schemes that this server reads (${read.join(', ')}): "${schemeOf(uri)}"`;
  }

  function usable(uri: string): StorageScheme {
    const scheme = schemeFor(uri);
    if (!scheme) throw new DriverError('offline', noDriver(uri));
    const name = schemeOf(uri);
    const closed = scheme.closed?.({ uri });
    if (closed !== undefined) throw new DriverError('offline', closed);
    if (scheme.hosts.includes(sharesWork ? 'server' : 'edge')) return scheme;
    throw new DriverError('offline', `Expected a server for the scheme "${name}": an edge cannot open it`);
  }

  async function addressOf({ id, uri, userName, sealed }: MethodRow): Promise<StorageAddress> {
    if (sealed === null) return userName === null ? { uri } : { uri, user: userName };
    if (!vault) throw new DriverError('offline', 'Expected the setting secretKey: the method has a secret');
    const password = new Secret(await vault.open(sealed, methodPurpose(id)));
    return { uri, user: userName ?? '', password };
  }

  async function forget(id: string): Promise<void> {
    const known = opened.get(id);
    opened.delete(id);
    await known?.driver.close?.();
  }

  return {
    schemeFor,
    // On the edge a missing driver says nothing about other servers.
    unread(uri) {
      if (!sharesWork) return undefined;
      const scheme = schemeFor(uri);
      return scheme ? scheme.closed?.({ uri }) : noDriver(uri);
    },
    async of(method) {
      const scheme = usable(method.uri);
      const known = opened.get(method.id);
      if (known && known.version === method.version && known.scheme === scheme) return known.driver;
      const address = await addressOf(method);
      await forget(method.id);
      const driver = scheme.open(address);
      opened.set(method.id, { version: method.version, scheme, driver });
      return driver;
    },
    async close() {
      for (const id of [...opened.keys()]) await forget(id);
    },
  };
}
