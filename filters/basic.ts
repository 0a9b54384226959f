import type { Component, Filter } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { type SchemeProperties, schemeFilter, schemeProperties } from './authorization.ts';
import { decodeBasic } from './decode-basic.ts';

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
