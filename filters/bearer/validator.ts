import type { Maybe } from '../../src/kit/index.ts';
import { type JsonObject, ownProperty } from './json.ts';

/** Claims of a token, or of an answer about it, that decide about its validity. Times are in milliseconds. */
export interface Claims {
  readonly user: string | undefined;
  readonly hasSubject: boolean;
  readonly audiences: readonly string[];
  readonly issuer: string | undefined;
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
  readonly issued: number | undefined;
}

interface ClaimRules {
  readonly audience: string | undefined;
  /** Issuers whose tokens count. Undefined: that of any issuer. */
  readonly issuers: readonly string[] | undefined;
  readonly clockSkew: number;
  /** Claims that the token itself must have. An endpoint knows them by itself. */
  readonly needs: { readonly expiry: boolean; readonly subject: boolean; readonly issuer: boolean };
}

/** Undefined for a time that is no number: one reader leaves it out, another takes it for the past. */
export function readClaims(json: JsonObject, claim: string): Claims | undefined {
  const [expires, notBefore, issued] = ['exp', 'nbf', 'iat'].map((name) => timeOf(ownProperty(json, name)));
  if ([expires, notBefore, issued].some(Number.isNaN)) return undefined;
  const [audience, subject, issuer] = ['aud', 'sub', 'iss'].map((name) => ownProperty(json, name));
  return {
    user: userOf(ownProperty(json, claim)),
    hasSubject: typeof subject === 'string' && subject !== '',
    audiences: (Array.isArray(audience) ? audience : [audience]).filter((each) => typeof each === 'string'),
    // A value that is no text is the name of no issuer, and not a missing one.
    issuer: issuer === undefined ? undefined : typeof issuer === 'string' ? issuer : '',
    expires,
    notBefore,
    issued,
  };
}

/** Applied to every token, cached ones included. */
export function judge(
  claims: Claims,
  { audience, issuers, clockSkew, needs }: ClaimRules,
  now: number,
): RefusalId | undefined {
  const { expires, notBefore = now, issued = now } = claims;
  if (needs.expiry && expires === undefined) return 'expiry-missing';
  if (expires !== undefined && now >= expires + clockSkew) return 'token-expired';
  if (notBefore > now + clockSkew || issued > now + clockSkew) return 'token-not-yet-valid';
  if (needs.subject && !claims.hasSubject) return 'subject-missing';
  if (audience !== undefined && !claims.audiences.includes(audience)) return 'audience-wrong';
  const names = claims.issuer !== undefined || needs.issuer;
  if (issuers && names && !issuers.includes(claims.issuer ?? '')) return 'issuer-wrong';
  return undefined;
}

function timeOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = typeof value === 'number' ? value * 1000 : Number.NaN;
  return Number.isFinite(milliseconds) ? milliseconds : Number.NaN;
}

/** User name in a claim. A list of several names is invalid. */
function userOf(value: unknown): string | undefined {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' && only !== '' ? only : undefined;
}

/**
 * Why a token is refused: a stable word for log and metrics, and fixed words for the caller. `asksRealms`: a realm may
 * know the token. Otherwise it was signed for this service, or an endpoint vouched for it, and no realm is asked.
 * `isUndecided`: what knows the token does not answer.
 */
export const refusals = {
  'token-too-long': { asksRealms: false, says: 'The token is too long' },
  'token-malformed': { asksRealms: true, says: 'The token is malformed' },
  'token-type-wrong': { asksRealms: true, says: 'The token is of another type' },
  'algorithm-refused': { asksRealms: true, says: 'The algorithm of the token is not accepted' },
  'extension-refused': { asksRealms: true, says: 'The token needs an extension that is not known here' },
  'signature-wrong': { asksRealms: true, says: 'The signature of the token is not valid' },
  'certificate-not-valid': { asksRealms: true, says: 'The certificate of the token is not valid now' },
  'keys-unavailable': { asksRealms: true, isUndecided: true, says: 'The token cannot be verified now' },
  'claims-malformed': { asksRealms: false, says: 'The claims of the token are malformed' },
  'expiry-missing': { asksRealms: false, says: 'The token has no expiry' },
  'token-expired': { asksRealms: false, says: 'The token has expired' },
  'token-not-yet-valid': { asksRealms: false, says: 'The token is not valid yet' },
  'subject-missing': { asksRealms: false, says: 'The token has no subject' },
  'audience-wrong': { asksRealms: false, says: 'The token is for another audience' },
  'issuer-wrong': { asksRealms: false, says: 'The token is from another issuer' },
  'user-claim-wrong': { asksRealms: false, says: 'The token names no user' },
  'user-unknown': { asksRealms: false, says: 'The user was not found' },
  'user-disabled': { asksRealms: false, says: 'The user may not log in' },
  'token-inactive': { asksRealms: true, says: 'The token is not active' },
  'endpoint-failed': { asksRealms: true, isUndecided: true, says: 'The token cannot be validated now' },
  'endpoint-busy': { asksRealms: true, isUndecided: true, says: 'The token cannot be validated now' },
  'configuration-broken': { asksRealms: true, says: 'Tokens cannot be validated' },
} as const satisfies Record<
  string,
  { readonly asksRealms: boolean; readonly isUndecided?: boolean; readonly says: string }
>;

export type RefusalId = keyof typeof refusals;

export type TokenOutcome = { readonly claims: Claims } | { readonly refusal: RefusalId };

/** Method to validate tokens under one configuration. Its caches end with that configuration. */
export interface Validator {
  validate(token: string): Maybe<TokenOutcome>;
}

export const maxRemembered = 10_000;

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Cache with an expiry for each entry. The oldest entry is evicted if it is full. */
export class Remembered<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, until: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until });
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
