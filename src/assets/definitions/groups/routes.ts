import { isRefusal } from '../../../core/lib/errors.ts';
import { answer } from '../../../http/answers.ts';
import { flag, page, pageOf } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import type { CoreContext } from '../../../room/context.ts';
import { askerOf, level } from '../access/rights.ts';
import { type MetadataFieldGroup, metadataFieldGroupDocument, metadataFieldGroupListDocument } from '../documents.ts';
import { allGroups, fieldAt, fieldGroupAt, noSuchName, onGroup, readFieldGroup, writeFieldGroup } from '../entities.ts';
import { data, keysInLists } from '../fields/documents.ts';
import { changeFieldGroup, guardedGroup } from './change.ts';
import { groupDocuments } from './documents.ts';
import { deleteFieldGroup, join, leave } from './rules.ts';
import { listFieldGroups, listSeenGroups, type MemberKind } from './store.ts';

export function fieldGroupRoutes(parts: CoreContext): readonly Route[] {
  const { store, settings } = parts;
  const view = {
    traverse: flag('Includes the content of nested groups', false),
    includeValues: flag('Adds the enumerations of the fields', false),
    data,
  };
  const group = guardedGroup(store);
  const write = { access: writeFieldGroup, acting: 'allowed' } as const;

  const members = {
    field: { path: `${onGroup}/:field`, segment: 'field', entity: fieldAt(store) },
    group: { path: `${onGroup}/group/:child`, segment: 'child', entity: fieldGroupAt(store) },
  } as const;

  /** Route that adds or removes a member. */
  function membership(method: 'PUT' | 'DELETE', kind: MemberKind): Route {
    const { path, segment, entity } = members[kind];
    return route({
      ...write,
      method,
      path,
      says: `${method === 'PUT' ? 'Adds' : 'Removes'} a ${kind} as a member of a field group.`,
      entities: { group: group(level.write), [segment]: entity },
      handle: (call, { group: { id }, [segment]: member }) =>
        call.commit((method === 'PUT' ? join : leave)(id, kind, member!.id)),
    });
  }

  return [
    route({
      method: 'GET',
      path: allGroups,
      says: 'The field groups that the caller may read, ordered by name, ignoring case and punctuation.',
      query: { content: flag('Adds the members', false), ...view, ...page(settings.maxPage) },
      answers: answer(metadataFieldGroupListDocument, {
        list: 'group',
        text: ({ group = [] }) => linesOf(group.map(({ name = '' }) => [name])),
      }),
      access: readFieldGroup,
      async handle(call) {
        const { content, traverse, includeValues, data: wanted } = call.query;
        const asker = await askerOf(call);
        const { reader } = call;
        const { administers, userId = null } = asker;
        const wantedPage = pageOf(call.query);
        const rows = administers
          ? await listFieldGroups(reader, { ...wantedPage })
          : await listSeenGroups(reader, { ...wantedPage, userId });
        const names = rows.map(({ name }) => name);
        if (call.type === 'text/plain') return { group: names.map((name) => ({ name })) };
        const members = content || traverse;
        const shown = { keys: keysInLists(wanted), includeValues, members, traverse };
        return { group: await groupDocuments(reader, names, shown, asker, settings) };
      },
    }),
    route({
      method: 'GET',
      path: onGroup,
      says: 'One field group with its members, the definitions of its fields, and the data of all of them.',
      entities: { group: group(level.read) },
      query: view,
      answers: metadataFieldGroupDocument,
      access: readFieldGroup,
      async handle(call, { group: { id } }) {
        const { traverse, includeValues, data: wanted } = call.query;
        const { reader } = call;
        const asker = await askerOf(call);
        const answerWith = async (keys: ReturnType<typeof keysInLists>): Promise<MetadataFieldGroup> => {
          const shown = { keys, includeValues, members: true, traverse, externalIds: true };
          const [document] = await groupDocuments(reader, [id], shown, asker, settings);
          if (!document) throw noSuchName(id);
          return document;
        };
        if (wanted) return answerWith(keysInLists(wanted));
        // Clients read labels without asking for them. A group that is too heavy with them comes without.
        return answerWith(keysInLists(['all'])).catch((error) => {
          if (isRefusal(error)) return answerWith(undefined);
          throw error;
        });
      },
    }),
    route({
      method: 'PUT',
      path: onGroup,
      says: 'Creates a field group, or adds the members of the document. Creates missing fields, and groups inside.',
      query: { clear: flag('Removes all other members', false) },
      reads: optional(metadataFieldGroupDocument),
      access: writeFieldGroup,
      acting: 'partly',
      handle: (call, { group: name }) => changeFieldGroup(parts, call, name, call.body, call.query.clear),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: onGroup,
      says: 'Deletes a field group. Its fields and groups stay.',
      entities: { group: group(level.delete) },
      handle: (call, { group: { id } }) => call.commit(deleteFieldGroup(id)),
    }),
    membership('PUT', 'field'),
    membership('DELETE', 'field'),
    membership('PUT', 'group'),
    membership('DELETE', 'group'),
  ];
}
