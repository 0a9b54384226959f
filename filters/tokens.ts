import type { Component, Filter, PropertyTable } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { type Scheme, type SchemeProperties, schemeFilter, schemeProperties, tokenReader } from './authorization.ts';
import { bearerLogin } from './bearer/login.ts';
import { type OAuth2Properties, oauth2Properties } from './bearer/properties.ts';

export const bearer: Component<Filter> = {
  says: 'Bearer tokens of other issuers: the realms for such tokens check them. Brackets as for basic authentication.',
  properties: schemeProperties('Bearer'),
  create: (settings: SchemeProperties, host) => switched(schemeFilter(bearerScheme(settings)), settings.enabled, host),
};

/** Scheme of bearer tokens, shared by all methods of validation. */
const bearerScheme = ({ authzScheme, authcScheme, applicationName }: SchemeProperties): Scheme => ({
  scheme: authzScheme ?? 'Bearer',
  challenge: authcScheme ?? 'Bearer',
  realm: applicationName ?? 'application',
  read: tokenReader('bearer'),
});

/**
 * Bearer filter. The configuration of the API takes precedence over the file. Without either, the realms are asked, as
 * by `authcBearer`.
 */
export const oauth2: Component<Filter> = {
  says: 'OAuth 2.0 bearer tokens. Brackets as for basic authentication.',
  properties: oauth2Properties,
  async create(settings: OAuth2Properties, host) {
    const { login, close, oauth2Problems } = await bearerLogin(settings, host);
    const filter = schemeFilter({ ...bearerScheme(settings), login });
    return switched({ ...filter, close, oauth2Problems }, settings.enabled, host);
  },
};

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
