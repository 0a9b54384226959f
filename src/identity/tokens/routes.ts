import { existing } from '../../core/lib/checks.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { flag, page, pageOf, type QueryOf, whole } from '../../http/parameters/index.ts';
import { plain, type Reply } from '../../http/reply.ts';
import { anyCaller, type Route, role, route } from '../../http/route.ts';
import type { Forgetters } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator, type Subject } from '../../security/subject.ts';
import { onlyOwnAccount, roleOrOwn } from '../access-checks.ts';
import type { Properties } from '../api-settings/public-reading.ts';
import {
  type AuthenticationTokenList,
  authenticationTokenDocument,
  authenticationTokenListDocument,
} from '../documents.ts';
import type { IdentityParts } from '../parts.ts';
import type { IdentityProperty } from '../settings.ts';
import type { LoginWay } from '../tables.ts';
import { userAt } from '../users/change.ts';
import { noSuchUser } from '../users/rules.ts';
import { findLogin } from '../users/store.ts';
import { type IssueToken, linkIssue } from './issue.ts';
import { loginPlaceOf } from './login-places.ts';
import { placeOf, waysOf } from './origin.ts';
import { disabledUser, endOfLogin, lifetimeOf, makerOf, revokeAll, revokeOne } from './rules.ts';
import { type TokenRow, tokensOfUser } from './store.ts';

/** Id of the token or session of a request. */
const loginOf = ({ subject }: Pick<Call, 'subject'>): string | undefined => subject?.proof?.login;

/** `current`: id of the token or session of the request. */
const tokenListOf = (rows: readonly TokenRow[], current: string | undefined): AuthenticationTokenList => ({
  token: rows.map((row) => ({
    id: row.id,
    created: row.createdAt,
    expires: row.expiresAt,
    autoRefresh: row.autoRefresh === 1,
    kind: row.kind === 'session' ? 'SESSION' : 'TOKEN',
    ends: row.endsAt ?? undefined,
    accessKey: row.key ?? undefined,
    actor: row.actor ?? undefined,
    used: row.usedAt,
    way: row.way.toUpperCase() as Uppercase<LoginWay>,
    realm: row.realm ?? undefined,
    device: row.device ?? undefined,
    address: row.address ?? undefined,
    current: row.id === current,
  })),
});

export interface TokenParts extends IdentityParts {
  readonly properties: Properties<IdentityProperty>;
  readonly issueToken: IssueToken;
  readonly forget: Forgetters;
  fingerprint(text: string): string;
}

const lifetime = {
  seconds: whole('How long the token is valid, until the login ends by which it is requested', { least: 1 }),
  autoRefresh: flag('Each use of the token restarts its lifetime', false),
};

/** Seconds for which the text of a login link works: a month at most, a week otherwise. */
const [maxLink, defaultLink] = [2_592_000, 604_800];

export function tokenRoutes(parts: TokenParts): readonly Route[] {
  const { store, settings, clock } = parts;
  const own = roleOrOwn(administrator, store);
  const entities = { name: userAt(parts) };
  return [
    route({
      method: 'GET',
      path: '/token',
      says: 'Creates a token for the caller.',
      query: lifetime,
      answers: raw([authenticationTokenDocument, 'text']),
      noStore: true,
      access: anyCaller,
      // The token names the account that acts, and ends with its right to act.
      acting: 'allowed',
      handle: (call) => tokenFor(subjectOf(call).name, call),
    }),
    route({
      method: 'GET',
      path: '/user/:name/token',
      says: 'Creates a token for a user.',
      query: lifetime,
      // The one form that clients know here, and those of the other path.
      answers: raw(['text', authenticationTokenDocument]),
      noStore: true,
      access: own,
      acting: 'allowed',
      handle: (call, { name }) => tokenFor(name, call),
    }),
    route({
      method: 'POST',
      path: '/user/:name/link',
      says: 'A text by which a user logs in once and chooses a password: the web page takes it behind /ui/first#link=. A new password ends it.',
      entities,
      query: {
        seconds: whole('How long the text works', { least: 60, max: maxLink, defaultValue: defaultLink }),
      },
      answers: 'text',
      noStore: true,
      access: role(administrator),
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name: { name } }) {
        const user = existing(await findLogin(store, { name }), noSuchUser, name);
        if (user.enabled !== 1) throw disabledUser(name);
        const maker = makerOf(subjectOf(call), user.id);
        const { token, work } = parts.issueToken(user, { ...linkIssue(call.query.seconds * 1000), maker });
        await call.commit(work);
        return token;
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name/tokens',
      says: 'The tokens of a user that are valid.',
      entities,
      query: page(settings.maxPage),
      answers: authenticationTokenListDocument,
      access: own,
      async handle(call, { name: user }) {
        const values = { userId: user.id, now: clock.now(), ...pageOf(call.query) };
        const rows = await pageWithin(tokensOfUser, call.reader, values, settings.maxPageValues);
        return tokenListOf(rows, loginOf(call));
      },
    }),
    route({
      method: 'DELETE',
      path: '/user/:name/tokens',
      says: 'Revokes all tokens of a user.',
      entities,
      query: { others: flag('Keeps the token or session of this request', false) },
      access: own,
      acting: onlyOwnAccount(store),
      handle: (call, { name: user }) => call.commit(revokeAll(user, call.query.others ? loginOf(call) : undefined)),
    }),
    route({
      method: 'DELETE',
      path: '/user/:name/tokens/:id',
      says: 'Revokes one token of a user.',
      entities,
      access: own,
      acting: onlyOwnAccount(store),
      handle: (call, { name: user, id }) => call.commit(revokeOne(user, id, parts.forget.login(id, 'revocation'))),
    }),
  ];

  async function tokenFor(name: string, call: Call<QueryOf<typeof lifetime>>): Promise<Reply> {
    const { seconds, autoRefresh } = call.query;
    const subject = subjectOf(call);
    const user = existing(await findLogin(store, { name }), noSuchUser, name);
    if (user.enabled !== 1) throw disabledUser(user.name);
    const actor = await merelyActing(subject);
    const administers = actor === undefined && (await subject.has(administrator));
    // The caller's own is bound to the password that this request came in under, even if there is another one by now.
    const holder = user.id === subject.user?.id ? subject.user : user;
    const from = { ...waysOf(subject), ...placeOf(call) };
    const { token, expires, work } = parts.issueToken(holder, {
      kind: 'token',
      lifetime: lifetimeOf(seconds, await readLifetimes(), administers),
      autoRefresh,
      endsAt: endOfLogin(subject, clock.now(), settings.realmLoginSeconds * 1000),
      keyId: subject.proof?.key ?? null,
      from,
      // A token of a session is as old as its login.
      loginAt: subject.proof?.loginAt,
      actor: actor?.user,
      maker: makerOf(subject, holder.id),
      login: subject.proof?.login,
    });
    // A token that is made for another user, or while acting for one, is no login of that user.
    const isOwn = user.id === subject.user?.id && !subject.actor;
    const place = isOwn ? await loginPlaceOf(parts, user, from, clock.now()) : { changes: [], events: [] };
    await call.commit({ ...work, changes: [...work.changes, ...place.changes], events: place.events });
    const { type, render } = call;
    const document = { token, user: user.name };
    const reply = type === 'text/plain' ? plain(token) : render(type, authenticationTokenDocument, document);
    // The documents of the original have no place for it.
    return { ...reply, headers: { 'portico-expires': new Date(expires).toISOString() } };
  }

  async function readLifetimes() {
    const { properties } = parts;
    return {
      defaultValue: (await properties('userTokenDefaultInterval')) * 1000,
      max: (await properties('userTokenMaxInterval')) * 1000,
    };
  }
}

/** The run-as caller, unless it is an administrator: the token records it and ends with its right to act. */
async function merelyActing({ actor }: Subject): Promise<Subject | undefined> {
  return actor && !(await actor.has(administrator)) ? actor : undefined;
}
