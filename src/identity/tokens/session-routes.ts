import { ServiceError } from '../../core/lib/errors.ts';
import { after } from '../../core/lib/maybe.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Statement } from '../../core/store/contract.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { type Addressed, baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { flag } from '../../http/parameters/index.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { access, anybody, anyCaller, type Route, route } from '../../http/route.ts';
import { pageSite, sessionCookieName } from '../../kit/index.ts';
import { subjectOf } from '../../security/caller.ts';
import { noSuchUser } from '../users/rules.ts';
import type { TokenParts } from './routes.ts';
import { endOfLogin, judgeToken } from './rules.ts';
import { endSession, findTokenLogin, linkThere, useLink } from './store.ts';

/** Milliseconds, as the configuration properties say. */
interface SessionLimits {
  readonly idle: number;
  readonly most: number;
}

/** Longest session of a user who does not stay logged in, in milliseconds. */
const workingDay = 12 * 60 * 60 * 1000;

/** `login`: milliseconds until the login ends that begins it. */
function lifetimeOfSession({ idle, most }: SessionLimits, stays: boolean, login: number) {
  const whole = Math.min(most, login, stays ? most : workingDay);
  return { idle: Math.min(idle, whole), whole };
}

interface LoginRequest {
  readonly headers: Headers;
  readonly secure: boolean;
  /** Scheme, host and port of the service as the caller addressed it. */
  readonly origin: string;
}

/** Name of the cookie. Refuses a connection that others can listen to, and pages of other origins. */
function cookieFor({ headers, secure, origin }: LoginRequest): string {
  const name = sessionCookieName(secure, new URL(origin).host);
  if (name === undefined) {
    const explanation =
      'Expected TLS, or an address of this machine: the session needs TLS. Behind a proxy, PORTICO_TRUSTED_PROXIES names the proxy';
    throw new ServiceError('not-allowed', { context: 'connection', explanation });
  }
  const site = pageSite(headers, origin);
  if (site === 'own' || site === 'untold') return name;
  const explanation = 'Expected a request of a page of this service: a page of another origin logs nobody in';
  throw new ServiceError('not-allowed', { context: 'header Origin', explanation });
}

/** `Set-Cookie`. Without `seconds`, the browser forgets the cookie when it is closed. */
function cookieText(name: string, value: string, seconds: number | undefined): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value}; Path=/${secure}; HttpOnly; SameSite=Strict${age}`;
}

export interface SessionParts extends TokenParts {
  fingerprint(text: string): string;
}

type Holder = Parameters<TokenParts['issueToken']>[0];

interface Begun {
  readonly keyId: string | null;
  /** When the login ends that begins it. */
  readonly endsAt?: number | undefined;
  /** Whether the browser keeps the cookie after it is closed. */
  readonly stays: boolean;
  /** Statements that use up what the person logged in with. */
  readonly used?: readonly Statement[];
}

/** Form of the texts of tokens: nothing else is looked up. */
const linkForm = /^[\w-]{1,200}$/;

/** Refusal of unknown, expired and used links alike: a guess learns nothing. */
const noSuchLink = (): ServiceError =>
  new ServiceError('not-authenticated', { context: 'body' }, { 'www-authenticate': 'Session' });

/** A token lasts for minutes, and a session lasts for days. */
const withLogin = access({ ...anyCaller.needs, besides: 'other credentials than a token' }, (call) => {
  const kind = subjectOf(call).proof?.kind;
  if (kind !== 'token' && kind !== 'session') return;
  return after(onlyActs(call), (only) => {
    if (only) throw outlastsActing();
    const explanation = 'Expected a password, an access key or a bearer token: a session outlives a token';
    throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
  });
});

export function sessionRoutes(parts: SessionParts): readonly Route[] {
  const { store, clock, properties, issueToken, fingerprint, forget, settings } = parts;

  /** A session, and the cookie for the browser. */
  async function begin(
    call: Call,
    name: string,
    user: Holder,
    { keyId, endsAt, stays, used = [] }: Begun,
  ): Promise<Reply> {
    const limits = {
      idle: (await properties('userSessionIdle')) * 1000,
      most: (await properties('userSessionMost')) * 1000,
    };
    const now = clock.now();
    const { idle, whole } = lifetimeOfSession(limits, stays, (endsAt ?? Number.POSITIVE_INFINITY) - now);
    const issue = { kind: 'session', lifetime: idle, autoRefresh: true, endsAt: now + whole, keyId } as const;
    const { token, work } = issueToken(user, issue);
    await call.commit({ ...work, changes: [...used, ...work.changes] });
    const cookie = cookieText(name, token, stays ? Math.ceil(whole / 1000) : undefined);
    return { ...noContent, headers: { 'set-cookie': cookie } };
  }

  return [
    route({
      method: 'POST',
      path: '/session',
      says: 'Logs the caller in for the web page: the answer sets a cookie, which no script can read. Over TLS, or on this machine.',
      query: {
        stay: flag('The browser keeps the cookie until the session ends, after userSessionMost at most', false),
      },
      answers: raw([]),
      status: 204,
      noStore: true,
      access: withLogin,
      acting: 'refused',
      async handle(call): Promise<Reply> {
        const name = cookieOf(call, call.request.headers);
        const subject = subjectOf(call);
        const { user, proof, name: caller } = subject;
        if (!user) throw noSuchUser(caller);
        const endsAt = endOfLogin(subject, clock.now(), settings.realmLoginSeconds * 1000);
        return begin(call, name, user, { keyId: proof?.key ?? null, endsAt, stays: call.query.stay });
      },
    }),
    route({
      method: 'POST',
      path: '/APInoauth/session',
      says: 'Logs in by the login link that the first start prints. Its text is the body, and it works once.',
      reads: 'text',
      answers: raw([]),
      status: 204,
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const name = cookieOf(call, call.request.headers);
        const digest = linkForm.test(call.body) ? fingerprint(call.body) : '';
        const link = await findTokenLogin(store, { digest });
        if (!link || judgeToken('link', link, clock.now()) || link.enabled !== 1) throw noSuchLink();
        call.trace.user = link.name;
        const used = [linkThere({ digest }, noSuchLink()), useLink({ digest })];
        return begin(call, name, link, { keyId: null, stays: false, used });
      },
    }),
    route({
      method: 'DELETE',
      path: '/session',
      says: 'Logs the caller out: ends the session of the request. Without one it changes nothing.',
      answers: raw([]),
      status: 204,
      noStore: true,
      access: anyCaller,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const { kind, login: id } = subjectOf(call).proof ?? {};
        if (kind !== 'session' || id === undefined) return noContent;
        await call.commit(changing(endSession({ id }), ...forget.login(id)));
        const name = cookieOf(call, new Headers());
        return { ...noContent, headers: { 'set-cookie': cookieText(name, '', 0) } };
      },
    }),
  ];
}

const cookieOf = (call: Addressed & Pick<Call, 'secure'>, headers: Headers) =>
  cookieFor({ headers, secure: call.secure, origin: new URL(baseOf(call)).origin });
