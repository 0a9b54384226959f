import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { type Addressed, baseOf } from '../../http/address.ts';
import { raw } from '../../http/forms.ts';
import { flag } from '../../http/parameters/index.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { access, anyCaller, type Route, route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { after } from '../../lib/maybe.ts';
import { subjectOf } from '../../security/caller.ts';
import type { TokenParts } from '../tokens/routes.ts';
import { endSession } from '../tokens/store.ts';
import { noSuchUser } from '../users/rules.ts';
import { cookieFor, cookieText, lifetimeOfSession } from './rules.ts';

/** A token would be lent for minutes, and a session lasts for days. */
const withLogin = access({ ...anyCaller.needs, besides: 'other credentials than a token' }, (call) => {
  const kind = subjectOf(call).proof?.kind;
  if (kind !== 'token' && kind !== 'session') return;
  return after(onlyActs(call), (only) => {
    if (only) throw outlastsActing();
    const explanation = 'Expected a password, an access key or a bearer token: a session outlives a token';
    throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
  });
});

export function sessionRoutes({ clock, properties, issueToken }: TokenParts): readonly Route[] {
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
        const name = cookieFor({ headers: call.request.headers, secure: call.secure, origin: originOf(call) });
        const { user, proof, name: caller } = subjectOf(call);
        if (!user) throw noSuchUser(caller);
        const limits = {
          idle: (await properties('userSessionIdle')) * 1000,
          most: (await properties('userSessionMost')) * 1000,
        };
        const { idle, whole } = lifetimeOfSession(limits, call.query.stay);
        const { token, work } = issueToken(user, {
          lifetime: idle,
          autoRefresh: true,
          endsAt: clock.now() + whole,
          keyId: proof?.key ?? null,
        });
        await call.commit(work);
        const cookie = cookieText(name, token, call.query.stay ? Math.ceil(whole / 1000) : undefined);
        return { ...noContent, headers: { 'set-cookie': cookie } };
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
        const id = subjectOf(call).proof?.session;
        if (id === undefined) return noContent;
        await call.commit({ changes: [endSession({ id })], events: [] });
        const name = cookieFor({ headers: new Headers(), secure: call.secure, origin: originOf(call) });
        return { ...noContent, headers: { 'set-cookie': cookieText(name, '', 0) } };
      },
    }),
  ];
}

const originOf = (call: Addressed): string => new URL(baseOf(call)).origin;
