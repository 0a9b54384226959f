import type { OAuth2Configuration } from '../../src/spi/index.ts';

/** Defect in one element of a configuration. */
export interface ConfigurationProblem {
  readonly element: string;
  readonly explanation: string;
}

/** Settings of security.ini for all tokens, wherever the rest of the configuration comes from. */
export interface Policy {
  /** Milliseconds that clocks may differ. */
  readonly clockSkew: number;
  /** Allowed types in the header of a token, in lower case. */
  readonly tokenTypes: readonly string[];
  /** Issuers whose tokens count. Undefined: the one that discovery names, or any. */
  readonly issuers: readonly string[] | undefined;
  /** Whether certificates are used despite their dates and their key usage. */
  readonly insecureCertificates: boolean;
  /** Whether a token without expiry is accepted. */
  readonly allowNoExpiry: boolean;
  /** Whether http:// may lead to other hosts. */
  readonly allowPlainText: boolean;
}

export const defaultPolicy: Policy = {
  clockSkew: 60_000,
  tokenTypes: ['jwt', 'at+jwt'],
  issuers: undefined,
  insecureCertificates: false,
  allowNoExpiry: false,
  allowPlainText: false,
};

/** The one way in which tokens are validated. `claim` is the one that names the user. */
export type TokenMode =
  | { readonly kind: 'static'; readonly claim: string; readonly audience: string }
  | {
      readonly kind: 'federation';
      readonly claim: string;
      readonly audience: string;
      readonly url: string;
      /** Milliseconds between downloads. */
      readonly interval: number;
    }
  | { readonly kind: 'endpoint'; readonly claim: string; readonly audience: string | undefined; readonly url: string };

interface CheckedConfiguration {
  /** Undefined if there are problems. */
  readonly mode: TokenMode | undefined;
  readonly problems: readonly ConfigurationProblem[];
}

type Element = keyof OAuth2Configuration;

/** Elements that belong to a single mode. The audience and the claim belong to all modes. */
const elementsOf: Readonly<Record<TokenMode['kind'], readonly Element[]>> = {
  static: ['x509Certificate', 'publicKey'],
  federation: ['federationMetadataURI', 'federationMetadataInterval'],
  endpoint: ['validationEndpoint'],
};
const neededBy: Readonly<Record<TokenMode['kind'], readonly Element[]>> = {
  static: ['expectedAudience'],
  federation: ['expectedAudience', 'federationMetadataURI'],
  endpoint: [],
};
const kinds = Object.keys(elementsOf) as TokenMode['kind'][];

const defaultClaim = 'unique_name';
/** Interval of downloads in seconds. */
const defaultInterval = 86_400;
const maxInterval = 31_536_000;
const maxTextLength = 2_048;

/** Mode of a configuration, and its problems apart from its keys. */
export function readMode(
  configuration: OAuth2Configuration,
  { allowPlainText }: Pick<Policy, 'allowPlainText'>,
): CheckedConfiguration {
  const problems = [
    ...oneWay(configuration),
    ...lengths(configuration),
    ...missing(configuration),
    ...interval(configuration),
    ...addresses(configuration, allowPlainText),
  ];
  const [kind] = waysIn(configuration);
  const mode = kind === undefined || problems.length > 0 ? undefined : makers[kind](configuration);
  return { mode, problems };
}

/** Only of what nothing is wrong with. */
const makers: Readonly<Record<TokenMode['kind'], (given: OAuth2Configuration) => TokenMode>> = {
  static: ({ tokenUser: claim = defaultClaim, expectedAudience: audience }) => ({
    kind: 'static',
    claim,
    audience: audience!,
  }),
  federation: ({ tokenUser: claim = defaultClaim, expectedAudience: audience, ...rest }) => ({
    kind: 'federation',
    claim,
    audience: audience!,
    url: rest.federationMetadataURI!,
    interval: (rest.federationMetadataInterval ?? defaultInterval) * 1000,
  }),
  endpoint: ({ tokenUser: claim = defaultClaim, expectedAudience: audience, validationEndpoint: url }) => ({
    kind: 'endpoint',
    claim,
    audience,
    url: url!,
  }),
};

function oneWay(configuration: OAuth2Configuration): ConfigurationProblem[] {
  const ways = waysIn(configuration);
  if (ways.length === 1) return [];
  const expected = 'Expected x509Certificate or publicKey, federationMetadataURI, or validationEndpoint';
  if (ways.length === 0) return [{ element: 'x509Certificate', explanation: `${expected}: none of them` }];
  const mixed = ways.flatMap((way) => elementsOf[way].filter((element) => has(configuration, element)));
  return [
    { element: mixed[0]!, explanation: `Expected the elements of one way to validate tokens: ${mixed.join(', ')}` },
  ];
}

function lengths(configuration: OAuth2Configuration): ConfigurationProblem[] {
  const texts = ['expectedAudience', 'tokenUser', 'federationMetadataURI', 'validationEndpoint'] as const;
  return texts.flatMap((element) => {
    const text = configuration[element];
    if (text === undefined) return [];
    if (text.trim() === '') return [{ element, explanation: `Expected a text in ${element}: it is empty` }];
    const explanation = `Expected at most ${maxTextLength} characters in ${element}: ${text.length}`;
    return text.length > maxTextLength ? [{ element, explanation }] : [];
  });
}

function missing(configuration: OAuth2Configuration): ConfigurationProblem[] {
  const [way] = waysIn(configuration);
  if (way === undefined) return [];
  const present = elementsOf[way].find((element) => has(configuration, element));
  return neededBy[way]
    .filter((element) => configuration[element] === undefined)
    .map((element) => ({ element, explanation: `Expected ${element} beside ${present}: it is missing` }));
}

function interval({
  federationMetadataInterval: seconds = defaultInterval,
}: OAuth2Configuration): ConfigurationProblem[] {
  if (Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= maxInterval) return [];
  const element = 'federationMetadataInterval';
  return [{ element, explanation: `Expected 1 to ${maxInterval} seconds in ${element}: ${seconds}` }];
}

function addresses(configuration: OAuth2Configuration, allowPlainText: boolean): ConfigurationProblem[] {
  return (['federationMetadataURI', 'validationEndpoint'] as const).flatMap((element) => {
    const problem = configuration[element] && urlProblem(configuration[element], allowPlainText);
    return problem ? [{ element, explanation: `${problem} (${element})` }] : [];
  });
}

/** Modes with an element in the configuration. */
export const waysIn = (configuration: OAuth2Configuration): readonly TokenMode['kind'][] =>
  kinds.filter((kind) => elementsOf[kind].some((element) => has(configuration, element)));

function has(configuration: OAuth2Configuration, element: Element): boolean {
  const value = configuration[element];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** Defect in an address that tokens or keys pass, as a sentence without the address. */
export function urlProblem(text: string, allowPlainText: boolean): string | undefined {
  if (!URL.canParse(text)) return 'Expected an address that begins with https://';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'Expected an address without a name and password';
  if (protocol === 'https:') return undefined;
  const plain = protocol === 'http:' && (allowPlainText || isLocal(hostname));
  return plain ? undefined : `Expected an address that begins with https://: "${protocol}"`;
}
