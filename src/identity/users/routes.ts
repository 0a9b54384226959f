import { keyValuesFrom } from '../../entities/key-values/documents.ts';
import { noKeyValues } from '../../entities/key-values/store.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { type Call, optionalDocument, requireDocument } from '../../http/call.ts';
import { documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { list, page, pageOf, text } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, located, plain, type Reply } from '../../http/reply.ts';
import { anyCaller, type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { type User, userDocument, userListDocument } from '../documents/users-and-groups.ts';
import { membershipChangeOf } from '../memberships/rules.ts';
import type { IdentityParts } from '../parts.ts';
import { rawOnly } from '../passwords/raw.ts';
import { readersOf } from '../readers.ts';
import { changeUser, userNamed } from './change.ts';
import { createdDocument, listedUsers, userDocuments } from './documents.ts';
import { disabled, enabledOf, newHash } from './input.ts';
import { type CreateUser, createUser, noSuchUser, updateUser } from './rules.ts';
import { listUsers, namesAround, type UserRow, userById } from './store.ts';

export function userRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
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
      produces: textOnly,
      handle: (call) => plain(subjectOf(call).name),
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
      answers: userListDocument,
      access: role('_user_read'),
      produces: documentTypes,
      async handle(call, type) {
        const readers = readersOf(store, call);
        const wanted = pageOf(call.query);
        const { hits, users } = await listUsers(readers.forRows(wanted), {
          names: call.query.name,
          enabled: enabledOf(call.query.disabled),
          ...wanted,
        });
        const user = await listedUsers(readers, users, settings);
        return renderList(render, type, userListDocument, { hits, user }, 'user');
      },
    }),
    route({
      method: 'POST',
      path: '/user',
      says: 'Creates a user.',
      query: { passwordType: rawOnly },
      reads: userDocument,
      answers: ['nothing', userDocument],
      access: role('_administrator'),
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type) {
        const document = await requireDocument(call, userDocument, parts.limits);
        return await create(call, type, {
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
      answers: userDocument,
      access: roleOrSelf('_user_read', 'name'),
      produces: documentTypes,
      handle: async (_call, type, params) => show(type, await userNamed(parts, params.name)),
    }),
    route({
      method: 'PUT',
      path: '/user/:name',
      says: 'Changes a user; without a body it creates one.',
      query: { passwordType: rawOnly },
      reads: ['nothing', userDocument],
      answers: ['nothing', userDocument],
      access: role('_administrator'),
      acting: 'partly',
      produces: documentTypes,
      async handle(call, type, params) {
        const name = params.name;
        const document = await optionalDocument(call, userDocument, parts.limits);
        // Without a body the user is to be made; with one it must be there.
        if (document) return update(call, type, name, document);
        if (await onlyActs(call)) throw outlastsActing();
        return create(call, type, {
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

  async function create(call: Call, type: MediaType, command: CreateUser): Promise<Reply> {
    const id = await store.nextId('user');
    await call.commit(createUser(command, id, parts.clock.now()));
    const reply = wantsRepresentation(call) ? render(type, userDocument, createdDocument(command, id, site)) : done;
    return located(reply, call, 'user', command.name);
  }

  async function update(call: Call, type: MediaType, asked: string, document: User): Promise<Reply> {
    await userNamed(parts, asked);
    const actingFor = (await onlyActs(call)) ? (subjectOf(call).user?.id ?? '') : undefined;
    // Before the hash, which is slow.
    if (actingFor !== undefined && document.password !== undefined) throw outlastsActing();
    const password = document.password === undefined ? undefined : await hashOf(document.password);
    const groups = membershipChangeOf(document.groupList?.group, (group) => group.groupName);
    const metadata = metadataFrom(document);
    const { id } = await changeUser(parts, call, asked, async (row) => {
      const around = await namesAround(store, row);
      const state = { row, aliases: around.aliases, groups: new Set(around.groups) };
      // The name that the path gave may be an alias: to repeat it is no wish for another name.
      const name = document.userName === asked ? row.name : document.userName;
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
    const row = await userById(store, { id });
    if (!row) throw noSuchUser(asked);
    return show(type, row);
  }

  async function show(type: MediaType, row: UserRow): Promise<Reply> {
    const [document] = await userDocuments(store, [row], site);
    return render(type, userDocument, document!);
  }

  function hashOf(password: string): Promise<string> {
    return newHash(parts, password, '/UserDocument/password');
  }
}

/** RFC 7240: the answer is empty, as clients know it, unless the caller asks for what was made. */
function wantsRepresentation(call: Call): boolean {
  return /(?:^|[\s,;])return\s*=\s*"?representation/i.test(call.request.headers.get('prefer') ?? '');
}
