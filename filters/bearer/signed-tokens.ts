import { after } from '../../src/kit/index.ts';
import type { Host } from '../../src/spi/index.ts';
import { invalidity } from './certificate.ts';
import type { Policy } from './configuration.ts';
import type { KeySet, KeySource } from './key-source.ts';
import { readHeader, type Signed, verifySignature } from './signature.ts';
import {
  type Claims,
  judge,
  maxRemembered,
  type RefusalId,
  Remembered,
  readClaims,
  type TokenOutcome,
  type Validator,
} from './validator.ts';
import type { VerificationKey } from './verification-key.ts';

interface SignedTokens {
  readonly source: KeySource;
  readonly audience: string;
  readonly claim: string;
  readonly policy: Policy;
  /** Digest of the configuration that the keys belong to. */
  readonly scope: string;
  readonly host: Host;
}

/** Milliseconds for caching a token without expiry. */
const maxRememberedLength = 3_600_000;

interface Verified {
  readonly claims: Claims;
  readonly key: VerificationKey;
  readonly set: KeySet;
}

/** Tokens that are verified here, by keys that are configured or downloaded. A verified one is remembered until it expires. */
export function signedTokens({ source, audience, claim, policy, scope, host }: SignedTokens): Validator {
  const { clockSkew, insecureCertificates, allowNoExpiry, tokenTypes, issuers } = policy;
  const remembered = new Remembered<Verified>(maxRemembered);
  const rules = { audience, clockSkew, needs: { expiry: !allowNoExpiry, subject: true, issuer: true } };
  const warned = new WeakSet<VerificationKey>();

  /** The date may have passed since the key was configured, or since the token was verified. */
  function isValid(key: VerificationKey): boolean {
    const { name, validity } = key;
    const problem = validity && !insecureCertificates ? invalidity(validity, host.now()) : undefined;
    if (problem === undefined) return true;
    if (!warned.has(key)) host.log('warn', 'certificate-not-valid', { key: name, problem });
    warned.add(key);
    return false;
  }

  function outcome(claims: Claims, { issuer }: KeySet): TokenOutcome {
    const learnt = issuer === undefined ? undefined : [issuer];
    const refusal = judge(claims, { ...rules, issuers: issuers ?? learnt }, host.now());
    return refusal ? { refusal } : { claims };
  }

  async function signedBy(token: string, set: KeySet): Promise<Signed | RefusalId> {
    const header = readHeader(token, tokenTypes);
    if (typeof header === 'string') return header;
    if (set.keys.length === 0) return 'keys-unavailable';
    const valid = set.keys.filter(isValid);
    const verified = await verifySignature(token, header, valid);
    if (verified !== 'signature-wrong' || valid.length === set.keys.length) return verified;
    // Only for the operator's log: such a key never authenticates.
    const late = await verifySignature(token, header, set.keys);
    return typeof late === 'string' ? verified : 'certificate-not-valid';
  }

  async function verify(id: string, token: string, set: KeySet, last = false): Promise<TokenOutcome> {
    const signed = await signedBy(token, set);
    if (typeof signed === 'string') {
      const others = signed === 'signature-wrong' && !last ? await source.othersThan(set) : undefined;
      return others ? verify(id, token, others, true) : { refusal: signed };
    }
    const claims = readClaims(signed.payload, claim);
    if (!claims) return { refusal: 'claims-malformed' };
    const result = outcome(claims, set);
    const ends = claims.expires ?? host.now() + maxRememberedLength;
    if ('claims' in result) remembered.set(id, { claims, key: signed.key, set }, ends + clockSkew);
    return result;
  }

  return {
    validate: (token) =>
      after(source.keys(), (set) => {
        const id = host.digest(`${scope}\n${token}`);
        const entry = remembered.get(id, host.now());
        return entry?.set === set && isValid(entry.key) ? outcome(entry.claims, set) : verify(id, token, set);
      }),
  };
}
