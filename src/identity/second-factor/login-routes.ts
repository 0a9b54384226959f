import { ServiceError } from '../../core/lib/errors.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { flag } from '../../http/parameters/index.ts';
import { notStored, type Reply } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { cookieOf } from '../tokens/begin-session.ts';
import { judgeToken } from '../tokens/rules.ts';
import type { SessionParts } from '../tokens/session-routes.ts';
import { findTokenLogin, type TokenLogin, tokenUnused, useToken } from '../tokens/store.ts';
import { findLoginById } from '../users/store.ts';
import { FactorAnswers } from './answers.ts';
import {
  loginAnswerDocument,
  newSecondFactorDocument,
  passkeyChallengeDocument,
  passkeyRequestDocument,
  recoveryCodesDocument,
  secondFactorOfferDocument,
  secondFactorRequestDocument,
} from './documents.ts';
import { Enrolment } from './enrolment.ts';
import { type FactorParts, factorKeysOf, pageOf } from './parts.ts';
import { maxFactors } from './rules.ts';
import { factorsOf, findPasskey } from './store.ts';

const form = /^[\w-]{1,200}$/;

/** Refusal of unknown and expired logins, and of unknown passkeys, alike. */
const noSuchLogin = (): ServiceError =>
  new ServiceError('not-authenticated', { context: 'body' }, { 'www-authenticate': 'Session' });

const stay = {
  stay: flag('The browser keeps the cookie until the session ends, after userSessionMost at most', false),
};

/** The second step of a login. The text of a login that waits opens these routes, and no other. */
export function secondStepRoutes(parts: FactorParts & SessionParts): readonly Route[] {
  const { store, clock, beginSession, settings, fingerprint } = parts;
  const keys = factorKeysOf(parts);
  const answers = new FactorAnswers(parts, keys);
  const enrolment = new Enrolment(parts, keys);

  return [
    route({
      method: 'POST',
      path: '/APInoauth/session/challenge',
      says: 'A challenge for a passkey: of a login that waits, or for a login without a password where passkeyLogin allows it.',
      reads: passkeyRequestDocument,
      answers: passkeyChallengeDocument,
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call) {
        const { host } = pageOf(call);
        if (call.body.step === undefined) {
          if (!mayComeAlone()) return { host };
          return { challenge: await keys().challenges.make('login', ''), host };
        }
        const { id: userId } = await waiting(call.body.step);
        const factors = await factorsOf(store, { userId, limit: maxFactors });
        const credential = factors.flatMap(({ credential: id, host: of }) => (id !== null && of === host ? id : []));
        return { challenge: await keys().challenges.make('second', userId), host, credential };
      },
    }),
    route({
      method: 'POST',
      path: '/APInoauth/session/factor',
      says: 'Ends a login: with the second factor of one that waits, or with a passkey alone. The answer sets the cookie.',
      query: stay,
      reads: loginAnswerDocument,
      answers: raw([]),
      status: 204,
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const cookie = cookieOf(call, call.request.headers);
        const { step, passkey } = call.body;
        if (step === undefined) {
          checkPasskeyLogin();
          const row = passkey && (await findPasskey(store, { credential: passkey.id }));
          const user = row && (await findLoginById(store, { id: row.userId }));
          if (!passkey || !row || user?.enabled !== 1) throw noSuchLogin();
          const { used } = await answers.passkey(call, row, passkey, 'login');
          call.trace.user = user.name;
          const start = { way: 'passkey', cookie, stays: call.query.stay, second: true, used } as const;
          return beginSession(call, user, start);
        }
        const user = await waiting(step, call);
        const { used, events, done } = await answers.judge(call, user, call.body);
        const reply = await beginSession(call, user, {
          ...begun(user),
          cookie,
          stays: call.query.stay,
          used: [...used, ...usedUp(user)],
          events,
        });
        await done();
        return reply;
      },
    }),
    route({
      method: 'POST',
      path: '/APInoauth/session/offer',
      says: 'Begins the first second factor of a user who must have one, in a login that waits.',
      reads: secondFactorRequestDocument,
      answers: secondFactorOfferDocument,
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call) {
        const user = await waiting(call.body.step);
        checkFirst(user);
        return enrolment.offer(call, user, call.body.kind);
      },
    }),
    route({
      method: 'POST',
      path: '/APInoauth/session/enrol',
      says: 'Adds the first second factor of a user who must have one, and ends the login. The answer sets the cookie.',
      query: stay,
      reads: newSecondFactorDocument,
      answers: raw([recoveryCodesDocument]),
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const cookie = cookieOf(call, call.request.headers);
        const user = await waiting(call.body.step, call);
        checkFirst(user);
        const { id, code, work } = await enrolment.accept(call, user, call.body, true);
        const { headers } = await beginSession(call, user, {
          ...begun(user),
          cookie,
          stays: call.query.stay,
          used: [...usedUp(user), ...work.changes],
          events: work.events,
        });
        const reply = call.render(call.type, recoveryCodesDocument, { id, code });
        return notStored({ ...reply, headers: { ...reply.headers, ...headers } });
      },
    }),
  ];

  function mayComeAlone(): boolean {
    return settings.passkeyLogin && settings.secondFactor !== 'off';
  }

  function checkPasskeyLogin(): void {
    if (mayComeAlone()) return;
    const explanation = 'Expected a login with a password: the setting passkeyLogin is off';
    throw new ServiceError('not-allowed', { context: 'setting passkeyLogin', explanation });
  }

  /** The login that waits, with its user. */
  async function waiting(step = '', call?: Call): Promise<TokenLogin> {
    const login = form.test(step) ? await findTokenLogin(store, { digest: fingerprint(step) }) : undefined;
    if (!login || judgeToken('step', login, clock.now()) || login.enabled !== 1) throw noSuchLogin();
    if (call) call.trace.user = login.name;
    return login;
  }
}

const begun = ({ key, endsAt, way, realm }: TokenLogin) => ({
  way,
  realm: realm ?? undefined,
  keyId: key ?? undefined,
  endsAt: endsAt ?? undefined,
  second: true,
});

const usedUp = ({ digest }: TokenLogin) => [tokenUnused({ digest }, noSuchLogin()), useToken({ digest })];

/** A password alone adds no factor beside those that there are. */
function checkFirst({ factors }: TokenLogin): void {
  if (factors === 0) return;
  const explanation = 'Expected a user without a second factor: log in with the one that there is';
  throw new ServiceError('not-allowed', { context: 'body', explanation });
}
