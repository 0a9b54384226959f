import type { OAuth2Configuration } from '../../src/spi/index.ts';
import type { Problem } from './key-texts.ts';

/** What security.ini says about all tokens, wherever the rest of the configuration comes from. */
export interface Policy {
  /** Milliseconds that clocks may differ. */
  readonly clockSkew: number;
  /** What the header of a token may say it is, in lower case. */
  readonly tokenTypes: readonly string[];
  /** Whether certificates count whatever their dates and their key usage say. */
  readonly insecureCertificates: boolean;
  /** Whether http:// may lead to other machines. */
  readonly allowPlainText: boolean;
}

export const defaultPolicy: Policy = {
  clockSkew: 60_000,
  tokenTypes: ['jwt', 'at+jwt'],
  insecureCertificates: false,
  allowPlainText: false,
};

interface Claims {
  /** The claim that names the user. */
  readonly claim: string;
}

/** The one way in which tokens are validated. */
export type Mode = Claims &
  (
    | { readonly kind: 'static'; readonly audience: string }
    | { readonly kind: 'federation'; readonly audience: string; readonly url: string; readonly interval: number }
    | { readonly kind: 'endpoint'; readonly audience: string | undefined; readonly url: string }
  );

export interface Read {
  /** Missing where anything is wrong. */
  readonly mode: Mode | undefined;
  readonly problems: readonly Problem[];
}

type Element = keyof OAuth2Configuration;

/** What belongs to one way only. The audience and the claim belong to all of them. */
const elementsOf: Readonly<Record<Mode['kind'], readonly Element[]>> = {
  static: ['x509Certificate', 'publicKey'],
  federation: ['federationMetadataURI', 'federationMetadataInterval'],
  endpoint: ['validationEndpoint'],
};
const kinds = Object.keys(elementsOf) as Mode['kind'][];

const usualClaim = 'unique_name';
/** Seconds. */
const usualInterval = 86_400;
const longestInterval = 31_536_000;
const longestText = 2_048;

/** Which way a configuration means, and what is wrong with it apart from its keys. */
export function readMode(given: OAuth2Configuration, { allowPlainText }: Pick<Policy, 'allowPlainText'>): Read {
  const { expectedAudience, federationMetadataURI, validationEndpoint } = given;
  const { federationMetadataInterval = usualInterval, tokenUser: claim = usualClaim } = given;
  const problems: Problem[] = [];
  const wrong = (element: string, explanation: string) => problems.push({ element, explanation });

  const found = waysIn(given);
  const kind = found[0];
  if (kind === undefined) {
    wrong(
      'OAuth2ConfigurationDocument',
      'Expected x509Certificate or publicKey, federationMetadataURI, or validationEndpoint: none of them',
    );
  }
  if (found.length > 1) {
    const mixed = found.flatMap((each) => elementsOf[each].filter((element) => has(given, element)));
    for (const element of mixed)
      wrong(element, `Expected the elements of one way to validate tokens: ${mixed.join(', ')}`);
  }
  for (const element of ['expectedAudience', 'tokenUser', 'federationMetadataURI', 'validationEndpoint'] as const) {
    const text = given[element];
    if (text?.trim() === '') wrong(element, `Expected a text in ${element}: it is empty`);
    else if (text !== undefined && text.length > longestText) {
      wrong(element, `Expected at most ${longestText} characters in ${element}: ${text.length}`);
    }
  }
  if (expectedAudience === undefined && (kind === 'static' || kind === 'federation')) {
    wrong('expectedAudience', `Expected expectedAudience beside ${firstOf(kind)}: it is missing`);
  }
  if (kind === 'federation' && federationMetadataURI === undefined) {
    wrong('federationMetadataURI', 'Expected federationMetadataURI beside federationMetadataInterval: it is missing');
  }
  const interval = federationMetadataInterval;
  if (!Number.isSafeInteger(interval) || interval < 1 || interval > longestInterval) {
    wrong(
      'federationMetadataInterval',
      `Expected 1 to ${longestInterval} seconds in federationMetadataInterval: ${interval}`,
    );
  }
  for (const element of ['federationMetadataURI', 'validationEndpoint'] as const) {
    const problem = given[element] && urlProblem(given[element], allowPlainText);
    if (problem) wrong(element, `${problem} (${element})`);
  }
  if (kind === undefined || problems.length > 0) return { mode: undefined, problems };
  const modes: Readonly<Record<Mode['kind'], () => Mode>> = {
    static: () => ({ kind: 'static', claim, audience: expectedAudience! }),
    federation: () => ({
      kind: 'federation',
      claim,
      audience: expectedAudience!,
      url: federationMetadataURI!,
      interval: interval * 1000,
    }),
    endpoint: () => ({ kind: 'endpoint', claim, audience: expectedAudience, url: validationEndpoint! }),
  };
  return { mode: modes[kind](), problems };
}

/** Those of which it has an element. */
export const waysIn = (given: OAuth2Configuration): readonly Mode['kind'][] =>
  kinds.filter((kind) => elementsOf[kind].some((element) => has(given, element)));

const firstOf = (kind: Mode['kind']): string => elementsOf[kind][0]!;

function has(given: OAuth2Configuration, element: Element): boolean {
  const value = given[element];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** What is wrong with an address that tokens or keys go through, as a sentence that does not quote it. */
export function urlProblem(text: string, allowPlainText: boolean): string | undefined {
  if (!URL.canParse(text)) return 'Expected an address that begins with https://';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'Expected an address without a name and password';
  if (protocol === 'https:') return undefined;
  const plain = protocol === 'http:' && (allowPlainText || isLocal(hostname));
  return plain ? undefined : `Expected an address that begins with https://: "${protocol}"`;
}
