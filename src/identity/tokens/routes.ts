import type { Properties } from '../../api-settings/properties/values.ts';
import { pageWithin } from '../../entities/page-weight.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { flag, page, pageOf, type QueryOf, whole } from '../../http/parameters/index.ts';
import { done, notStored, plain, type Reply } from '../../http/reply.ts';
import { anyCaller, type Route, route } from '../../http/route.ts';
import { accountOf, subjectOf } from '../../security/caller.ts';
import { administrator, type Subject } from '../../security/subject.ts';
import { authenticationTokenDocument, authenticationTokenListDocument } from '../documents/token.ts';
import { onlyOwnAccount, roleOrOwn } from '../own-account.ts';
import type { IdentityParts } from '../parts.ts';
import type { IdentityProperty } from '../properties.ts';
import { userNamed } from '../users/change.ts';
import { noSuchUser } from '../users/rules.ts';
import { findLogin } from '../users/store.ts';
import { tokenListOf } from './documents.ts';
import type { IssueToken } from './issue.ts';
import { disabledUser, lifetimeOf, revokeAll, revokeOne } from './rules.ts';
import { tokensOf } from './store.ts';

export interface TokenParts extends IdentityParts {
  readonly properties: Properties<IdentityProperty>;
  readonly issueToken: IssueToken;
}

const lifetime = {
  seconds: whole('How long the token is valid', { least: 1 }),
  autoRefresh: flag('Each use of the token restarts its lifetime', false),
};

export function tokenRoutes(parts: TokenParts): readonly Route[] {
  const { store, settings, clock } = parts;
  const own = roleOrOwn(administrator, store);
  return [
    route({
      method: 'GET',
      path: '/token',
      says: 'Creates a token for the caller.',
      query: lifetime,
      answers: [authenticationTokenDocument, 'text'],
      access: anyCaller,
      // The token names the account that acts, and ends with its right to act.
      acting: 'allowed',
      produces: [...documentTypes, ...textOnly],
      handle: (call, type) => tokenFor(subjectOf(call).name, call, type),
    }),
    route({
      method: 'GET',
      path: '/user/:name/token',
      says: 'Creates a token for a user.',
      query: lifetime,
      answers: ['text', authenticationTokenDocument],
      access: own,
      acting: 'allowed',
      // The one form that clients know here, and those of the other path.
      produces: [...textOnly, ...documentTypes],
      handle: (call, type, params) => tokenFor(params.name, call, type),
    }),
    route({
      method: 'GET',
      path: '/user/:name/tokens',
      says: 'The tokens of a user that are valid.',
      query: page(settings.maxPage),
      answers: authenticationTokenListDocument,
      access: own,
      produces: documentTypes,
      async handle(call, type, params) {
        const user = await userNamed(parts, params.name);
        const values = { userId: user.id, now: clock.now(), ...pageOf(call.query) };
        const rows = await pageWithin(tokensOf, store.reader(accountOf(call)), values, settings.maxPageValues);
        return parts.render(type, authenticationTokenListDocument, tokenListOf(rows));
      },
    }),
    route({
      method: 'DELETE',
      path: '/user/:name/tokens',
      says: 'Revokes all tokens of a user.',
      access: own,
      acting: onlyOwnAccount(store),
      produces: [],
      async handle(call, _type, params) {
        await call.commit(revokeAll(await userNamed(parts, params.name)));
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: '/user/:name/tokens/:id',
      says: 'Revokes one token of a user.',
      access: own,
      acting: onlyOwnAccount(store),
      produces: [],
      async handle(call, _type, params) {
        const user = await userNamed(parts, params.name);
        await call.commit(revokeOne(user, params.id));
        return done;
      },
    }),
  ];

  async function tokenFor(name: string, call: Call<QueryOf<typeof lifetime>>, type: MediaType): Promise<Reply> {
    const { seconds, autoRefresh } = call.query;
    const subject = subjectOf(call);
    const user = await findLogin(store, { name });
    if (!user) throw noSuchUser(name);
    if (user.enabled !== 1) throw disabledUser(user.name);
    const actor = await merelyActing(subject);
    const administers = actor === undefined && (await subject.has(administrator));
    // The caller's own is bound to the password that this request came in under, even if there is another one by now.
    const holder = user.id === subject.user?.id ? subject.user : user;
    const { token, expires, work } = parts.issueToken(holder, {
      lifetime: lifetimeOf(seconds, await readLifetimes(), administers),
      autoRefresh,
      keyId: subject.proof?.key ?? null,
      actor: actor?.user,
    });
    await call.commit(work);
    const document = { token, user: user.name };
    const reply = type === 'text/plain' ? plain(token) : parts.render(type, authenticationTokenDocument, document);
    // The documents of the original have no place for it.
    return notStored({ ...reply, headers: { 'portico-expires': new Date(expires).toISOString() } });
  }

  async function readLifetimes() {
    const { properties } = parts;
    return {
      usual: (await properties('userTokenDefaultInterval')) * 1000,
      most: (await properties('userTokenMaxInterval')) * 1000,
    };
  }
}

/** The run-as caller, unless it is an administrator: the token records it and ends with its right to act. */
async function merelyActing({ actor }: Subject): Promise<Subject | undefined> {
  return actor && !(await actor.has(administrator)) ? actor : undefined;
}
