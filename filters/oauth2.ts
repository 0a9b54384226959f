import type { Component, Filter } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { schemeFilter } from './authorization.ts';
import { bearerLogin } from './bearer/login.ts';
import { type OAuth2Properties, oauth2Properties } from './bearer/properties.ts';
import { bearerScheme } from './bearer.ts';

/**
 * Bearer filter. The configuration of the API takes precedence over the file. Without either, the realms are asked, as
 * by `authcBearer`.
 */
export const oauth2: Component<Filter> = {
  says: 'OAuth 2.0 bearer tokens. Brackets as for basic authentication.',
  properties: oauth2Properties,
  async create(given: OAuth2Properties, host) {
    const { login, close, oauth2Problems } = await bearerLogin(given, host);
    const filter = schemeFilter({ ...bearerScheme(given), login });
    return switched({ ...filter, close, oauth2Problems }, given.enabled, host);
  },
};
