import type { OAuth2Configuration, PropertyTable, SecretText } from '../../src/spi/index.ts';
import { type SchemeProperties, schemeProperties } from '../authorization.ts';
import { defaultPolicy, type Policy } from './configuration.ts';
import type { IntrospectionClient } from './endpoint.ts';
import { plainType } from './signature.ts';

export interface OAuth2Properties extends SchemeProperties, OAuth2Configuration, Partial<Omit<Policy, 'issuers'>> {
  /** Milliseconds here, as of each duration. */
  readonly federationMetadataInterval?: number | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: SecretText | undefined;
  readonly issuer?: readonly string[] | undefined;
  readonly allowConfigUpdate?: boolean | undefined;
}

const largestSkew = 300_000;

export const oauth2Properties: PropertyTable = {
  ...schemeProperties('Bearer'),
  x509Certificate: { type: 'list', says: 'Certificates in Base64, tried one after the other.' },
  publicKey: { type: 'list', says: 'Public keys in Base64, tried one after the other.' },
  expectedAudience: { type: 'string', says: 'The entry that the claim `aud` must contain.' },
  issuer: {
    type: 'list',
    says: 'The value that the claim `iss` must have; with several, one of them. Without it, the issuer that a discovery document names.',
  },
  tokenUser: { type: 'string', says: 'The claim that names the service user; without it, `unique_name`.' },
  federationMetadataURI: { type: 'url', says: 'Where the certificates or keys are downloaded from.' },
  federationMetadataInterval: {
    type: 'duration',
    says: 'Interval between downloads. A number without a unit is in seconds.',
  },
  validationEndpoint: { type: 'url', says: 'URL of the provider that validates each token.' },
  clientId: {
    type: 'string',
    says: 'Client id for token introspection. With it, the endpoint is called as an introspection endpoint.',
  },
  clientSecret: { type: 'secret', says: 'The secret of that client.' },
  allowConfigUpdate: {
    type: 'boolean',
    fallback: true,
    says: 'Whether /configuration/auth may read and change this configuration.',
  },
  clockSkew: {
    type: 'duration',
    fallback: defaultPolicy.clockSkew,
    says: 'Allowed difference between the clocks of the issuer and this service.',
    check: (value: number) => (value <= largestSkew ? undefined : 'Expected at most 5m'),
  },
  tokenTypes: {
    type: 'list',
    fallback: defaultPolicy.tokenTypes,
    says: 'Accepted values of the header `typ` of a token. A token without `typ` is a JWT.',
  },
  allowPlainText: {
    type: 'boolean',
    fallback: defaultPolicy.allowPlainText,
    says: 'Allows http:// to other machines for tokens and keys. Only for private networks.',
  },
  insecureCertificates: {
    type: 'boolean',
    fallback: defaultPolicy.insecureCertificates,
    says: 'Accepts certificates that have expired, are not valid yet, or are not for signatures.',
  },
  allowNoExpiry: {
    type: 'boolean',
    fallback: defaultPolicy.allowNoExpiry,
    says: 'Accepts tokens without `exp`. A stolen token is valid until the key changes.',
  },
};

export const policyOf = (properties: OAuth2Properties): Policy => ({
  clockSkew: properties.clockSkew ?? defaultPolicy.clockSkew,
  tokenTypes: (properties.tokenTypes ?? defaultPolicy.tokenTypes).map(plainType),
  issuers: properties.issuer?.length ? properties.issuer : undefined,
  insecureCertificates: properties.insecureCertificates ?? defaultPolicy.insecureCertificates,
  allowNoExpiry: properties.allowNoExpiry ?? defaultPolicy.allowNoExpiry,
  allowPlainText: properties.allowPlainText ?? defaultPolicy.allowPlainText,
});

/** OAuth2 configuration of security.ini. */
export function configurationOf(properties: OAuth2Properties): OAuth2Configuration {
  const { x509Certificate, publicKey, expectedAudience, tokenUser } = properties;
  const { federationMetadataURI, federationMetadataInterval: interval, validationEndpoint } = properties;
  return {
    x509Certificate,
    publicKey,
    expectedAudience,
    tokenUser,
    federationMetadataURI,
    federationMetadataInterval: interval === undefined ? undefined : interval / 1000,
    validationEndpoint,
  };
}

/**
 * Client for introspection. Its secret is sent only to the endpoint in the file, so that the API cannot redirect it.
 */
export function clientOf(properties: OAuth2Properties): IntrospectionClient | undefined {
  const { clientId: id, clientSecret: secret, validationEndpoint } = properties;
  if (id === undefined && secret === undefined) return undefined;
  if (id === undefined || secret === undefined || validationEndpoint === undefined) {
    throw new Error('Expected clientId, clientSecret and validationEndpoint together: one without the others');
  }
  return { id, secret };
}
