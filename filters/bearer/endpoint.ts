import type { Maybe } from '../../src/kit/index.ts';
import type { Host } from '../../src/spi/index.ts';
import type { Policy } from './configuration.ts';
import { type JsonObject, ownProperty, readObject } from './json.ts';
import { readPart } from './signature.ts';
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

/** With these, the endpoint is asked as one of RFC 7662; without, as the userinfo endpoint of OpenID Connect. */
export interface IntrospectionClient {
  readonly id: string;
  readonly secret: { reveal(): string };
}

interface Endpoint {
  readonly url: string;
  readonly trusted: boolean;
  readonly client: IntrospectionClient | undefined;
  readonly audience: string | undefined;
  readonly claim: string;
  readonly policy: Policy;
  /** Digest of the configuration that the endpoint belongs to. */
  readonly scope: string;
  readonly host: Host;
}

/** Below the limit of a filter, which would end the request first: nothing would remember that the endpoint hangs. */
const timeout = 8_000;
const mostBytes = 65_536;
const maxFlights = 256;

/** Cache times in milliseconds: of valid tokens, of refused ones, and of failed requests. */
const remembering = { good: 600_000, refused: 5_000, failed: 1_000 } as const;

/**
 * Opaque tokens, validated by an endpoint. A good answer is cached for ten minutes, and never beyond the token's
 * expiry.
 */
export function endpointValidator(endpoint: Endpoint): Validator {
  const { url, audience, claim, policy, scope, host } = endpoint;
  const { clockSkew, issuers } = policy;
  const rules = { audience, issuers, clockSkew, needs: { expiry: false, subject: false, issuer: false } };
  const good = new Remembered<Claims>(maxRemembered);
  // Apart from the good ones, so that a flood of made-up tokens drives none of those out.
  const bad = new Remembered<RefusalId>(maxRemembered);
  const flights = new Map<string, Promise<TokenOutcome>>();

  function outcome(claims: Claims): TokenOutcome {
    const refusal = judge(claims, rules, host.now());
    return refusal ? { refusal } : { claims };
  }

  async function ask(id: string, token: string, ends: number): Promise<TokenOutcome> {
    const askedAt = host.now();
    const answer = await answerAbout(endpoint, token);
    const claims = typeof answer === 'string' ? undefined : readClaims(answer, claim);
    if (!claims) {
      const refusal = typeof answer === 'string' ? answer : 'claims-malformed';
      bad.set(id, refusal, host.now() + (refusal === 'endpoint-failed' ? remembering.failed : remembering.refused));
      return { refusal };
    }
    const expires = Math.min(ends, claims.expires ?? Number.POSITIVE_INFINITY);
    const bounded = Number.isFinite(expires) ? { ...claims, expires } : claims;
    const until = Math.min(askedAt + remembering.good, expires);
    if (until > askedAt) good.set(id, bounded, until);
    return outcome(bounded);
  }

  return {
    validate(token): Maybe<TokenOutcome> {
      const now = host.now();
      const id = host.digest(`${scope}\n${url}\n${token}`);
      const claims = good.get(id, now);
      if (claims) return outcome(claims);
      const refusal = bad.get(id, now);
      if (refusal) return { refusal };
      const ends = endOf(token);
      if (now >= ends + clockSkew) return { refusal: 'token-expired' };
      const flight = flights.get(id);
      if (flight) return flight;
      if (!host.sharesWork) return ask(id, token, ends);
      if (flights.size >= maxFlights) return { refusal: 'endpoint-busy' };
      const asking = ask(id, token, ends).finally(() => flights.delete(id));
      flights.set(id, asking);
      return asking;
    },
  };
}

/** Unverified expiry of a token. It can only shorten the cache time. */
function endOf(token: string): number {
  const [, payload, signature] = token.split('.');
  const expires = signature === undefined ? undefined : ownProperty(readPart(payload!) ?? {}, 'exp');
  return typeof expires === 'number' ? expires * 1000 : Number.POSITIVE_INFINITY;
}

/** Answer of the endpoint about a token. An unclear answer refuses the token. */
async function answerAbout(endpoint: Endpoint, token: string): Promise<JsonObject | RefusalId> {
  const { url, trusted, client, host } = endpoint;
  const failed = (problem: string): RefusalId => {
    host.log('warn', 'endpoint-failed', { problem });
    return 'endpoint-failed';
  };
  try {
    const call = { url, trusted, timeout, mostBytes };
    const request = client ? introspection(client, token) : userinfo(token);
    const { status, text } = await host.call({ ...call, ...request });
    // With client credentials such a status refuses the client instead of the token.
    if (!client && refusing.has(status)) return 'token-inactive';
    const answer = status === 200 ? readObject(text) : undefined;
    if (!answer) return failed(`Expected status 200 with a JSON object from "${new URL(url).hostname}": ${status}`);
    const active = ownProperty(answer, 'active');
    if (active === undefined && client) return failed('Expected an answer that says whether the token is active: none');
    return active === undefined || active === true ? answer : 'token-inactive';
  } catch (error) {
    return failed((error as Error).message);
  }
}

/** Statuses of a userinfo endpoint for an invalid token (RFC 6750). */
const refusing = new Set([400, 401, 403]);

const userinfo = (token: string) =>
  ({ method: 'GET', headers: { authorization: `Bearer ${token}`, accept: 'application/json' } }) as const;

function introspection({ id, secret }: IntrospectionClient, token: string) {
  const form = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${form(id)}:${form(secret.reveal())}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
  } as const;
}
