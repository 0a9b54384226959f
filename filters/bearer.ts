import type { Component, Filter } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { readToken, type SchemeProperties, schemeFilter, schemeProperties } from './authorization.ts';

export function bearerFilter(properties: SchemeProperties): Filter {
  return schemeFilter({
    scheme: properties.authzScheme ?? 'Bearer',
    challenge: properties.authcScheme ?? 'Bearer',
    realm: properties.applicationName ?? 'application',
    read: readToken('bearer'),
  });
}

export const bearer: Component<Filter> = {
  says: 'Bearer tokens of somebody else: asks the realms that know them. Brackets as for basic authentication.',
  properties: schemeProperties('Bearer'),
  create: (properties: SchemeProperties, host) => switched(bearerFilter(properties), properties.enabled, host),
};
