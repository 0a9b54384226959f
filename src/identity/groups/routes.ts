import { baseOf } from '../../http/address.ts';
import { type Call, optionalDocument, sentText } from '../../http/call.ts';
import { documentOrText, textOnly } from '../../http/negotiation.ts';
import { flag, list, page, pageOf, text } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, lines, plain } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { groupDocument, groupListDocument } from '../documents/users-and-groups.ts';
import type { IdentityParts } from '../parts.ts';
import { readersOf } from '../readers.ts';
import { changeGroup, groupNamed, leavingGroups } from './change.ts';
import { commandFrom, groupDocumentOf, listedGroups } from './documents.ts';
import { deleteGroups, putNothing } from './rules.ts';
import { type GroupRow, groupsNamed, listGroups } from './store.ts';

export function groupRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const { site } = settings;

  return [
    route({
      method: 'GET',
      path: '/group',
      says: 'The groups, ordered by name.',
      query: { role: flag('Only the groups that are roles, or only the others'), ...page(settings.maxPage) },
      answers: [groupListDocument, 'text'],
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type) {
        const readers = readersOf(store, call);
        const wanted = pageOf(call.query);
        const { hits, groups } = await listGroups(readers.forRows(wanted), { role: call.query.role, ...wanted });
        if (type === 'text/plain') return lines(groups.map((row) => [addressOf(call, row.name)]));
        const group = await listedGroups(readers, groups, settings);
        return renderList(render, type, groupListDocument, { hits, group }, 'group');
      },
    }),
    route({
      method: 'DELETE',
      path: '/group',
      says: 'Deletes the named groups.',
      query: {
        name: list(
          text('The groups to delete', { required: true, expected: 'Expected names of groups, with commas between' }),
        ),
      },
      access: role('_group_write'),
      acting: 'refused',
      produces: [],
      async handle(call) {
        // Names that nothing has are passed over: what is asked for is that they are gone.
        await remove(call, async () => groupsNamed(store, { names: JSON.stringify(call.query.name) }));
        return done;
      },
    }),
    route({
      method: 'GET',
      path: '/group/:name',
      says: 'One group with its users, parents and children.',
      answers: [groupDocument, 'text'],
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await groupNamed(parts, params.name);
        if (type === 'text/plain') return plain(addressOf(call, row.name));
        const document = await groupDocumentOf(readersOf(store, call), row, site, settings.maxPage);
        return render(type, groupDocument, document);
      },
    }),
    route({
      method: 'PUT',
      path: '/group/:name',
      says: 'Creates or changes a group. Without a body, an existing group stays as it is.',
      query: { clear: flag('Removes all members and parents that the document leaves out', false) },
      reads: ['nothing', groupDocument],
      access: role('_group_write'),
      acting: 'partly',
      produces: [],
      async handle(call, _type, params) {
        const name = params.name;
        const document = await optionalDocument(call, groupDocument, parts.limits);
        // Scripts that prepare a service ask for the same groups again and again. Without a body nothing is cleared.
        const command = document && commandFrom(name, document, call.query.clear, settings.maxMetadataBytes);
        await changeGroup(parts, call, command ?? putNothing(name), 'either');
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: '/group/:name',
      says: 'Deletes a group.',
      access: role('_group_write'),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await remove(call, async () => [await groupNamed(parts, params.name)]);
        return done;
      },
    }),
    route({
      method: 'GET',
      path: '/group/:name/role',
      says: 'Whether the group is a role: 1, or 0.',
      answers: 'text',
      access: role('_group_read'),
      produces: textOnly,
      handle: async (_call, _type, params) => plain(String((await groupNamed(parts, params.name)).role)),
    }),
    route({
      method: 'GET',
      path: '/group/:name/description',
      says: 'The description of the group.',
      answers: 'text',
      access: role('_group_read'),
      produces: textOnly,
      handle: async (_call, _type, params) => plain((await groupNamed(parts, params.name)).description ?? ''),
    }),
    route({
      method: 'PUT',
      path: '/group/:name/description',
      says: 'Sets the description of the group.',
      reads: 'text',
      access: role('_group_write'),
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const description = await sentText(call, parts.limits.bytes);
        await changeGroup(parts, call, { ...putNothing(params.name), description }, 'there');
        return done;
      },
    }),
  ];

  async function remove(call: Call, find: () => Promise<readonly GroupRow[]>): Promise<void> {
    const byAdministrator = await subjectOf(call).has(administrator);
    await retryWhenChanged(async () => {
      const rows = await find();
      if (rows.length === 0) return;
      const { leaving, power } = await leavingGroups(store, rows);
      await call.commit(deleteGroups(leaving, power, byAdministrator));
    });
  }
}

const addressOf = (call: Call, name: string): string => `${baseOf(call)}/group/${encodeURIComponent(name)}`;
