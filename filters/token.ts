import type { Component, Filter, PropertyTable } from '../src/spi/index.ts';
import { type SchemeProperties, schemeFilter, schemeProperties, tokenReader } from './authorization.ts';

const properties: PropertyTable = {
  ...schemeProperties('token'),
  enabled: {
    type: 'boolean',
    fallback: true,
    says: 'Always true.',
    check: (value: boolean) =>
      value ? undefined : 'Expected true: the token filter stays on, so that internal requests keep working',
  },
};

export const token: Component<Filter> = {
  says: 'Tokens of this service (`Authorization: token …`): the realms for such tokens check them. Brackets as for basic authentication.',
  properties,
  create: ({ authzScheme, authcScheme, applicationName }: SchemeProperties) =>
    schemeFilter({
      scheme: authzScheme ?? 'token',
      challenge: authcScheme ?? 'token',
      realm: applicationName ?? 'application',
      read: tokenReader('token'),
    }),
};
