import { entityNamed } from '../../entities/find.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { badParameter, choice, flag, text } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { plain } from '../../http/reply.ts';
import { type Params, type Route, role, route } from '../../http/route.ts';
import { noSuchUser } from '../../identity/public.ts';
import { findUser } from '../../identity/public-reading.ts';
import type { CoreContext } from '../../room/context.ts';
import { accountOf, subjectOf } from '../../security/caller.ts';
import type { AccessResource } from '../entries/routes.ts';
import { type AccessTarget, isAtLeast, type Level, levels, type OperationType, operationTypes } from '../levels.ts';
import { askingOf, lacking, levelsOn } from '../viewer.ts';
import {
  accessControlMergedDocument,
  accessControlMergedGroupDocument,
  accessExplanationDocument,
} from './documents.ts';
import { explainAccess } from './explain.ts';
import { mergedForAll, mergedForGroups, mergedForUser } from './merge.ts';

const read = role('_accesscontrol_read');

/** Routes for the effective access of users and groups to entities of a kind, with the reasons. */
export function mergedRoutes({ store, render }: CoreContext, at: AccessResource): readonly Route[] {
  const { kind } = at;
  const param = at.path.slice(at.path.indexOf(':') + 1);

  /** Uses the reader of the account: some users are in thousands of groups. */
  const readerFor = (call: Call) => store.reader(accountOf(call));

  /** Callers with READ may query themselves; queries about others need ALL. */
  async function find(call: Call, params: Params, isOwn: boolean): Promise<{ place: AccessTarget; level: Level }> {
    const { id } = await entityNamed(store, kind, params[param]!);
    const place = { type: kind.type, id };
    const wanted = isOwn ? 'READ' : 'ALL';
    const { levelOf } = await levelsOn(store, await askingOf(call), [place]);
    const level = levelOf(place);
    if (!isAtLeast(level, wanted)) throw lacking(kind, id, wanted);
    return { place, level };
  }

  const userNamed = async (name: string) => {
    const user = await findUser(store, { name });
    if (user) return user;
    throw noSuchUser(name.slice(0, 80));
  };
  const operation = {
    type: choice('The kind of operation', operationTypes, { usual: 'GENERIC' }),
    extradata: text('The field, the shape tag, or the type of the container'),
  };
  const askedIn = ({ type, extradata }: { readonly type: OperationType; readonly extradata?: string | undefined }) => ({
    type,
    ...(extradata !== undefined && { extradata }),
  });

  return [
    route({
      method: 'GET',
      path: `${at.path}/merged-access`,
      says: `The access entries that apply to a ${kind.type}, by user, in order of precedence.`,
      query: {
        username: text('Only the entries for this user'),
        permission: choice('The required level', levels, { usual: 'NONE' }),
        ...operation,
      },
      answers: accessControlMergedDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { username, permission, extradata } = call.query;
        if (username === undefined) {
          if (extradata !== undefined) throw badParameter('username', 'Expected the name of a user beside extradata');
          const { place, level } = await find(call, params, true);
          const own = subjectOf(call).user;
          const isAll = isAtLeast(level, 'ALL') || !own;
          const access = isAll
            ? await mergedForAll(readerFor(call), place)
            : await mergedForUser(readerFor(call), place, own);
          return renderList(render, type, accessControlMergedDocument, { access }, 'access');
        }
        const isOwn = username === subjectOf(call).name;
        const { place } = await find(call, params, isOwn);
        const user = await userNamed(username);
        const asked = askedIn(call.query);
        const access = await mergedForUser(readerFor(call), place, user, asked);
        const query = { username: user.name, permission, ...asked, item: place.id };
        return renderList(render, type, accessControlMergedDocument, { query, access }, 'access');
      },
    }),
    route({
      method: 'GET',
      path: `${at.path}/merged-access/group`,
      says: `The access entries that apply to a ${kind.type}, by group.`,
      query: { full: flag('Whether to answer all entries, also of groups without users', false) },
      answers: accessControlMergedGroupDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const access = await mergedForGroups(readerFor(call), (await find(call, params, false)).place, call.query.full);
        return renderList(render, type, accessControlMergedGroupDocument, { access }, 'access');
      },
    }),
    route({
      method: 'GET',
      path: `${at.path}/access/explain`,
      says: `The access entry that decides what a user may do with a ${kind.type}, with an explanation.`,
      query: { user: text('The user', { required: true, expected: 'Expected the name of a user' }), ...operation },
      answers: [accessExplanationDocument, 'text'],
      access: read,
      produces: [...documentTypes, 'text/plain'],
      async handle(call, type, params) {
        const isOwn = call.query.user === subjectOf(call).name;
        const { place } = await find(call, params, isOwn);
        const user = await userNamed(call.query.user);
        const asked = askedIn(call.query);
        const found = await explainAccess(readerFor(call), place, user, asked);
        if (type === 'text/plain') return plain([found.reason, ...found.entry.map(entryLine)].join('\n'));
        return render(type, accessExplanationDocument, { user: user.name, id: place.id, ...asked, ...found });
      },
    }),
  ];
}

const entryLine = ({ id, says }: { readonly id: string; readonly says: string }): string => `${id}: ${says}`;
