import type { Component, Filter } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { type SchemeProperties, schemeFilter, schemeProperties } from './authorization.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const control = /[\0-\x1f\x7f]/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** User and password, split at the first colon and otherwise exactly as received; undefined for anything malformed. */
export function decodeBasic(encoded: string): { readonly user: string; readonly password: string } | undefined {
  if (!base64.test(encoded)) return undefined;
  let text: string;
  try {
    text = atob(encoded);
    // Bytes above ASCII are UTF-8; the common case is spared the second pass.
    if (/[^\0-\x7f]/.test(text)) text = utf8.decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
  // RFC 7617 has none. Behind a password a NUL would even be overlooked: HMAC pads its key with them.
  if (control.test(text)) return undefined;
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** HTTP basic authentication. The challenge carries the application name. */
export function basicFilter(
  applicationName: string,
  words: Pick<SchemeProperties, 'authcScheme' | 'authzScheme'> = {},
): Filter {
  return schemeFilter({
    scheme: words.authzScheme ?? 'BASIC',
    // In upper case, as clients of this API have always seen it.
    challenge: words.authcScheme ?? 'BASIC',
    realm: applicationName,
    read(text, request) {
      const pair = decodeBasic(text);
      return pair && { kind: 'password', user: pair.user, password: request.secret(pair.password) };
    },
  });
}

export const basic: Component<Filter> = {
  says: 'HTTP basic authentication: the realms check user and password. `[permissive]` lets requests without credentials pass. Methods in the brackets limit the filter to those methods.',
  properties: schemeProperties('BASIC'),
  create: (properties: SchemeProperties, host) =>
    switched(basicFilter(properties.applicationName ?? 'application', properties), properties.enabled, host),
};
