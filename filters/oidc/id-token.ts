import { base64url } from 'jose';
import { isJsonObject, type JsonObject, ownProperty, ownText } from '../bearer/json.ts';
import type { KeySource } from '../bearer/key-source.ts';
import { readHeader, verifySignature } from '../bearer/signature.ts';
import { judge, readClaims } from '../bearer/validator.ts';
import { issuersOf } from './issuer.ts';

interface Expected {
  /** Issuer of the discovery document. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clockSkew: number;
  readonly now: number;
}

/** Refusal of a login. Word, claim and name of the user get into the log, and no other value of the provider. */
export class Refused extends Error {
  readonly reason: string;
  readonly about: About;

  constructor(reason: string, about: About = {}) {
    super(`The login was refused: ${reason}`);
    this.reason = reason;
    this.about = about;
  }
}

/** Account that was refused, and the claim that is at fault. */
interface About {
  readonly user?: string | undefined;
  readonly claim?: string | undefined;
}

const maxLength = 65_536;

/** Claims of a signed token of the provider for this client. */
async function verified(
  token: string,
  types: readonly string[],
  keys: KeySource,
  { issuer, clientId, clockSkew, now }: Expected,
): Promise<{ readonly claims: JsonObject; readonly algorithm: string }> {
  if (token.length > maxLength) throw new Refused('token-too-long');
  const header = readHeader(token, types);
  if (typeof header === 'string') throw new Refused(header);
  const set = await keys.keys();
  let signed = await verifySignature(token, header, set.keys);
  if (signed === 'signature-wrong') {
    const others = await keys.othersThan(set);
    if (others) signed = await verifySignature(token, header, others.keys);
  }
  if (typeof signed === 'string') throw new Refused(set.keys.length === 0 ? 'keys-unavailable' : signed);
  const { payload, key } = signed;
  const claims = readClaims(payload, 'sub');
  const needs = { expiry: true, subject: false, issuer: true };
  const issuers = issuersOf(issuer, payload);
  const refusal = claims ? judge(claims, { audience: clientId, issuers, clockSkew, needs }, now) : 'claims-malformed';
  if (refusal) throw new Refused(refusal);
  // A key of one tenant among those for all must not sign for another one.
  if (key.issuer !== undefined && !issuersOf(key.issuer, payload).includes(claims!.issuer!))
    throw new Refused('key-of-another-issuer');
  const party = ownProperty(payload, 'azp');
  // A token for several parties says for which of them it was made.
  if (party === undefined ? claims!.audiences.length > 1 : party !== clientId) throw new Refused('party-wrong');
  return { claims: payload, algorithm: header.algorithm };
}

interface IdToken extends Expected {
  readonly keys: KeySource;
  /** Undefined: of a refresh, whose ID token needs none. */
  readonly nonce: string | undefined;
  readonly accessToken: string | undefined;
}

/** Claims of an ID token, once everything about it holds. */
export async function readIdToken(
  token: string,
  { keys, nonce, accessToken, ...expected }: IdToken,
): Promise<JsonObject> {
  const { claims, algorithm } = await verified(token, ['jwt'], keys, expected);
  const subject = ownProperty(claims, 'sub');
  if (typeof subject !== 'string' || subject === '' || subject.length > 255) throw new Refused('subject-missing');
  if (nonce !== undefined && ownProperty(claims, 'nonce') !== nonce) throw new Refused('nonce-wrong');
  const hash = ownProperty(claims, 'at_hash');
  if (hash !== undefined && accessToken !== undefined && hash !== (await halfHash(accessToken, algorithm)))
    throw new Refused('access-token-wrong');
  return claims;
}

/** Left half of the hash of the algorithm's size, as `at_hash` has it. */
async function halfHash(text: string, algorithm: string): Promise<string> {
  const size = /(256|384|512)$/.exec(algorithm)?.[1] ?? '512';
  const digest = new Uint8Array(await crypto.subtle.digest(`SHA-${size}`, new TextEncoder().encode(text)));
  return base64url.encode(digest.subarray(0, digest.length / 2));
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Milliseconds that a logout token counts, whatever it says itself. */
const logoutFor = 600_000;

/** Person and session of a logout token, once everything about it holds. */
export async function readLogoutToken(token: string, { keys, ...expected }: Expected & { readonly keys: KeySource }) {
  const { claims } = await verified(token, ['logout+jwt', 'jwt'], keys, expected);
  const events = ownProperty(claims, 'events');
  const event = isJsonObject(events) ? ownProperty(events, logoutEvent) : undefined;
  // An ID token has a nonce, and must not log anybody out.
  if (typeof event !== 'object' || event === null || ownProperty(claims, 'nonce') !== undefined)
    throw new Refused('no-logout-token');
  const issued = ownProperty(claims, 'iat');
  if (typeof issued !== 'number' || issued * 1000 < expected.now - logoutFor) throw new Refused('token-expired');
  const [subject, session] = [ownText(claims, 'sub'), ownText(claims, 'sid')];
  if (subject === undefined && session === undefined) throw new Refused('subject-missing');
  return { claims, subject, session };
}
