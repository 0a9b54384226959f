import { type Pair, pair } from '../../support/keys.ts';

/** Answers of providers in the shapes that their public documentation shows, with names and ids of our own. */

type Json = Readonly<Record<string, unknown>>;

export interface Recorded {
  /** Address of the discovery document. */
  readonly at: string;
  readonly discovery: Json;
  /** Members that the provider adds to its signing key. */
  readonly key: Json;
  /** Further keys of its set, for other purposes. */
  readonly otherKeys?: readonly Json[];
  /** Claims of an ID token, but for times and nonce. */
  readonly claims: Json;
  readonly userInfo: Json;
  /** Parameters beside `code` and `state` of the way back. */
  readonly back: Readonly<Record<string, string>>;
}

export const clientId = '6731de76-14a6-49ae-97bc-6eba6914391e';
export const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
export const otherTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';
export const signingKey: Pair = pair('RSA');

const realm = 'https://id.example.com/realms/media';
const keycloakAt = (name: string) => `${realm}/protocol/openid-connect/${name}`;

export const keycloak: Recorded = {
  at: `${realm}/.well-known/openid-configuration`,
  discovery: {
    issuer: realm,
    authorization_endpoint: keycloakAt('auth'),
    token_endpoint: keycloakAt('token'),
    introspection_endpoint: keycloakAt('token/introspect'),
    userinfo_endpoint: keycloakAt('userinfo'),
    end_session_endpoint: keycloakAt('logout'),
    frontchannel_logout_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: keycloakAt('certs'),
    id_token_signing_alg_values_supported: ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'ES256', 'RS256', 'none'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'tls'],
    code_challenge_methods_supported: ['plain', 'S256'],
    authorization_response_iss_parameter_supported: true,
  },
  key: { kid: 'sig-1', use: 'sig', alg: 'RS256', x5c: ['MIIC'], x5t: 'a', 'x5t#S256': 'b' },
  otherKeys: [{ kid: 'enc-1', kty: 'RSA', use: 'enc', alg: 'RSA-OAEP', n: 'AQAB', e: 'AQAB' }],
  claims: {
    iss: realm,
    aud: clientId,
    azp: clientId,
    sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da',
    jti: 'd58f5dc8-fd8f-462b-8a19-716f8f83985b',
    typ: 'ID',
    session_state: '2a88c258-f73a-4103-b862-e1fbd8f4e04e',
    sid: '2a88c258-f73a-4103-b862-e1fbd8f4e04e',
    acr: '1',
    email_verified: true,
    name: 'Anna Ek',
    preferred_username: 'anna',
    given_name: 'Anna',
    family_name: 'Ek',
    email: 'anna@example.com',
    groups: ['/media-team', '/media-team/editors'],
    realm_access: { roles: ['offline_access', 'default-roles-media', 'archivist'] },
    resource_access: { 'portico.media': { roles: ['reviewer'] }, account: { roles: ['manage-account'] } },
  },
  userInfo: { sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da', preferred_username: 'anna', name: 'Anna Ek' },
  back: { iss: realm, session_state: '2a88c258-f73a-4103-b862-e1fbd8f4e04e' },
};

const microsoft = 'https://login.microsoftonline.com';
const entraDiscovery = (authority: string, issuer: string): Json => ({
  token_endpoint: `${microsoft}/${authority}/oauth2/v2.0/token`,
  token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
  jwks_uri: `${microsoft}/${authority}/discovery/v2.0/keys`,
  response_modes_supported: ['query', 'fragment', 'form_post'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
  response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
  scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
  issuer,
  request_uri_parameter_supported: false,
  userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
  authorization_endpoint: `${microsoft}/${authority}/oauth2/v2.0/authorize`,
  http_logout_supported: true,
  frontchannel_logout_supported: true,
  end_session_endpoint: `${microsoft}/${authority}/oauth2/v2.0/logout`,
  tenant_region_scope: null,
  cloud_instance_name: 'microsoftonline.com',
});

/** Entra ID, for the people of one tenant. */
export const entra: Recorded = {
  at: `${microsoft}/${tenant}/v2.0/.well-known/openid-configuration`,
  discovery: entraDiscovery(tenant, `${microsoft}/${tenant}/v2.0`),
  // Keys of Entra ID name no algorithm.
  key: {
    kid: 'sig-2',
    use: 'sig',
    x5t: 'sig-2',
    x5c: ['MIIC'],
    cloud_instance_name: 'microsoftonline.com',
    issuer: `${microsoft}/${tenant}/v2.0`,
  },
  claims: {
    ver: '2.0',
    iss: `${microsoft}/${tenant}/v2.0`,
    sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
    aud: clientId,
    name: 'Anna Ek',
    preferred_username: 'anna@contoso.example',
    oid: '00000000-0000-0000-66f3-3332eca7ea81',
    tid: tenant,
    aio: 'Df2UVXL1ix',
    uti: 'fqiBqXLPj0eQa82S-IYFAA',
    rh: '0.AAAA',
    groups: ['07dd8a60-bf6d-4e17-8844-230b77145381', 'b0e7ed4e-0b6e-4c7c-8a4f-0e3d8f3f6a11'],
    roles: ['Media.Editor'],
  },
  userInfo: {
    sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
    name: 'Anna Ek',
    family_name: 'Ek',
    given_name: 'Anna',
    picture: 'https://graph.microsoft.com/v1.0/me/photo/$value',
    email: 'anna@contoso.example',
  },
  back: { session_state: '2a88c258-f73a-4103-b862-e1fbd8f4e04e' },
};

/** Entra ID, for the people of each tenant. */
export const entraForAll: Recorded = {
  ...entra,
  at: `${microsoft}/organizations/v2.0/.well-known/openid-configuration`,
  discovery: entraDiscovery('organizations', `${microsoft}/{tenantid}/v2.0`),
  key: { ...entra.key, issuer: `${microsoft}/{tenantid}/v2.0` },
};

const google = 'https://accounts.google.com';

export const googleRecorded: Recorded = {
  at: `${google}/.well-known/openid-configuration`,
  discovery: {
    issuer: google,
    authorization_endpoint: `${google}/o/oauth2/v2/auth`,
    device_authorization_endpoint: 'https://oauth2.googleapis.com/device/code',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  },
  key: { kid: 'sig-3', use: 'sig', alg: 'RS256' },
  claims: {
    iss: google,
    azp: clientId,
    aud: clientId,
    sub: '110169484474386276334',
    hd: 'example.com',
    email: 'anna@example.com',
    email_verified: true,
    name: 'Anna Ek',
    picture: 'https://lh3.googleusercontent.com/a/x',
    given_name: 'Anna',
    family_name: 'Ek',
  },
  userInfo: {
    sub: '110169484474386276334',
    name: 'Anna Ek',
    given_name: 'Anna',
    family_name: 'Ek',
    email: 'anna@example.com',
    email_verified: true,
    hd: 'example.com',
  },
  back: { scope: 'email profile openid', authuser: '0', hd: 'example.com', prompt: 'none' },
};
