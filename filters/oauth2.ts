import type { Component, Filter, PropertyTable } from '../src/spi/index.ts';
import { switched } from './answers.ts';
import { type SchemeProperties, schemeProperties } from './authorization.ts';
import { bearerFilter } from './bearer.ts';

/** How tokens are to be validated. Exactly one of the three ways is used at a time. */
interface OAuth2Properties extends SchemeProperties {
  readonly x509Certificate?: readonly string[] | undefined;
  readonly publicKey?: readonly string[] | undefined;
  readonly federationMetadataURI?: string | undefined;
  readonly validationEndpoint?: string | undefined;
}

const properties: PropertyTable = {
  ...schemeProperties('Bearer'),
  x509Certificate: { type: 'list', says: 'Certificates in Base64, tried one after the other.' },
  publicKey: { type: 'list', says: 'Public keys in Base64, tried one after the other.' },
  expectedAudience: { type: 'string', says: 'The entry that the claim `aud` must contain.' },
  tokenUser: { type: 'string', says: 'The claim that names the service user.' },
  federationMetadataURI: { type: 'url', says: 'Where the certificates are downloaded from.' },
  federationMetadataInterval: { type: 'duration', says: 'How often they are downloaded; a bare number is in seconds.' },
  validationEndpoint: { type: 'url', says: 'The provider that is asked about each token.' },
  allowConfigUpdate: {
    type: 'boolean',
    fallback: true,
    says: 'Whether /configuration/auth may read and change this configuration.',
  },
};

/**
 * The bearer filter of the service's own INI. It hands tokens to the realms and believes none by itself:
 * without a realm that knows it, every token is a 401.
 */
export const oauth2: Component<Filter> = {
  says: 'OAuth 2.0 bearer tokens. Brackets as for basic authentication.',
  properties,
  create(given: OAuth2Properties, host) {
    const configured = [
      given.x509Certificate?.length,
      given.publicKey?.length,
      given.federationMetadataURI,
      given.validationEndpoint,
    ];
    if (configured.some(Boolean)) host.log('warn', 'bearer-tokens-only-by-realms', { filter: host.name });
    return switched(bearerFilter(given), given.enabled, host);
  },
};
