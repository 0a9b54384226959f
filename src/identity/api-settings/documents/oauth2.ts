import { careful, document, element, integer, list, string, type Value } from '../../../core/documents/describe.ts';

/**
 * OAuth2 configuration. The used fields depend on the mode: static keys, federation metadata, or a validation provider.
 */
export const oauth2ConfigurationDocument = careful(
  document('OAuth2ConfigurationDocument', {
    x509Certificate: list(string).says('Base64 of a certificate whose key verifies signatures.'),
    publicKey: list(string).says('Base64 of a public key that verifies signatures.'),
    expectedAudience: element(string).says('Required value of the claim aud.'),
    tokenUser: element(string).says('Name of the claim that holds the user name.'),
    federationMetadataURI: element(string),
    federationMetadataInterval: element(integer).says('Seconds between downloads.'),
    validationEndpoint: element(string),
  }),
);
export type OAuth2Configuration = Value<typeof oauth2ConfigurationDocument>;
