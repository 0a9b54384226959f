import { base64url } from 'jose';
import type { Component, Host, LoginOutcome, LoginReturn, RedirectLogin } from '../../src/spi/index.ts';
import { urlProblem } from '../bearer/configuration.ts';
import { type JsonObject, ownProperty, ownText, readObject } from '../bearer/json.ts';
import { accountOf, missingClaim, silenceAboutGroups, tellsAll, userNameIn } from './claims.ts';
import { Refused, readIdToken, readLogoutToken } from './id-token.ts';
import { issuersOf } from './issuer.ts';
import { defaults, type OidcProperties, oidcProperties, pairsOf } from './properties.ts';
import { createProvider, type Provider } from './provider.ts';

/** Secrets of a login that the browser keeps, sealed. */
interface State {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When the person was sent to log in again. */
  readonly since?: number | undefined;
}

/** Tokens of a login that its session keeps, sealed. */
interface Kept {
  readonly idToken: string;
  readonly refreshToken?: string | undefined;
}

/** Tokens of the token endpoint. */
interface Tokens {
  readonly idToken: string | undefined;
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
}

const randomLength = 32;

/** OpenID Connect: authorization code with PKCE, state and nonce. */
export const oidcLogin: Component<RedirectLogin> = {
  says: 'Login of the web page through an OpenID Connect provider: Keycloak, Entra ID, Google and others.',
  properties: oidcProperties,
  create(properties: OidcProperties, host): RedirectLogin {
    const { issuer, allowPlainText = false, clientId, clockSkew = defaults.clockSkew } = properties;
    const { groupsClaim = defaults.groupsClaim } = properties;
    const problem = urlProblem(issuer, allowPlainText);
    if (problem) throw new Error(`${problem} (issuer)`);
    const ended = new AbortController();
    const calls = createProvider(properties, host, ended.signal);
    const expected = (provider: Provider) => ({ issuer: provider.issuer, clientId, clockSkew, now: host.now() });
    const random = () => base64url.encode(host.randomBytes(randomLength));
    /** Issuer and subject of a verified token as one text. */
    const personOf = (provider: Provider, claims: JsonObject, subject: string): string =>
      JSON.stringify([issuersOf(provider.issuer, claims)[0], subject]);

    /** The outcome of tokens whose ID token holds. */
    async function outcomeOf(
      tokens: Tokens,
      claims: JsonObject,
      kept: Kept,
      provider: Provider,
      isOld = false,
    ): Promise<LoginOutcome> {
      const subject = String(ownProperty(claims, 'sub'));
      const merged = await withUserInfo(claims, tokens, provider, isOld);
      const missing = missingClaim(merged, properties);
      const user = userNameIn(merged, properties);
      if (missing !== undefined) throw new Refused('claim-missing', { claim: missing, user });
      const silence = silenceAboutGroups(merged, properties);
      // Some providers tell no groups, as files that name no claim for them may mean it.
      const level = silence === 'no-claim' && properties.groupsClaim === undefined ? 'info' : 'warn';
      if (silence) host.log(level, 'groups-not-told', { reason: silence, claim: groupsClaim, user });
      const now = host.now();
      const { askAgain = defaults.askAgain, loginFor } = properties;
      const asks = kept.refreshToken !== undefined;
      const expires = Number(ownProperty(claims, 'exp')) * 1000;
      const ends = asks ? now + askAgain : loginFor === undefined ? expires : now + loginFor;
      const session = ownProperty(claims, 'sid');
      const loginAt = loginTimeOf(claims);
      return {
        answer: 'account',
        account: accountOf(merged, properties, ends),
        person: personOf(provider, claims, subject),
        loginAt: loginAt === undefined ? undefined : Math.min(loginAt, now),
        session: typeof session === 'string' ? personOf(provider, claims, `session ${session}`) : undefined,
        kept: JSON.stringify(kept),
        againAt: asks ? now + askAgain / 2 : undefined,
      };
    }

    /** `isOld`: the claims are those of an earlier answer, which the endpoint brings up to date. */
    async function withUserInfo(
      claims: JsonObject,
      { accessToken }: Tokens,
      provider: Provider,
      isOld: boolean,
    ): Promise<JsonObject> {
      const { userInfo = 'asNeeded' } = properties;
      if (userInfo === 'never' || (userInfo === 'asNeeded' && !isOld && tellsAll(claims, properties))) return claims;
      if (provider.userInfo === undefined || accessToken === undefined) return claims;
      const { status, json } = await calls.userInfo(provider.userInfo, accessToken);
      if (status !== 200 || !json) throw new Error(`Expected status 200 with a JSON object from userinfo: ${status}`);
      // Tokens of another person could be swapped for it.
      if (ownProperty(json, 'sub') !== ownProperty(claims, 'sub')) throw new Refused('userinfo-of-another');
      return isOld ? { ...claims, ...json } : { ...json, ...claims };
    }

    async function finish({ back, state: pending, query }: LoginReturn): Promise<LoginOutcome> {
      const { state, nonce, verifier, since } = JSON.parse(pending) as State;
      if (only(query, 'state') !== state) return refused('state-wrong');
      const { provider, keys } = await calls.current();
      const named = only(query, 'iss');
      // A code of one provider must not get to another one.
      if (named === undefined ? provider.namesIssuer : named !== provider.issuer) return refused('issuer-wrong');
      const error = only(query, 'error');
      if (error !== undefined) return refused(wordOf(error));
      const code = only(query, 'code');
      if (code === undefined || code === '') return refused('code-missing');
      const form = { grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier };
      const tokens = tokensOf(await calls.token(provider, form));
      if (typeof tokens === 'string') return refused(tokens);
      const { idToken, accessToken, refreshToken } = tokens;
      if (idToken === undefined) return refused('id-token-missing');
      const claims = await readIdToken(idToken, { ...expected(provider), keys, nonce, accessToken });
      // An address that was changed on the way, or a session there, is no login of now.
      if (since !== undefined && (loginTimeOf(claims) ?? 0) + clockSkew < since) return refused('login-not-again');
      return outcomeOf(tokens, claims, { idToken, refreshToken }, provider);
    }

    async function again(text: string): Promise<LoginOutcome> {
      const secrets = JSON.parse(text) as Kept;
      const { refreshToken } = secrets;
      if (refreshToken === undefined) return refused('refresh-token-missing');
      const { provider, keys } = await calls.current();
      const tokens = tokensOf(
        await calls.token(provider, { grant_type: 'refresh_token', refresh_token: refreshToken }),
      );
      if (tokens === 'invalid-grant') return refused(tokens);
      // Only that word is about the account. Any other failure may be over at the next question.
      if (typeof tokens === 'string') throw new Error(`Expected tokens from the token endpoint: ${tokens}`);
      const before = claimsIn(secrets.idToken);
      const { idToken, accessToken } = tokens;
      const fresh =
        idToken === undefined
          ? undefined
          : await readIdToken(idToken, { ...expected(provider), keys, nonce: undefined, accessToken });
      // A group that the provider names no more is none. The login itself is that of the first token.
      const [time, session] = ['auth_time', 'sid'].map((name) => ownProperty(before, name));
      const claims = fresh ? { auth_time: time, sid: session, ...fresh } : before;
      if (ownProperty(claims, 'sub') !== ownProperty(before, 'sub')) return refused('person-changed');
      const next = { idToken: idToken ?? secrets.idToken, refreshToken: tokens.refreshToken ?? refreshToken };
      return outcomeOf(tokens, claims, next, provider, fresh === undefined);
    }

    return {
      title: properties.title ?? host.name,
      ...(properties.icon === undefined ? {} : { icon: properties.icon }),
      joinsUsers: properties.joinsUsers === 'provisioned' ? 'provisioned' : properties.joinsUsers === 'true',
      async begin({ back, hint, prompt }) {
        const { provider } = await calls.current();
        const isAgain = prompt === 'login';
        const secrets = { state: random(), nonce: random(), verifier: random() };
        const state: State = { ...secrets, ...(isAgain && { since: host.now() }) };
        const address = new URL(provider.authorization);
        const sent = {
          ...Object.fromEntries(pairsOf(properties.parameters)),
          response_type: 'code',
          client_id: clientId,
          redirect_uri: back,
          scope: (properties.scopes ?? defaults.scopes).join(' '),
          state: state.state,
          nonce: state.nonce,
          code_challenge: await challengeOf(state.verifier),
          code_challenge_method: 'S256',
          ...(hint === undefined ? {} : { login_hint: hint }),
          ...(prompt === undefined ? {} : { prompt }),
          // Without it a provider need not say when the login was.
          ...(isAgain && { max_age: '0' }),
        };
        for (const [name, value] of Object.entries<string>(sent)) address.searchParams.set(name, value);
        return { address: address.href, state: JSON.stringify(state) };
      },
      finish: (back) => refusing(host, () => finish(back)),
      again: (kept) => refusing(host, () => again(kept)),
      async end(kept, back) {
        const { provider } = await calls.current();
        if (provider.endSession === undefined) return undefined;
        const address = new URL(provider.endSession);
        address.searchParams.set('client_id', clientId);
        address.searchParams.set('id_token_hint', (JSON.parse(kept) as Kept).idToken);
        address.searchParams.set('post_logout_redirect_uri', back);
        return address.href;
      },
      async ended(message) {
        try {
          const token = only(new URLSearchParams(message), 'logout_token');
          if (token === undefined) return undefined;
          const { provider, keys } = await calls.current();
          const { claims, subject, session } = await readLogoutToken(token, { ...expected(provider), keys });
          return {
            person: subject === undefined ? undefined : personOf(provider, claims, subject),
            session: session === undefined ? undefined : personOf(provider, claims, `session ${session}`),
          };
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          host.log('warn', 'logout-refused', { reason: error.reason });
          return undefined;
        }
      },
      close: () => ended.abort(),
    };
  },
};

/** Milliseconds. Undefined: the provider does not tell. */
function loginTimeOf(claims: JsonObject): number | undefined {
  const time = ownProperty(claims, 'auth_time');
  return typeof time === 'number' && Number.isFinite(time) ? time * 1000 : undefined;
}

const refused = (reason: string): LoginOutcome => ({ answer: 'refused', reason });

async function refusing(host: Host, judge: () => Promise<LoginOutcome>): Promise<LoginOutcome> {
  try {
    return await judge();
  } catch (error) {
    if (error instanceof Refused) return { ...error.about, answer: 'refused', reason: error.reason };
    host.log('warn', 'provider-failed', { problem: (error as Error).message });
    throw error;
  }
}

/** The one value of a parameter. Of two, one reader takes the first and another the last. */
function only(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new Refused('parameter-twice');
  return values[0];
}

/** Errors of OAuth are words. Other texts do not get into the log. */
const wordOf = (error: string): string =>
  /^[a-z_]{1,40}$/.test(error) ? error.replaceAll('_', '-') : 'provider-refused';

interface Answer {
  readonly status: number;
  readonly json: JsonObject | undefined;
}

/** Tokens of an answer, or the word of a refusal. An answer that is neither is a failure of the provider. */
function tokensOf({ status, json }: Answer): Tokens | string {
  const error = json && ownProperty(json, 'error');
  if (status === 400 || status === 401) return typeof error === 'string' ? wordOf(error) : 'provider-refused';
  if (status !== 200 || !json)
    throw new Error(`Expected status 200 with a JSON object from the token endpoint: ${status}`);
  return {
    idToken: ownText(json, 'id_token'),
    accessToken: ownText(json, 'access_token'),
    refreshToken: ownText(json, 'refresh_token'),
  };
}

/** Claims of a token that was verified when it came. */
function claimsIn(token: string): JsonObject {
  const text = new TextDecoder().decode(base64url.decode(token.split('.')[1] ?? ''));
  return readObject(text) ?? {};
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url.encode(new Uint8Array(digest));
}
