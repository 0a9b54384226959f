import { requireDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { located } from '../../http/reply.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { CoreContext } from '../../room/context.ts';
import { accountOf } from '../../security/caller.ts';
import type { Reader } from '../../store/statement.ts';
import { metadataFieldAccessDocument, metadataFieldAccessListDocument } from '../documents.ts';
import { administers, fieldGroupNamed, fieldNamed, onField, onGroup } from '../kinds.ts';
import { granteeOf } from './grantees.ts';
import { createEntry, type Definition, deleteEntry, entryFrom, levelOf, noSuchGrant } from './rules.ts';
import { type DefinitionKind, entriesOf, findEntry } from './store.ts';

/**
 * Routes for the entries of fields and groups. Entries are rights, so callers that act for a user cannot write them.
 */
export const fieldAccessRoutes = (parts: CoreContext): readonly Route[] => [
  ...entryRoutes(parts, 'field', onField, async (reader, path) => (await fieldNamed(reader, path)).name),
  ...entryRoutes(parts, 'group', onGroup, async (reader, path) => (await fieldGroupNamed(reader, path)).name),
];

function entryRoutes(
  parts: CoreContext,
  kind: DefinitionKind,
  place: string,
  nameOf: (reader: Reader, path: string) => Promise<string>,
): readonly Route[] {
  const { store, limits, render, settings } = parts;
  const noun = kind === 'field' ? 'field' : 'field group';
  const access = administers;
  const all = `${place}/access`;
  const one = `${all}/:access`;
  const definitionOf = async (params: Readonly<Record<string, string>>): Promise<Definition> => ({
    kind,
    name: await nameOf(store, params[kind]!),
  });

  return [
    route({
      method: 'GET',
      path: all,
      says: `The access entries of a ${noun}, in order of creation.`,
      query: page(settings.maxPage),
      answers: metadataFieldAccessListDocument,
      access,
      produces: documentTypes,
      async handle(call, type, params) {
        const of = await definitionOf(params);
        const rows = await entriesOf(store.reader(accountOf(call)), { ...of, ...pageOf(call.query) });
        const entries = rows.map((row) => entryFrom(row, of));
        return renderList(render, type, metadataFieldAccessListDocument, { access: entries }, 'access');
      },
    }),
    route({
      method: 'POST',
      path: all,
      says: `Grants a user or group a right on a ${noun}. From the first entry on, users without an entry have no rights.`,
      reads: metadataFieldAccessDocument,
      answers: metadataFieldAccessDocument,
      access,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const entry = await requireDocument(call, metadataFieldAccessDocument, limits);
        const of = await definitionOf(params);
        const grantee = await granteeOf(store, entry, '/MetadataFieldAccessControlDocument');
        const id = await store.nextId('metadata-field-access');
        await call.commit(createEntry(id, of, grantee, levelOf(entry.permission)));
        const { user, group } = entry;
        const row = { id, level: levelOf(entry.permission), user: user ?? null, group: group ?? null };
        const path = place.slice(1, place.lastIndexOf('/')).split('/');
        return located(
          render(type, metadataFieldAccessDocument, entryFrom(row, of)),
          call,
          ...path,
          of.name,
          'access',
          id,
        );
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: `One access entry of a ${noun}.`,
      answers: metadataFieldAccessDocument,
      access,
      async handle(_call, params) {
        const of = await definitionOf(params);
        const [row] = await findEntry(store, { ...of, id: segment(params, 'access') });
        if (!row) throw noSuchGrant(segment(params, 'access'));
        return entryFrom(row, of);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Removes an access entry from a ${noun}. Without entries, everybody has all rights.`,
      access,
      acting: 'refused',
      async handle(call, params) {
        await call.commit(deleteEntry(segment(params, 'access'), await definitionOf(params)));
      },
    }),
  ];
}
