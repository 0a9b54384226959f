import type { Component, Filter } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { type Scheme, type SchemeProperties, schemeFilter, schemeProperties, tokenReader } from './authorization.ts';

export const bearer: Component<Filter> = {
  says: 'Bearer tokens of other issuers: the realms for such tokens check them. Brackets as for basic authentication.',
  properties: schemeProperties('Bearer'),
  create: (given: SchemeProperties, host) => switched(schemeFilter(bearerScheme(given)), given.enabled, host),
};

/** Scheme of bearer tokens, shared by all methods of validation. */
export const bearerScheme = ({ authzScheme, authcScheme, applicationName }: SchemeProperties): Scheme => ({
  scheme: authzScheme ?? 'Bearer',
  challenge: authcScheme ?? 'Bearer',
  realm: applicationName ?? 'application',
  read: tokenReader('bearer'),
});
