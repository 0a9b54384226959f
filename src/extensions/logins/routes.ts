import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { describeError } from '../../core/lib/log.ts';
import { systemActor } from '../../core/store/contract.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { cookieValue } from '../../http/cookies.ts';
import { raw } from '../../http/forms.ts';
import { choice, text } from '../../http/parameters/index.ts';
import { textOf } from '../../http/reads.ts';
import { done, type Reply } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { cookieOf, openSessionBeginner } from '../../identity/public.ts';
import type { NamedLogin } from '../../security/ini/security-parts.ts';
import { loginProviderListDocument } from './documents.ts';
import { endOf, type LoginParts, neededVault, providerNamed, purposeOf, userOf, within } from './parts.ts';
import {
  type FailedLogin,
  ownPage,
  type PendingLogin,
  pageOfFailure,
  stateCookie,
  stateCookieText,
  timeAtProvider,
} from './rules.ts';
import { insertSession, putPerson, someOfPerson, someOfSession } from './store.ts';

const maxText = 1_024;
/** Bytes of a message of a provider, which nobody has proved when it is read. */
const maxMessageBytes = 16_384;
/** Sessions that one commit ends. */
const batch = 50;
const maxBatches = 20;

/** Login of the web page by way of providers. No route needs a login, and each but the list needs the component's word. */
export function loginRoutes(parts: LoginParts): readonly Route[] {
  const { store, clock, log, security, fingerprint } = parts;
  const begin = openSessionBeginner(parts);

  /** Back to the page with a word. Everything else is in the log. */
  function failed(call: Call, provider: string, word: FailedLogin, fields: object): Reply {
    log.write(word === 'failed' ? 'error' : 'warn', 'login-not-finished', { provider, word, ...fields });
    const cookie = stateCookieText(stateCookie(cookieOf(call, new Headers())), '');
    return { status: 303, headers: { location: pageOfFailure(word), 'set-cookie': cookie } };
  }

  /** Login that this browser began. Undefined: none, too long ago, or at another provider. */
  async function pendingOf(call: Call, provider: string): Promise<PendingLogin | undefined> {
    const sealed = cookieValue(call.request.headers.get('cookie'), stateCookie(cookieOf(call, new Headers())));
    if (sealed === undefined) return undefined;
    const opened = await neededVault(parts)
      .open(sealed, purposeOf(provider))
      .catch(() => undefined);
    const pending = opened === undefined ? undefined : (JSON.parse(opened) as PendingLogin);
    return pending && pending.until > clock.now() ? pending : undefined;
  }

  async function finish(call: Call, named: NamedLogin, { back, state, page }: PendingLogin): Promise<Reply> {
    const { name, login } = named;
    const proof = new URL(call.request.url).search;
    const outcome = await within(parts, name, () => login.finish({ back, state, query: new URLSearchParams(proof) }));
    if (outcome.answer !== 'account')
      return failed(call, name, 'refused', { reason: outcome.reason, user: outcome.user, claim: outcome.claim });
    const { person, session, kept: secrets, againAt } = outcome;
    const digest = fingerprint(person);
    const linkTo = (userId: string) => putPerson({ person: digest, userId, provider: name, since: clock.now() });
    const entered = await userOf(parts, named, { ...outcome, proof, address: call.address, linkTo });
    if ('reason' in entered) return failed(call, name, 'refused', entered);
    const { user, account, isNew, guards } = entered;
    call.trace.user = user.name;
    const sealed = secrets === undefined ? null : await neededVault(parts).seal(secrets, purposeOf(name));
    const { headers } = await begin(call, user, {
      way: 'provider',
      realm: name,
      cookie: cookieOf(call, new Headers()),
      stays: false,
      vouchedUntil: account.ends,
      // A login of which the provider does not say when it was is an old one.
      loginAt: outcome.loginAt ?? 0,
      used: isNew ? [...guards, linkTo(user.id)] : [],
      beside: (id, max) => [
        insertSession({
          id,
          provider: name,
          person: digest,
          providerSession: session === undefined ? null : fingerprint(session),
          kept: sealed,
          due: login.again && secrets !== undefined ? (againAt ?? null) : null,
          max,
        }),
      ],
    });
    // The state of a login that is done opens nothing, and goes with it.
    const alsoCookie = stateCookieText(stateCookie(cookieOf(call, new Headers())), '');
    return { status: 303, headers: { ...headers, location: page }, alsoCookie };
  }

  return [
    route({
      method: 'GET',
      path: '/APInoauth/login',
      says: 'The providers of security.ini by which people log in at the web page.',
      answers: loginProviderListDocument,
      access: anybody,
      handle: () => ({
        provider: security.logins().map(({ name, login: { title, icon } }) => ({ name, title, icon })),
      }),
    }),
    route({
      method: 'GET',
      path: '/APInoauth/login/:login',
      says: 'Begins a login: sends the browser to the provider, with a sealed cookie for its way back.',
      query: {
        page: text('Page of this service that is shown after the login'),
        hint: text('Name that the person may have at the provider'),
        prompt: choice('Whether the provider asks the person', ['none', 'login', 'consent', 'select_account']),
      },
      answers: raw([]),
      status: 303,
      noStore: true,
      access: anybody,
      async handle(call, { login: name }): Promise<Reply> {
        const { login } = providerNamed(parts, name);
        const vault = neededVault(parts);
        const cookie = stateCookie(cookieOf(call, new Headers()));
        const { origin } = new URL(baseOf(call));
        const { hint, prompt } = call.query;
        if (hint !== undefined && hint.length > maxText) throw badValue('hint', `at most ${maxText} characters`, hint);
        const back = `${origin}/APInoauth/login/${encodeURIComponent(name)}/callback`;
        try {
          const { address, state } = await within(parts, name, () => login.begin({ back, hint, prompt }));
          const page = ownPage(call.query.page, origin);
          const pending: PendingLogin = { state, back, page, until: clock.now() + timeAtProvider };
          const sealed = await vault.seal(JSON.stringify(pending), purposeOf(name));
          return { status: 303, headers: { location: address, 'set-cookie': stateCookieText(cookie, sealed) } };
        } catch (error) {
          return failed(call, name, 'failed', describeError(error));
        }
      },
    }),
    route({
      method: 'GET',
      path: '/APInoauth/login/:login/callback',
      says: 'Ends a login at the provider: begins the session, and sends the browser to the page that was asked for.',
      otherNames: 'What the provider answers.',
      answers: raw([]),
      status: 303,
      noStore: true,
      access: anybody,
      async handle(call, { login: name }): Promise<Reply> {
        const named = providerNamed(parts, name);
        const pending = await pendingOf(call, name);
        if (!pending) return failed(call, name, 'expired', {});
        try {
          return await finish(call, named, pending);
        } catch (error) {
          return failed(call, name, 'failed', describeError(error));
        }
      },
    }),
    route({
      method: 'POST',
      path: '/APInoauth/login/:login/logout',
      says: 'Ends the sessions of a login that has ended at the provider. The message of the provider proves it.',
      reads: textOf(maxMessageBytes),
      answers: raw([]),
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call, { login: name }): Promise<Reply> {
        const { login } = providerNamed(parts, name);
        const message = call.body;
        const ended = await within(parts, name, () => login.ended?.(message)).catch((error) => {
          log.write('warn', 'logout-not-judged', { provider: name, ...describeError(error) });
          const explanation = 'Expected the keys of the provider, which does not answer: send the message again';
          throw new ServiceError('provider-unavailable', { type: 'Login', id: name, explanation });
        });
        if (!ended) throw badValue('body', 'a message by which the provider proves that a login has ended', '');
        const { person, session = person } = ended;
        if (session === undefined) return done;
        const some = ended.session === undefined ? someOfPerson : someOfSession;
        const about = { provider: name, digest: fingerprint(session), limit: batch };
        for (let turn = 0; turn < maxBatches; turn++) {
          const sessions = await some(store, about);
          for (const { id } of sessions) await store.commit(endOf(parts, id), systemActor);
          if (sessions.length < batch) break;
        }
        return done;
      },
    }),
  ];
}
