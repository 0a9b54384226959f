import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { type Addressed, baseOf } from '../../http/address.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { pageSite, sessionCookieName } from '../../kit/index.ts';
import type { RoomContext } from '../../room/context.ts';
import type { Caller } from '../../security/caller.ts';
import { createProperties, type Properties } from '../api-settings/public-reading.ts';
import { type IdentityProperty, identityProperties } from '../settings.ts';
import { createTokenIssuer, type IssueToken } from './issue.ts';
import { loginPlaceOf } from './login-places.ts';
import { type LoginOrigin, type Place, placeOf } from './origin.ts';

/** Milliseconds, as the configuration properties say. */
interface SessionLimits {
  readonly idle: number;
  readonly max: number;
}

/** Longest session of a user who does not stay logged in, in milliseconds. */
const workingDay = 12 * 60 * 60 * 1000;

/** `login`: milliseconds until the login ends that begins it. */
function lifetimeOfSession({ idle, max }: SessionLimits, stays: boolean, login: number) {
  const whole = Math.min(max, login, stays ? max : workingDay);
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
export function cookieText(name: string, value: string, seconds: number | undefined): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value}; Path=/${secure}; HttpOnly; SameSite=Strict${age}`;
}

/** Name of the cookie for a request. `headers`: those by which a page of another origin is refused. */
export const cookieOf = (call: Addressed, headers: Headers): string =>
  cookieFor({ headers, secure: call.secure, origin: new URL(baseOf(call)).origin });

interface Parts extends Pick<RoomContext, 'store' | 'fingerprint'> {
  readonly clock: Clock;
  readonly properties: Properties<IdentityProperty>;
  readonly issueToken: IssueToken;
}

/** Session that begins, beside its user and its request. */
export interface SessionStart extends Pick<LoginOrigin, 'way' | 'realm'> {
  /** Name of its cookie, by `cookieOf`. */
  readonly cookie: string;
  /** Access key that the person logged in with. */
  readonly keyId?: string | undefined;
  /** When the login ends that begins it. */
  readonly endsAt?: number | undefined;
  /** Whether the browser keeps the cookie after it is closed. */
  readonly stays: boolean;
  /** Whether the login had a second factor. */
  readonly second?: boolean;
  /** When the person showed who they are. Undefined: now. */
  readonly loginAt?: number | undefined;
  /** When the provider of the login has to vouch for it again. A later answer moves the end of the session. */
  readonly vouchedUntil?: number | undefined;
  /** Statements that use up what the person logged in with. */
  readonly used?: readonly Statement[];
  /** Statements that keep something of the session, by its id and its longest end. */
  beside?(id: string, max: number): readonly Statement[];
  readonly events?: CommitPlan['events'];
}

/** Begins a session. The answer sets its cookie. */
export type BeginSession = (
  call: Place & Pick<Caller, 'commit'>,
  user: Parameters<IssueToken>[0],
  start: SessionStart,
) => Promise<Reply>;

/** For rooms that log people in. */
export const openSessionBeginner = ({
  store,
  clock,
  random,
  fingerprint,
}: Pick<RoomContext, 'store' | 'clock' | 'random' | 'fingerprint'>): BeginSession =>
  createSessionBeginner({
    ...{ store, clock, fingerprint },
    properties: createProperties(store, identityProperties),
    issueToken: createTokenIssuer({ random, clock, fingerprint }),
  });

/** All sessions begin here, whatever people log in with. */
export const createSessionBeginner =
  ({ store, clock, properties, issueToken, fingerprint }: Parts): BeginSession =>
  async (call, user, start) => {
    const { cookie, way, realm, keyId = null, endsAt, vouchedUntil = Number.POSITIVE_INFINITY, stays } = start;
    const { second = false, loginAt = clock.now(), used = [], beside, events = [] } = start;
    const limits = {
      idle: (await properties('userSessionIdle')) * 1000,
      max: (await properties('userSessionMost')) * 1000,
    };
    const now = clock.now();
    const { idle, whole } = lifetimeOfSession(limits, stays, (endsAt ?? Number.POSITIVE_INFINITY) - now);
    const from = { way, realm, ...placeOf(call) };
    const max = now + whole;
    const end = { endsAt: Math.min(max, vouchedUntil), loginAt, second };
    const issue = { kind: 'session', lifetime: idle, autoRefresh: true, keyId, from, ...end } as const;
    const { id, token, work } = issueToken(user, issue);
    const place = await loginPlaceOf({ store, fingerprint }, user, from, now);
    const changes = [...used, ...work.changes, ...(beside?.(id, max) ?? []), ...place.changes];
    await call.commit({ ...work, changes, events: [...events, ...place.events] });
    const text = cookieText(cookie, token, stays ? Math.ceil(whole / 1000) : undefined);
    return { ...noContent, headers: { 'set-cookie': text } };
  };
