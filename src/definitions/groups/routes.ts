import { optionalDocument } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, lines } from '../../http/reply.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { CoreContext } from '../../room/context.ts';
import { accountOf } from '../../security/caller.ts';
import { askerOf, level } from '../access/rights.ts';
import { data, keyFilterOf } from '../data.ts';
import { metadataFieldGroupDocument, metadataFieldGroupListDocument } from '../documents.ts';
import {
  allGroups,
  fieldGroupNamed,
  fieldNamed,
  noSuchName,
  onGroup,
  readFieldGroup,
  writeFieldGroup,
} from '../kinds.ts';
import { changeFieldGroup, groupWithRight } from './change.ts';
import { groupDocuments } from './documents.ts';
import { deleteFieldGroup, join, leave } from './rules.ts';
import { listFieldGroups, listSeenGroups, type MemberKind } from './store.ts';

export function fieldGroupRoutes(parts: CoreContext): readonly Route[] {
  const { store, settings, limits, render } = parts;
  const view = {
    traverse: flag('Includes the content of nested groups', false),
    includeValues: flag('Adds the enumerations of the fields', false),
    data,
  };
  const write = { access: writeFieldGroup, acting: 'allowed', produces: [] } as const;

  /** Route that adds or removes a member. */
  const membership = (method: 'PUT' | 'DELETE', kind: MemberKind): Route => ({
    ...write,
    method,
    path: kind === 'field' ? `${onGroup}/:field` : `${onGroup}/group/:child`,
    says: `${method === 'PUT' ? 'Adds' : 'Removes'} a ${kind} as a member of a field group.`,
    async handle(call, _type, params) {
      const { name } = await groupWithRight(parts, call, segment(params, 'group'), level.write);
      const { name: member } =
        kind === 'field'
          ? await fieldNamed(store, segment(params, 'field'))
          : await fieldGroupNamed(store, segment(params, 'child'));
      await call.commit((method === 'PUT' ? join : leave)(name, kind, member));
      return done;
    },
  });

  return [
    route({
      method: 'GET',
      path: allGroups,
      says: 'The field groups that the caller may read, ordered by name, ignoring case and punctuation.',
      query: { content: flag('Adds the members', false), ...view, ...page(settings.maxPage) },
      answers: [metadataFieldGroupListDocument, 'text'],
      access: readFieldGroup,
      produces: documentOrText,
      async handle(call, type) {
        const { content, traverse, includeValues, data: wanted } = call.query;
        const asker = await askerOf(call);
        const reader = store.reader(accountOf(call));
        const { administers, userId = null } = asker;
        const wantedPage = pageOf(call.query);
        const rows = administers
          ? await listFieldGroups(reader, { ...wantedPage })
          : await listSeenGroups(reader, { ...wantedPage, userId });
        const names = rows.map(({ name }) => name);
        if (type === 'text/plain') return lines(names.map((name) => [name]));
        const members = content || traverse;
        const shown = { keys: keyFilterOf(wanted), includeValues, members, traverse };
        const group = await groupDocuments(reader, names, shown, asker, settings);
        return renderList(render, type, metadataFieldGroupListDocument, { group }, 'group');
      },
    }),
    route({
      method: 'GET',
      path: onGroup,
      says: 'One field group with its members and the definitions of its fields.',
      query: view,
      answers: metadataFieldGroupDocument,
      access: readFieldGroup,
      async handle(call, { group }) {
        const { traverse, includeValues, data: wanted } = call.query;
        const { name } = await groupWithRight(parts, call, group, level.read);
        const keys = keyFilterOf(wanted);
        const shown = { keys, includeValues, members: true, traverse, externalIds: true };
        const reader = store.reader(accountOf(call));
        const [document] = await groupDocuments(reader, [name], shown, await askerOf(call), settings);
        if (!document) throw noSuchName(name);
        return document;
      },
    }),
    route({
      ...write,
      method: 'PUT',
      path: onGroup,
      says: 'Creates a field group, or adds the members of the document. Missing fields are created.',
      query: { clear: flag('Removes all other members', false) },
      reads: ['nothing', metadataFieldGroupDocument],
      acting: 'partly',
      async handle(call, _type, params) {
        const document = await optionalDocument(call, metadataFieldGroupDocument, limits);
        await changeFieldGroup(parts, call, params.group, document, call.query.clear, level.write);
        return done;
      },
    }),
    {
      ...write,
      method: 'DELETE',
      path: onGroup,
      says: 'Deletes a field group. Its fields and groups stay.',
      async handle(call, _type, params) {
        const { name } = await groupWithRight(parts, call, segment(params, 'group'), level.delete);
        await call.commit(deleteFieldGroup(name));
        return done;
      },
    },
    membership('PUT', 'field'),
    membership('DELETE', 'field'),
    membership('PUT', 'group'),
    membership('DELETE', 'group'),
  ];
}
