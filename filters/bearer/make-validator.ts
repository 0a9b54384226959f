import type { Host, OAuth2Configuration } from '../../src/spi/index.ts';
import { type Policy, readMode, type TokenMode } from './configuration.ts';
import { endpointValidator, type IntrospectionClient } from './endpoint.ts';
import { downloadedKeys, fixedKeys, type KeySource } from './key-source.ts';
import { readKeys } from './key-texts.ts';
import { fetchKeys } from './metadata.ts';
import { signedTokens } from './signed-tokens.ts';
import type { Validator } from './validator.ts';

export interface Surroundings {
  readonly host: Host;
  readonly policy: Policy;
  /** Aborted when the validator is replaced: ends downloads that no request waits for. */
  readonly signal: AbortSignal;
}

/** Origin of a configuration. */
interface Origin {
  /** In every key of what is remembered. */
  readonly scope: string;
  /** The operator wrote its addresses. */
  readonly trusted: boolean;
  readonly client?: IntrospectionClient | undefined;
}

/** Claims that another person may have one day, who would then be this user. */
const handedOn = new Set(['email', 'name', 'nickname', 'given_name', 'family_name', 'phone_number']);

type Of<K extends TokenMode['kind']> = Extract<TokenMode, { kind: K }>;

/**
 * Creates a validator. Unusable parts of a stored configuration are logged and left out: a single key, or everything.
 */
export async function makeValidator(
  configuration: OAuth2Configuration,
  { scope, trusted, client }: Origin,
  { host, policy, signal }: Surroundings,
): Promise<Validator> {
  const { mode, problems } = readMode(configuration, policy);
  for (const { element, explanation } of problems) host.log('error', 'oauth2-broken', { element, explanation });
  if (!mode) return { validate: () => ({ refusal: 'configuration-broken' }) };
  if (handedOn.has(mode.claim)) host.log('warn', 'token-user-may-change', { claim: mode.claim });

  const signed = ({ audience, claim }: Of<'static' | 'federation'>, source: KeySource): Validator =>
    signedTokens({ source, audience, claim, policy, scope, host });
  if (mode.kind === 'static') return signed(mode, fixedKeys(await keysOf(configuration, host)));
  if (mode.kind === 'endpoint') return endpointValidator({ ...mode, trusted, client, policy, scope, host });
  const { allowPlainText } = policy;
  const { url, interval } = mode;
  const download = () => fetchKeys({ host, url, trusted, allowPlainText, signal });
  return signed(mode, downloadedKeys({ host, interval, fetchKeys: download }));
}

async function keysOf(configuration: OAuth2Configuration, host: Host) {
  const read = [
    await readKeys('x509Certificate', configuration.x509Certificate ?? []),
    await readKeys('publicKey', configuration.publicKey ?? []),
  ];
  for (const { element, explanation } of read.flatMap(({ problems }) => problems)) {
    host.log('error', 'oauth2-key-left-out', { element, explanation });
  }
  return read.flatMap(({ keys }) => keys);
}
