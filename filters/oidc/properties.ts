import type { PropertyTable, SecretText } from '../../src/spi/index.ts';

/** Value of a property of type map. */
type Mapping = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

export const pairsOf = (mapping: Mapping = {}): readonly (readonly [string, string])[] =>
  mapping instanceof Map ? [...mapping] : Object.entries(mapping);

export interface OidcProperties {
  readonly title?: string;
  readonly icon?: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: SecretText;
  readonly scopes?: readonly string[];
  readonly parameters?: Mapping;
  readonly userClaim?: string;
  readonly realNameClaim?: string;
  readonly groupsClaim?: string;
  readonly requiredClaims?: Mapping;
  readonly userInfo?: 'asNeeded' | 'always' | 'never';
  readonly joinsUsers?: 'true' | 'false' | 'provisioned';
  readonly askAgain?: number;
  readonly loginFor?: number;
  readonly clockSkew?: number;
  readonly allowPlainText?: boolean;
}

const second = 1000;

/** Parameters of the request that the service itself sets. */
const ownParameters: ReadonlySet<string> = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);

export const defaults = {
  scopes: ['openid', 'profile', 'email'],
  userClaim: 'preferred_username',
  realNameClaim: 'name',
  groupsClaim: 'groups',
  askAgain: 300 * second,
  clockSkew: 60 * second,
} as const;

export const oidcProperties: PropertyTable = {
  title: { type: 'string', says: 'Name of the provider on the login page. Default: the name of the object.' },
  icon: { type: 'string', says: 'Name of an icon of the web page, such as key or people.' },
  issuer: {
    // Compared as a text: an address would get a slash at its end.
    type: 'string',
    required: true,
    says: 'Issuer of the provider, exactly as its discovery document names it.',
    check: (value: string) => (URL.canParse(value) ? undefined : 'Expected an address that begins with https://'),
  },
  clientId: { type: 'string', required: true, says: 'Client id of this service at the provider.' },
  clientSecret: { type: 'secret', says: 'Secret of that client. Without it the service is a public client with PKCE.' },
  scopes: {
    type: 'list',
    fallback: defaults.scopes,
    says: 'Scopes of the request. With offline_access many providers give a refresh token.',
    check: (value: readonly string[]) => (value.includes('openid') ? undefined : 'Expected openid among the scopes'),
  },
  parameters: {
    type: 'map',
    says: 'Further parameters of the request, such as access_type:offline.',
    check: (value: OidcProperties['parameters']) => {
      const own = pairsOf(value).find(([name]) => ownParameters.has(name));
      return own === undefined ? undefined : `Expected parameters that the service does not set itself: ${own[0]}`;
    },
  },
  userClaim: {
    type: 'string',
    fallback: defaults.userClaim,
    says: 'Claim with the name of the service user. email counts only with email_verified.',
  },
  realNameClaim: { type: 'string', fallback: defaults.realNameClaim, says: 'Claim with the real name.' },
  groupsClaim: {
    type: 'string',
    fallback: defaults.groupsClaim,
    says: 'Claim that lists groups and roles. Dots lead into objects: realm_access.roles.',
  },
  requiredClaims: {
    type: 'map',
    says: 'Claims without which nobody comes in, with their values: hd:example.com. Bars part several values of one: tid:a|b.',
  },
  userInfo: {
    type: { choice: ['asNeeded', 'always', 'never'] },
    fallback: 'asNeeded',
    says: 'Whether the userinfo endpoint is asked. asNeeded: where the ID token lacks the name or the groups.',
  },
  joinsUsers: {
    type: { choice: ['false', 'provisioned', 'true'] },
    fallback: 'false',
    says: 'Whether accounts enter users who exist already by the same name. provisioned: those whom a provider brought by SCIM. true: all, only for providers where nobody picks a name.',
  },
  askAgain: {
    type: 'duration',
    fallback: defaults.askAgain,
    says: 'Time within which the provider is asked again by the refresh token. A disabled account is out after this time.',
    check: (value: number) => (value >= 20 * second ? undefined : 'Expected at least 20s'),
  },
  loginFor: {
    type: 'duration',
    says: 'How long a session lasts without a refresh token. Default: until the ID token expires.',
  },
  clockSkew: {
    type: 'duration',
    fallback: defaults.clockSkew,
    says: 'Allowed difference between the clocks of the provider and this service.',
    check: (value: number) => (value <= 300 * second ? undefined : 'Expected at most 5m'),
  },
  allowPlainText: {
    type: 'boolean',
    fallback: false,
    says: 'Allows http:// to other machines for codes and tokens. Only for private networks.',
  },
};
