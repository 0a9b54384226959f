import { ServiceError } from '../../../core/lib/errors.ts';
import { hiding, Secret, withoutSecrets } from '../../../core/lib/secret.ts';
import type { StorageAddress } from '../../../spi/index.ts';
import { knownSchemes, type StorageDrivers, schemeOf, schemesWithHost } from '../../drivers.ts';

/** Replacement for user name and password in answers. A client that sends it back keeps the stored ones. */
export const mask = '***';

/** Method address in a request. */
export interface MethodAddress {
  /** Address without user name and password. */
  readonly uri: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The name, the password or both are those that the method has. */
  readonly masked: boolean;
}

const longest = { uri: 2000, user: 255, password: 1000 };

const form = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?([/?#].*)?$/i;
const host = /^(?:\[[\da-f:.]+\]|[^\s:@[\]]*)(?::\d{1,5})?$/i;

/** Reads the address, and splits off its name and its password. `storage`: the one that refusals name. */
export function readAddress(text: string, storage: string | undefined): MethodAddress {
  const refused = (expected: string) => badAddress(expected, text, storage);
  if (text.length > longest.uri) throw refused(`an address of at most ${longest.uri} characters`);
  if (/[\s\\\0-\x1f\x7f]/.test(text)) throw refused('an address without blanks, backslashes and control characters');
  const [, scheme = '', authority, rest = ''] = form.exec(text) ?? [];
  const name = scheme.toLowerCase();
  if (name === '') throw refused('an address with a scheme, such as file:///srv/media/');
  if (name === 'file' && ((authority ?? '') !== '' || !rest.startsWith('/')))
    throw refused('three slashes, as in file:///srv/media/');
  if (name !== 'file' && authority === undefined) throw refused(`two slashes, as in ${name}://`);
  if (authority === undefined) return { uri: text, user: undefined, password: undefined, masked: false };

  const at = authority.lastIndexOf('@');
  const place = authority.slice(at + 1);
  if (schemesWithHost.has(name) && place === '') throw refused(`a host, as in ${name}://host/`);
  if (!host.test(place)) throw refused('a host, and a name and a password that are percent-encoded');
  const uri = `${scheme}://${place}${rest}`;
  if (at < 0) return { uri, user: undefined, password: undefined, masked: false };

  const info = authority.slice(0, at);
  const colon = info.indexOf(':');
  const user = decoded(colon < 0 ? info : info.slice(0, colon));
  const password = colon < 0 ? undefined : decoded(info.slice(colon + 1));
  if (user === undefined || (colon >= 0 && password === undefined))
    throw refused('a percent-encoded name and password');
  if (user.length > longest.user) throw refused(`a name of at most ${longest.user} characters`);
  if ((password?.length ?? 0) > longest.password) throw refused(`a password of at most ${longest.password} characters`);
  const masked = password === undefined ? user === mask : password === mask;
  return { uri, user, password: password || undefined, masked };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return /[\0-\x1f\x7f]/.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** Refuses unknown schemes and invalid addresses. Without a driver the address is accepted. */
export function checkAddress(places: StorageDrivers, address: MethodAddress, storage: string | undefined): void {
  const { uri, user, password, masked } = address;
  const scheme = places.schemeFor(uri);
  if (!scheme) {
    const name = schemeOf(uri);
    if (!knownSchemes.has(name)) throw badAddress('a scheme of storages, such as file, http or s3', uri, storage);
    return;
  }
  // Stored credentials were checked when they were saved.
  if (masked) return;
  const parsedAddress: StorageAddress = {
    uri,
    ...((user !== undefined || password !== undefined) && { user: user ?? '' }),
    ...(password !== undefined && { password: new Secret(password) }),
  };
  const defect = scheme.defect?.(parsedAddress);
  if (defect === undefined) return;
  const explanation = hiding(password === undefined ? [] : [password])(defect);
  throw new ServiceError('bad-value', { ...about(storage), explanation, value: shown(uri) });
}

/** Address with masked credentials, for answers. */
export const maskedUri = ({ uri, userName, sealed }: MethodCredentials & { readonly uri: string }): string =>
  userName === null && sealed === null ? uri : uri.replace('://', `://${mask}@`);

/** Stored user name and encrypted password of a method. */
export interface MethodCredentials {
  readonly userName: string | null;
  readonly sealed: string | null;
}

export function badAddress(expected: string, text: string | undefined, storage: string | undefined): ServiceError {
  const explanation = `Expected ${expected}`;
  return new ServiceError('bad-value', {
    ...about(storage),
    explanation: text === undefined ? explanation : `${explanation}: "${shown(text)}"`,
  });
}

const about = (storage: string | undefined) => ({ context: 'storage', ...(storage !== undefined && { id: storage }) });

/** A text that is hardly an address may hold a secret all the same. */
function shown(text: string): string {
  const masked = withoutSecrets(text);
  const at = text.lastIndexOf('@');
  return (masked === text && at >= 0 ? `${mask}${text.slice(at)}` : masked).slice(0, 80);
}
