import { type JsonObject, ownProperty } from './json.ts';
import type { RefusalId } from './refusals.ts';

/** Claims of a token, or of an answer about it, that decide about its validity. Times are in milliseconds. */
export interface Claims {
  readonly user: string | undefined;
  readonly hasSubject: boolean;
  readonly audiences: readonly string[];
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
  readonly issued: number | undefined;
}

interface ClaimRules {
  readonly audience: string | undefined;
  readonly clockSkew: number;
  /** Claims that the token itself must have. An endpoint knows both by itself. */
  readonly needs: { readonly expiry: boolean; readonly subject: boolean };
}

/** Undefined for a time that is no number: one reader leaves it out, another takes it for the past. */
export function readClaims(json: JsonObject, claim: string): Claims | undefined {
  const [expires, notBefore, issued] = ['exp', 'nbf', 'iat'].map((name) => timeOf(ownProperty(json, name)));
  if ([expires, notBefore, issued].some(Number.isNaN)) return undefined;
  const [audience, subject] = [ownProperty(json, 'aud'), ownProperty(json, 'sub')];
  return {
    user: userOf(ownProperty(json, claim)),
    hasSubject: typeof subject === 'string' && subject !== '',
    audiences: (Array.isArray(audience) ? audience : [audience]).filter((each) => typeof each === 'string'),
    expires,
    notBefore,
    issued,
  };
}

/** Applied to every token, cached ones included. */
export function judge(claims: Claims, { audience, clockSkew, needs }: ClaimRules, now: number): RefusalId | undefined {
  const { expires, notBefore = now, issued = now } = claims;
  if (needs.expiry && expires === undefined) return 'expiry-missing';
  if (expires !== undefined && now >= expires + clockSkew) return 'token-expired';
  if (notBefore > now + clockSkew || issued > now + clockSkew) return 'token-not-yet-valid';
  if (needs.subject && !claims.hasSubject) return 'subject-missing';
  if (audience !== undefined && !claims.audiences.includes(audience)) return 'audience-wrong';
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
