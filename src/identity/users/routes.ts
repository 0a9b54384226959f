import { existing } from '../../core/lib/checks.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { list, page, pageOf, text } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { done, located, type Reply } from '../../http/reply.ts';
import { anyCaller, type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { keyValuesFrom } from '../../room/entities/key-values/rules.ts';
import { noKeyValues } from '../../room/entities/key-values/store.ts';
import { subjectOf } from '../../security/caller.ts';
import { onlyOwnAccount } from '../access-checks.ts';
import { type User, userDocument, userListDocument } from '../documents.ts';
import { membershipChangeOf } from '../memberships/rules.ts';
import { type IdentityParts, readersOf } from '../parts.ts';
import { changeUser, userAt, userNamed } from './change.ts';
import { createdDocument, listedUsers, userDocuments } from './documents.ts';
import { disabled, enabledOf, newHash, rawOnly } from './input.ts';
import { type CreateUser, changeRealName, createUser, giveAlias, noSuchUser, takeAlias, updateUser } from './rules.ts';
import { listUsers, namesAround, type UserRow, userById } from './store.ts';

export function userRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings } = parts;
  const { site } = settings;
  const metadataFrom = (document: User) =>
    keyValuesFrom(document.metadata, '/UserDocument/metadata/field/key', settings.maxMetadataBytes);

  return [
    route({
      method: 'GET',
      path: '/whoami',
      says: 'The name of the user whose rights the request has.',
      answers: 'text',
      access: anyCaller,
      handle: (call) => subjectOf(call).name,
    }),
    route({
      method: 'GET',
      path: '/user',
      says: 'The users, ordered by name.',
      query: {
        name: list(text('Only the users with these names')),
        disabled,
        ...page(settings.maxPage),
      },
      answers: answer(userListDocument, { list: 'user' }),
      access: role('_user_read'),
      async handle(call) {
        const readers = readersOf(store, call);
        const { name: names, disabled, ...rows } = call.query;
        const page = pageOf(rows);
        const filter = { names, enabled: enabledOf(disabled), ...page };
        const { hits, users } = await listUsers(readers.forRows(page), filter);
        return { hits, user: await listedUsers(readers, users, settings) };
      },
    }),
    route({
      method: 'POST',
      path: '/user',
      says: 'Creates a user.',
      query: { passwordType: rawOnly },
      reads: userDocument,
      answers: raw(['nothing', userDocument]),
      access: role('_administrator'),
      acting: 'refused',
      isDangerous: true,
      async handle(call) {
        const document = call.body;
        return create(call, {
          name: document.userName,
          realName: document.realName ?? null,
          password: document.password === undefined ? null : await hashOf(document.password),
          aliases: document.alias ?? [],
          groups: membershipChangeOf(document.groupList?.group, (group) => group.groupName).add,
          metadata: metadataFrom(document),
          runAs: document.runAs,
        });
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name',
      says: 'One user, by name or alias.',
      entities: { name: userAt(parts) },
      answers: userDocument,
      access: roleOrSelf('_user_read', 'name'),
      handle: (_call, { name: row }) => documentOf(row),
    }),
    route({
      method: 'PUT',
      path: '/user/:name',
      says: 'Changes a user; without a body it creates one.',
      query: { passwordType: rawOnly },
      reads: optional(userDocument),
      answers: raw(['nothing', userDocument]),
      access: role('_administrator'),
      acting: 'partly',
      isDangerous: true,
      async handle(call, { name }) {
        // Without a body the user is to be made; with one it must be there.
        if (call.body) return call.render(call.type, userDocument, await update(call, name, call.body));
        if (await onlyActs(call)) throw outlastsActing();
        return create(call, {
          name,
          realName: null,
          password: null,
          aliases: [],
          groups: [],
          metadata: noKeyValues,
        });
      },
    }),
  ];

  async function create(call: Call, command: CreateUser): Promise<Reply> {
    const id = await store.nextId('user');
    await call.commit(createUser(command, id, parts.clock.now()));
    const rendered = () => call.render(call.type, userDocument, createdDocument(command, id, site));
    return located(wantsRepresentation(call) ? rendered() : done, call, 'user', command.name);
  }

  async function update(call: Call, pathName: string, document: User): Promise<User> {
    await userNamed(parts, pathName);
    const actingFor = (await onlyActs(call)) ? (subjectOf(call).user?.id ?? '') : undefined;
    // Before the hash, which is slow.
    if (actingFor !== undefined && document.password !== undefined) throw outlastsActing();
    const password = document.password === undefined ? undefined : await hashOf(document.password);
    const groups = membershipChangeOf(document.groupList?.group, (group) => group.groupName);
    const metadata = metadataFrom(document);
    const { id } = await changeUser(parts, call, pathName, async (row) => {
      const around = await namesAround(store, row);
      const state = { row, aliases: around.aliases, groups: new Set(around.groups) };
      // The name that the path gave may be an alias: to repeat it asks for no other name.
      const name = document.userName === pathName ? row.name : document.userName;
      return updateUser(
        {
          name,
          realName: document.realName,
          password,
          aliases: document.alias ?? [],
          groups,
          metadata,
          runAs: document.runAs,
        },
        state,
        actingFor,
      );
    });
    const row = existing(await userById(store, { id }), noSuchUser, pathName);
    return documentOf(row);
  }

  async function documentOf(row: UserRow): Promise<User> {
    const [document] = await userDocuments(store, [row], site);
    return document!;
  }

  function hashOf(password: string): Promise<string> {
    return newHash(parts, password, '/UserDocument/password');
  }
}

/** RFC 7240: the answer is empty, as clients know it, unless the caller asks for what was made. */
function wantsRepresentation(call: Call): boolean {
  return /(?:^|[\s,;])return\s*=\s*"?representation/i.test(call.request.headers.get('prefer') ?? '');
}

/** Single facts about a user. */
export function profileRoutes(parts: IdentityParts): readonly Route[] {
  const { store } = parts;
  const path = '/user/:name';
  const aliasesOf = async (row: UserRow) => (await namesAround(store, row)).aliases;

  return [
    route({
      method: 'GET',
      path: `${path}/realname`,
      says: 'The real name of a user.',
      entities: { name: userAt(parts) },
      answers: 'text',
      access: roleOrSelf('_user_read', 'name'),
      handle: (_call, { name: { realName } }) => realName ?? '',
    }),
    route({
      method: 'PUT',
      path: `${path}/realname`,
      says: 'Sets the real name of a user.',
      reads: 'text',
      access: role('_administrator'),
      acting: onlyOwnAccount(store),
      async handle(call, { name }) {
        await changeUser(parts, call, name, (row) => changeRealName(row, call.body));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/alias/:alias`,
      says: 'Adds an alias to a user.',
      access: role('_administrator'),
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name, alias }) {
        await changeUser(parts, call, name, async (row) => giveAlias(row, await aliasesOf(row), alias));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/alias/:alias`,
      says: 'Removes an alias of a user.',
      access: role('_administrator'),
      acting: 'refused',
      async handle(call, { name, alias }) {
        await changeUser(parts, call, name, async (row) => takeAlias(row, await aliasesOf(row), alias));
      },
    }),
  ];
}
