import { type ErrorCode, ServiceError } from '../core/lib/errors.ts';
import { aliasIn, Secret } from '../core/lib/secret.ts';
import { createVault, type Vault } from '../core/lib/vault.ts';
import type { Store } from '../core/store/store.ts';
import type { RoomContext, Services } from '../room/context.ts';
import type { StorageAddress, StorageDriver, StorageErrorKind, StorageScheme } from '../spi/index.ts';
import type { MethodRow } from './storages/store.ts';

/** Storage error of a built-in driver. Drivers of plugins may throw any Error with such a `kind`. */
export class DriverError extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** The answer to a caller for each kind of failure. Clients retry 503, so only what may pass by itself is one. */
const codes: Readonly<Record<StorageErrorKind, ErrorCode>> = {
  'not-found': 'no-such-entity',
  exists: 'file-exists',
  offline: 'storage-offline',
  denied: 'storage-denied',
  'no-space': 'no-space',
  'bad-path': 'bad-value',
  range: 'range-outside',
  changed: 'changed-meanwhile',
  aborted: 'body-broken',
  archived: 'file-archived',
  unsupported: 'storage-unable',
  failed: 'storage-failed',
};

/** Kinds of failures that may be temporary. */
const again: ReadonlySet<StorageErrorKind> = new Set(['offline', 'failed']);

const isKind = (kind: unknown): kind is StorageErrorKind => typeof kind === 'string' && Object.hasOwn(codes, kind);

/** Kind of a driver's failure. Unknown errors count as `failed`. */
export function kindOfFailure(error: unknown): StorageErrorKind {
  const { kind } = (error ?? {}) as { readonly kind?: unknown };
  return isKind(kind) ? kind : 'failed';
}

/** Error document for a driver's failure. A ServiceError stays as it is. */
export function storageRefusal(
  error: unknown,
  about: { readonly storage: string; readonly path?: string },
): ServiceError {
  if (error instanceof ServiceError) return error;
  const kind = kindOfFailure(error);
  const message = error instanceof Error ? error.message : String(error);
  const detail =
    kind === 'not-found' || kind === 'archived'
      ? { type: 'File', id: about.path ?? '' }
      : { context: 'storage', id: about.storage };
  const explanation = message.slice(0, 300);
  return new ServiceError(codes[kind], { ...detail, explanation }, again.has(kind) ? { 'retry-after': '30' } : {});
}

/**
 * Schemes that need a host. Other programs could read `http:/name@host` or `http:///name@host` as host and user name.
 */
export const schemesWithHost: ReadonlySet<string> = new Set([
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
]);

/** Schemes of the original that documents may keep. Without a driver they are OFFLINE. */
export const knownSchemes: ReadonlySet<string> = new Set(['file', ...schemesWithHost, 'universal', 'vxa']);

export const schemeOf = (uri: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? '';

interface DriverParts {
  /** Storage schemes available now: built-in ones and those declared in security.ini. */
  schemes(): readonly StorageScheme[];
  readonly sharesWork: boolean;
  /** Decrypts the secrets of methods. Undefined: there is no secret key. */
  readonly vault: Vault | undefined;
  /** Names and passwords that methods refer to by an alias. */
  readonly services: Pick<Services, 'secrets'>;
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
  /** Name and password of a secret. Undefined: the method has its own. */
  readonly credentials: string | undefined;
  readonly scheme: StorageScheme;
  readonly driver: StorageDriver;
}

export function createStorageDrivers({ schemes, sharesWork, vault, services }: DriverParts): StorageDrivers {
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
    // Only the operator can open the place: a job that waits for it would never end.
    if (closed !== undefined) throw new DriverError('denied', closed);
    if (scheme.hosts.includes(sharesWork ? 'server' : 'edge')) return scheme;
    throw new DriverError('offline', `Expected a server for the scheme "${name}": an edge cannot open it`);
  }

  async function addressOf({ id, uri, userName, sealed }: MethodRow): Promise<StorageAddress> {
    if (sealed === null) return userName === null ? { uri } : { uri, user: userName };
    if (!vault) throw new DriverError('offline', 'Expected the setting secretKey: the method has a secret');
    const password = await vault.open(sealed, methodPurpose(id));
    const alias = aliasIn(`${userName}:${password}`);
    if (alias === undefined) return { uri, user: userName ?? '', password: new Secret(password) };
    const [user, value] = [
      await services.secrets.open(alias, 'username'),
      await services.secrets.open(alias, 'password'),
    ];
    if (value === undefined) throw new DriverError('offline', `Expected a password in the secret "${alias}"`);
    return { uri, user: user ?? '', password: new Secret(value) };
  }

  /** A secret may have changed since the driver was opened: the method has not. */
  const namesSecret = ({ userName, sealed }: MethodRow): boolean => userName === 'secret' && sealed !== null;

  async function forget(id: string): Promise<void> {
    const entry = opened.get(id);
    opened.delete(id);
    await entry?.driver.close?.();
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
      const entry = opened.get(method.id);
      const isSame = entry?.version === method.version && entry.scheme === schemeFor(method.uri);
      if (isSame && !namesSecret(method)) return entry.driver;
      const scheme = usable(method.uri);
      const address = await addressOf(method);
      const credentials = namesSecret(method) ? `${address.user}:${address.password?.reveal()}` : undefined;
      if (isSame && entry.credentials === credentials) return entry.driver;
      await forget(method.id);
      const driver = scheme.open(address);
      opened.set(method.id, { version: method.version, credentials, scheme, driver });
      return driver;
    },
    async close() {
      for (const id of [...opened.keys()]) await forget(id);
    },
  };
}

const driversByStore = new WeakMap<Store, StorageDrivers>();

/** The places of storage methods: all rooms share their drivers. The room `media` closes them. */
export function storageDriversOf({
  store,
  security,
  sharesWork,
  secretKey,
  random,
  services,
}: Pick<RoomContext, 'store' | 'security' | 'sharesWork' | 'secretKey' | 'random' | 'services'>): StorageDrivers {
  const drivers = driversByStore.get(store);
  if (drivers) return drivers;
  const vault = secretKey && createVault(secretKey, random);
  const places = createStorageDrivers({ schemes: security.storages, sharesWork, vault, services });
  driversByStore.set(store, places);
  return places;
}

/** Folder that a driver uses for itself in each storage. No path leads into such a folder, at any depth. */
export const ownFolder = '.portico';

/** Compared without case, since some file systems ignore it. */
export const isOwn = (name: string): boolean => name.toLowerCase() === ownFolder;
