import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { badParameter, choice, flag, text } from '../../../http/parameters/index.ts';
import { type Route, role, roleMissing, route } from '../../../http/route.ts';
import { userNamed } from '../../../identity/public.ts';
import type { CoreContext } from '../../../room/context.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { subjectOf } from '../../../security/caller.ts';
import { guardedEntity } from '../access.ts';
import { type AccessTarget, isAtLeast, levels, type OperationType, operationTypes, targetIn } from '../levels.ts';
import { askingOf, levelsOn, mustHave } from '../viewer.ts';
import {
  accessControlMergedDocument,
  accessControlMergedGroupDocument,
  accessExplanationDocument,
} from './documents.ts';
import { explainAccess } from './explain.ts';
import { mergedForGroups, mergedReading } from './merge.ts';

const read = role('_accesscontrol_read');
const readsUsers = '_user_read';

const operation = {
  type: choice('The kind of operation', operationTypes, { defaultValue: 'GENERIC' }),
  extradata: text('The field, the shape tag, or the type of the container'),
};

interface OperationQuery {
  readonly type: OperationType;
  readonly extradata?: string | undefined;
}

/** Routes for the effective access of users and groups to entities of a kind, with the reasons. */
export function mergedRoutes(parts: CoreContext, kind: EntityKind): readonly Route[] {
  const { store, perform } = parts;
  const { type } = kind;
  const path = `/${type}/:${type}`;
  const entity = guardedEntity(store, kind);
  const [forReaders, forManagers] = [{ [type]: entity('READ') }, { [type]: entity('ALL') }];

  /** Uses the reader of the account: some users are in thousands of groups. */
  const readerFor = (call: Call) => call.reader;

  /** Callers with READ may query themselves. Answers about others tell who exists, and who is an administrator. */
  async function userFor(call: Call, target: AccessTarget, name: string) {
    const subject = subjectOf(call);
    if (name !== subject.name) {
      if (!(await subject.has(readsUsers))) throw roleMissing(readsUsers);
      await mustHave(store, call, kind, target, 'ALL');
    }
    return userNamed(parts, name);
  }

  const operationIn = ({ type, extradata }: OperationQuery) => ({
    type,
    ...(extradata !== undefined && { extradata }),
  });

  return [
    route({
      method: 'GET',
      path: `${path}/merged-access`,
      says: `The access entries that apply to a ${type}, by user, in order of precedence.`,
      entities: forReaders,
      query: {
        username: text('Only the entries for this user. Another user than the caller needs `_user_read`'),
        permission: choice('The required level', levels, { defaultValue: 'NONE' }),
        ...operation,
      },
      answers: answer(accessControlMergedDocument, { list: 'access' }),
      access: read,
      async handle(call, segments) {
        const { username, permission, extradata } = call.query;
        const target = targetIn(type, segments);
        if (username === undefined) {
          if (extradata !== undefined) throw badParameter('username', 'Expected the name of a user beside extradata');
          const own = subjectOf(call).user;
          const { levelOf } = await levelsOn(store, await askingOf(call), [target]);
          if (!own || isAtLeast(levelOf(target), 'ALL')) {
            const seesAll = await subjectOf(call).has(readsUsers);
            return { access: await perform(call, mergedReading, { target, readsUsers: seesAll }) };
          }
          return {
            access: await perform(call, mergedReading, {
              target,
              user: { id: own.id, name: own.name },
              readsUsers: false,
            }),
          };
        }
        const user = await userFor(call, target, username);
        const requested = operationIn(call.query);
        const query = { username: user.name, permission, ...requested, item: target.id };
        return {
          query,
          access: await perform(call, mergedReading, {
            target,
            user: { id: user.id, name: user.name },
            operation: requested,
            readsUsers: false,
          }),
        };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/merged-access/group`,
      says: `The access entries that apply to a ${type}, by group.`,
      entities: forManagers,
      query: { full: flag('Whether to answer all entries, also of groups without users', false) },
      answers: answer(accessControlMergedGroupDocument, { list: 'access' }),
      access: read,
      async handle(call, segments) {
        return { access: await mergedForGroups(readerFor(call), targetIn(type, segments), call.query.full) };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/access/explain`,
      says: `The access entry that decides what a user may do with a ${type}, with an explanation.`,
      entities: forReaders,
      query: {
        user: text('The user. Another one than the caller needs `_user_read`', {
          required: true,
          expected: 'Expected the name of a user',
        }),
        ...operation,
      },
      answers: answer(accessExplanationDocument, {
        text: ({ reason, entry = [] }) => [reason, ...entry.map(({ id, says }) => `${id}: ${says}`)].join('\n'),
      }),
      access: read,
      async handle(call, segments) {
        const target = targetIn(type, segments);
        const user = await userFor(call, target, call.query.user);
        const requested = operationIn(call.query);
        const explained = await explainAccess(readerFor(call), target, user, requested);
        return { user: user.name, id: target.id, ...requested, ...explained };
      },
    }),
  ];
}
