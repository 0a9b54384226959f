import { baseOf } from '../../http/address.ts';
import { readDocument, readText } from '../../http/body.ts';
import { accountOf, type Call, caller } from '../../http/call.ts';
import { documentOrText, textOnly } from '../../http/negotiation.ts';
import { booleanParameter, listParameter, pageParameters } from '../../http/parameter.ts';
import { done, lines, plain } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { administrator } from '../../security/subject.ts';
import { decideAnew } from '../attempts.ts';
import { groupDocument, groupListDocument } from '../documents/users-and-groups.ts';
import { parentsOf } from '../memberships/store.ts';
import type { IdentityParts } from '../parts.ts';
import { powerOf } from '../power.ts';
import { changeGroup, groupNamed } from './change.ts';
import { commandFrom, groupDocumentOf, listedGroups } from './documents.ts';
import { deleteGroups, putNothing } from './rules.ts';
import { type GroupRow, groupsNamed, listGroups } from './store.ts';

export function groupRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const { site } = settings;

  return [
    {
      method: 'GET',
      path: '/group',
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type) {
        const reader = store.reader(accountOf(call));
        const { hits, groups } = await listGroups(reader, {
          role: booleanParameter(call.parameters, 'role'),
          ...pageParameters(call.parameters, settings.maxPage),
        });
        if (type === 'text/plain') return lines(groups.map((row) => [addressOf(call, row.name)]));
        return render(type, groupListDocument, { hits, group: await listedGroups(reader, groups, settings) });
      },
    },
    {
      method: 'DELETE',
      path: '/group',
      access: role('_group_write'),
      acting: 'refused',
      produces: [],
      async handle(call) {
        const names = listParameter(call.parameters, 'name');
        if (!names) throw nameMissing();
        // Names that nothing has are passed over: what is asked for is that they are gone.
        await remove(call, async () => groupsNamed(store, { names: JSON.stringify(names) }));
        return done;
      },
    },
    {
      method: 'GET',
      path: '/group/:name',
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await groupNamed(parts, params['name']!);
        if (type === 'text/plain') return plain(addressOf(call, row.name));
        const document = await groupDocumentOf(store.reader(accountOf(call)), row, site, settings.maxPage);
        return render(type, groupDocument, document);
      },
    },
    {
      method: 'PUT',
      path: '/group/:name',
      access: role('_group_write'),
      acting: 'partly',
      produces: [],
      async handle(call, _type, params) {
        const name = params['name']!;
        const clear = booleanParameter(call.parameters, 'clear') ?? false;
        const document = await readDocument(call.request, groupDocument, parts.limits);
        // Without a body the group is to be made, so it must not be there; with one it is made or changed.
        await changeGroup(
          parts,
          call,
          commandFrom(name, document ?? {}, clear, settings.maxMetadataBytes),
          document ? 'either' : 'new',
        );
        return done;
      },
    },
    {
      method: 'DELETE',
      path: '/group/:name',
      access: role('_group_write'),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await remove(call, async () => [await groupNamed(parts, params['name']!)]);
        return done;
      },
    },
    {
      method: 'GET',
      path: '/group/:name/role',
      access: role('_group_read'),
      produces: textOnly,
      handle: async (_call, _type, params) => plain(String((await groupNamed(parts, params['name']!)).role)),
    },
    {
      method: 'GET',
      path: '/group/:name/description',
      access: role('_group_read'),
      produces: textOnly,
      handle: async (_call, _type, params) => plain((await groupNamed(parts, params['name']!)).description ?? ''),
    },
    {
      method: 'PUT',
      path: '/group/:name/description',
      access: role('_group_write'),
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const description = await readText(call.request, parts.limits.bytes);
        await changeGroup(parts, call, { ...putNothing(params['name']!), description }, 'there');
        return done;
      },
    },
  ];

  async function remove(call: Call, find: () => Promise<readonly GroupRow[]>): Promise<void> {
    const byAdministrator = await caller(call).has(administrator);
    await decideAnew(async () => {
      const rows = await find();
      if (rows.length === 0) return;
      const names = rows.map((row) => row.name);
      // First what says whether the rest still holds.
      const power = await powerOf(store, names);
      const leaving = await Promise.all(
        rows.map(async (row) => ({
          row,
          parents: (await parentsOf(store, { id: row.id, limit: -1 })).map((parent) => parent.name),
        })),
      );
      await parts.commit(deleteGroups(leaving, power, byAdministrator), call);
    });
  }
}

const addressOf = (call: Call, name: string): string => `${baseOf(call)}/group/${encodeURIComponent(name)}`;

function nameMissing(): ServiceError {
  const explanation = 'Expected names of groups, with commas between';
  return new ServiceError('bad-parameter', { context: 'parameter', id: 'name', explanation });
}
