import { type User, userDocument, userListDocument } from '../../documents/index.ts';
import { type Call, caller, requireDocument } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { choiceParameter, integerParameter, listParameter } from '../../http/parameter.ts';
import { done, plain } from '../../http/reply.ts';
import { anyCaller, type Route, role, roleOrSelf } from '../../http/route.ts';
import { keyValuesFrom } from '../key-values/documents.ts';
import type { IdentityParts } from '../parts.ts';
import { rawPasswords } from '../passwords/raw.ts';
import { createdDocument, userDocuments, userListOf } from './documents.ts';
import { checkPassword, createUser, noSuchUser } from './rules.ts';
import { findUser, listUsers } from './store.ts';

export function userRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const { site } = settings;

  return [
    {
      method: 'GET',
      path: '/whoami',
      access: anyCaller,
      produces: textOnly,
      handle: (call) => plain(caller(call).name),
    },
    {
      method: 'GET',
      path: '/user',
      access: role('_user_read'),
      produces: documentTypes,
      async handle(call, type) {
        const { parameters } = call;
        const disabled = choiceParameter(parameters, 'disabled', ['true', 'false', 'all']);
        const { hits, users } = await listUsers(store, {
          names: listParameter(parameters, 'name'),
          enabled: disabled === undefined || disabled === 'all' ? undefined : disabled === 'false',
          offset: (integerParameter(parameters, 'first', 1) ?? 1) - 1,
          limit: Math.min(integerParameter(parameters, 'number', 0) ?? settings.maxPage, settings.maxPage),
        });
        return render(type, userListDocument, await userListOf(store, users, hits, site));
      },
    },
    {
      method: 'POST',
      path: '/user',
      access: role('_administrator'),
      produces: documentTypes,
      async handle(call, type) {
        rawPasswords(call, 'passwordType');
        const document = await requireDocument(call, userDocument, parts.limits);
        const id = await store.nextId('user');
        const command = await commandFrom(document);
        await parts.commit(createUser(command, id, parts.clock.now()), call);
        return wantsRepresentation(call) ? render(type, userDocument, createdDocument(command, id, site)) : done;
      },
    },
    {
      method: 'GET',
      path: '/user/:name',
      access: roleOrSelf('_user_read', 'name'),
      produces: documentTypes,
      async handle(_call, type, params) {
        const name = params['name']!;
        const row = await findUser(store, { name });
        if (!row) throw noSuchUser(name);
        const [document] = await userDocuments(store, [row], site);
        return render(type, userDocument, document!);
      },
    },
  ];

  async function commandFrom(document: User) {
    const { password } = document;
    if (password !== undefined) checkPassword(password, settings.maxPasswordLength, '/UserDocument/password');
    return {
      name: document.userName,
      realName: document.realName ?? null,
      password: password === undefined ? null : await parts.passwords.hash(password),
      aliases: document.alias ?? [],
      groups: (document.groupList?.group ?? []).filter((group) => !group.remove).map((group) => group.groupName),
      metadata: keyValuesFrom(document.metadata, '/UserDocument/metadata/field/key'),
      runAs: document.runAs,
    };
  }
}

/** RFC 7240: the answer is empty, as clients know it, unless the caller asks for what was made. */
function wantsRepresentation(call: Call): boolean {
  return /(?:^|[\s,;])return\s*=\s*"?representation/i.test(call.request.headers.get('prefer') ?? '');
}
