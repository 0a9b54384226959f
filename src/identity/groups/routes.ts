import { baseOf } from '../../http/address.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { flag, list, page, pageOf, text } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { groupDocument, groupListDocument } from '../documents.ts';
import { type IdentityParts, readersOf } from '../parts.ts';
import { changeGroup, groupAt, groupNamed, leavingGroups } from './change.ts';
import { briefGroup, commandFrom, groupDocumentOf, listedGroups } from './documents.ts';
import { deleteGroups, putNothing } from './rules.ts';
import { type GroupRow, groupsNamed, listGroups } from './store.ts';

const read = role('_group_read');
const write = role('_group_write');

export function groupRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/group/:name';
  const group = groupAt(parts);

  return [
    route({
      method: 'GET',
      path: '/group',
      says: 'The groups, ordered by name.',
      query: { role: flag('Only the groups that are roles, or only the others'), ...page(settings.maxPage) },
      answers: answer(groupListDocument, {
        list: 'group',
        text: ({ group = [] }, call) => linesOf(group.map(({ groupName }) => [addressOf(call, groupName)])),
      }),
      access: read,
      async handle(call) {
        const readers = readersOf(store, call);
        const page = pageOf(call.query);
        const { hits, groups } = await listGroups(readers.forRows(page), { role: call.query.role, ...page });
        if (call.type === 'text/plain') return { group: groups.map(briefGroup) };
        return { hits, group: await listedGroups(readers, groups, settings) };
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
      access: write,
      acting: 'refused',
      isDangerous: true,
      // Names that nothing has are passed over: what is asked for is that they are gone.
      handle: (call) => remove(call, async () => groupsNamed(store, { names: call.query.name })),
    }),
    route({
      method: 'GET',
      path,
      says: 'One group with its users, parents and children.',
      entities: { name: group },
      answers: answer(groupDocument, { text: ({ groupName = '' }, call) => addressOf(call, groupName) }),
      access: read,
      handle: (call, { name: row }) =>
        call.type === 'text/plain'
          ? briefGroup(row)
          : groupDocumentOf(readersOf(store, call), row, settings.site, settings.maxPage),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Creates or changes a group. Without a body, an existing group stays as it is.',
      query: { clear: flag('Removes all members and parents that the document leaves out', false) },
      reads: optional(groupDocument),
      access: write,
      acting: 'partly',
      isDangerous: true,
      handle(call, { name }) {
        const { body, query } = call;
        // Scripts that prepare a service ask for the same groups again and again. Without a body nothing is cleared.
        const command = body ? commandFrom(name, body, query.clear, settings.maxMetadataBytes) : putNothing(name);
        return changeGroup(parts, call, command, 'either');
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a group.',
      access: write,
      acting: 'refused',
      isDangerous: true,
      handle: (call, { name }) => remove(call, async () => [await groupNamed(parts, name)]),
    }),
    route({
      method: 'GET',
      path: `${path}/role`,
      says: 'Whether the group is a role: 1, or 0.',
      entities: { name: group },
      answers: 'text',
      access: read,
      handle: (_call, { name: { role } }) => String(role),
    }),
    route({
      method: 'GET',
      path: `${path}/description`,
      says: 'The description of the group.',
      entities: { name: group },
      answers: 'text',
      access: read,
      handle: (_call, { name: { description } }) => description ?? '',
    }),
    route({
      method: 'PUT',
      path: `${path}/description`,
      says: 'Sets the description of the group.',
      reads: 'text',
      access: write,
      acting: 'allowed',
      handle: (call, { name }) => changeGroup(parts, call, { ...putNothing(name), description: call.body }, 'there'),
    }),
  ];

  async function remove(call: Call, find: () => Promise<readonly GroupRow[]>): Promise<void> {
    const byAdministrator = await subjectOf(call).has(administrator);
    await call.change(async () => {
      const rows = await find();
      if (rows.length === 0) return undefined;
      const { leaving, power } = await leavingGroups(store, rows);
      return deleteGroups(leaving, power, byAdministrator);
    });
  }
}

const addressOf = (call: Call, name: string): string => `${baseOf(call)}/group/${encodeURIComponent(name)}`;
