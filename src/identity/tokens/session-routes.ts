import { ServiceError } from '../../core/lib/errors.ts';
import { after } from '../../core/lib/maybe.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { baseOf } from '../../http/address.ts';
import { type Call, hasBasicLogin } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { flag } from '../../http/parameters/index.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { access, anybody, anyCaller, type Route, route } from '../../http/route.ts';
import { type Hooks, hook } from '../../room/hook.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { effectiveRoles } from '../groups/store.ts';
import { secondStepDocument } from '../second-factor/documents.ts';
import { type SecondStep, secondStepOf } from '../second-factor/policy.ts';
import { maxFactors } from '../second-factor/rules.ts';
import { factorsOf } from '../second-factor/store.ts';
import { noSuchUser } from '../users/rules.ts';
import { type BeginSession, cookieOf, cookieText, type SessionStart } from './begin-session.ts';
import type { IssueToken } from './issue.ts';
import { placeOf, waysOf } from './origin.ts';
import type { TokenParts } from './routes.ts';
import { endOfLogin, judgeToken } from './rules.ts';
import { endSession, findTokenLogin, tokenUnused, useToken } from './store.ts';

/** Address at which the provider of a session ends its own, and sends the browser back. Undefined: there is none. */
export const sessionEndHook = hook<(id: string, back: string) => Promise<string | undefined>>('logins');

export interface SessionParts extends TokenParts {
  readonly hooks: Hooks;
  readonly beginSession: BeginSession;
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

/** Milliseconds for the second step of a login, long enough to install an app. */
const timeForStep = 15 * 60_000;

type Waits = Pick<SessionStart, 'way' | 'realm' | 'keyId' | 'endsAt' | 'used'>;

export function sessionRoutes(parts: SessionParts): readonly Route[] {
  const { store, clock, hooks, beginSession, issueToken, fingerprint, forget, settings } = parts;

  return [
    route({
      method: 'POST',
      path: '/session',
      says: 'Logs the caller in for the web page: the answer sets a cookie, which no script can read. Over TLS, or on this machine. Where a second factor follows, the answer has the text for the next step.',
      query: {
        stay: flag('The browser keeps the cookie until the session ends, after userSessionMost at most', false),
      },
      answers: raw([secondStepDocument, 'nothing']),
      status: 204,
      noStore: true,
      access: withLogin,
      beginsLogin: true,
      acting: 'refused',
      async handle(call): Promise<Reply> {
        const cookie = cookieOf(call, call.request.headers);
        const subject = subjectOf(call);
        const { user, proof, name: caller } = subject;
        if (!user) throw noSuchUser(caller);
        const endsAt = endOfLogin(subject, clock.now(), settings.realmLoginSeconds * 1000);
        const begun = { ...waysOf(subject), keyId: proof?.key, endsAt };
        const needs =
          hasBasicLogin(call) && proof?.kind !== 'key'
            ? await secondStepOf(settings.secondFactor, user, () => subject.has(administrator))
            : undefined;
        if (needs) return waitFor(call, user, needs, begun);
        return beginSession(call, user, { ...begun, cookie, stays: call.query.stay });
      },
    }),
    route({
      method: 'POST',
      path: '/APInoauth/session',
      says: 'Logs in by a login link: of a first start, or made by an administrator. Its text is the body, and it works once.',
      reads: 'text',
      answers: raw([secondStepDocument, 'nothing']),
      status: 204,
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const cookie = cookieOf(call, call.request.headers);
        const digest = linkForm.test(call.body) ? fingerprint(call.body) : '';
        const link = await findTokenLogin(store, { digest });
        if (!link || judgeToken('link', link, clock.now()) || link.enabled !== 1) throw noSuchLink();
        call.trace.user = link.name;
        const used = [tokenUnused({ digest }, noSuchLink()), useToken({ digest })];
        const roles = async () => (await effectiveRoles(store, link.id)).has(administrator);
        const needs = await secondStepOf(settings.secondFactor, link, roles);
        if (needs) return waitFor(call, link, needs, { way: 'link', used });
        return beginSession(call, link, { way: 'link', cookie, stays: false, used });
      },
    }),
    route({
      method: 'DELETE',
      path: '/session',
      says: 'Logs the caller out: ends the session of the request. Without one it changes nothing. `portico-logout` has the address where the provider of the login ends its own session.',
      answers: raw([]),
      status: 204,
      noStore: true,
      access: anyCaller,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const { kind, login: id } = subjectOf(call).proof ?? {};
        if (kind !== 'session' || id === undefined) return noContent;
        // Before the commit, which forgets what the address is made of. A provider that fails keeps nobody logged in.
        const address = await hooks.find(sessionEndHook)?.(id, `${new URL(baseOf(call)).origin}/ui/`);
        await call.commit(changing(endSession({ id }), ...forget.login(id, 'logout')));
        const name = cookieOf(call, new Headers());
        const cookie = { 'set-cookie': cookieText(name, '', 0) };
        return { ...noContent, headers: address === undefined ? cookie : { ...cookie, 'portico-logout': address } };
      },
    }),
  ];

  /** A login that waits for its second factor: a text for the page, which opens nothing but the next step. */
  async function waitFor(
    call: Call,
    user: Parameters<IssueToken>[0],
    needs: SecondStep,
    { way, realm, keyId, endsAt, used = [] }: Waits,
  ): Promise<Reply> {
    const from = { way, realm, ...placeOf(call) };
    const lasts = { lifetime: timeForStep, autoRefresh: false, endsAt };
    const issue = { kind: 'step', ...lasts, keyId: keyId ?? null, from } as const;
    const { token, work } = issueToken(user, issue);
    await call.commit({ ...work, changes: [...used, ...work.changes] });
    const factors = await factorsOf(store, { userId: user.id, limit: maxFactors });
    const kind = [...new Set(factors.map((factor) => factor.kind))];
    return call.render(call.type, secondStepDocument, { step: token, needs, kind });
  }
}
