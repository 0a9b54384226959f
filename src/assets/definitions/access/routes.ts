import { answer } from '../../../http/answers.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import type { CoreContext } from '../../../room/context.ts';
import type { Entity } from '../../../room/entity.ts';
import { granteeNamed, granteeOf } from '../../access/public.ts';
import { metadataFieldAccessDocument, metadataFieldAccessListDocument } from '../documents.ts';
import { administers, fieldAt, fieldGroupAt, onField, onGroup } from '../kinds.ts';
import { createEntry, type Definition, deleteEntry, entryFrom, levelOf, noSuchGrant } from './rules.ts';
import { type DefinitionKind, entriesOf, findEntry } from './store.ts';

/**
 * Routes for the entries of fields and groups. Entries are rights, so callers that act for a user cannot write them.
 */
export const fieldAccessRoutes = (parts: CoreContext): readonly Route[] => [
  ...entryRoutes(parts, 'field', onField, fieldAt(parts.store)),
  ...entryRoutes(parts, 'group', onGroup, fieldGroupAt(parts.store)),
];

function entryRoutes(
  { store, settings }: CoreContext,
  kind: DefinitionKind,
  path: string,
  definition: PathEntity<Entity>,
): readonly Route[] {
  const noun = kind === 'field' ? 'field' : 'field group';
  const all = `${path}/access`;
  const one = `${all}/:access`;
  const shared = { entities: { [kind]: definition }, access: administers } as const;
  const definitionIn = (segments: Readonly<Record<string, Entity>>): Definition => ({ kind, name: segments[kind]!.id });

  return [
    route({
      ...shared,
      method: 'GET',
      path: all,
      says: `The access entries of a ${noun}, in order of creation.`,
      query: page(settings.maxPage),
      answers: answer(metadataFieldAccessListDocument, { list: 'access' }),
      async handle(call, segments) {
        const of = definitionIn(segments);
        const rows = await entriesOf(call.reader, { ...of, ...pageOf(call.query) });
        return { access: rows.map((row) => entryFrom(row, of)) };
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: all,
      says: `Grants a user or group a right on a ${noun}. From the first entry on, users without an entry have no rights.`,
      reads: metadataFieldAccessDocument,
      answers: metadataFieldAccessDocument,
      location: ({ id = '' }, segments) => [...path.split('/').slice(1, -1), definitionIn(segments).name, 'access', id],
      acting: 'refused',
      async handle(call, segments) {
        const { body } = call;
        const of = definitionIn(segments);
        const grantee = await granteeOf(store, granteeNamed(body, '/MetadataFieldAccessControlDocument'));
        const id = await store.nextId('metadata-field-access');
        const level = levelOf(body.permission);
        await call.commit(createEntry(id, of, grantee, level));
        const { user = null, group = null } = body;
        return entryFrom({ id, level, user, group }, of);
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: one,
      says: `One access entry of a ${noun}.`,
      answers: metadataFieldAccessDocument,
      async handle(_call, segments) {
        const of = definitionIn(segments);
        const id = segment(segments, 'access');
        const [row] = await findEntry(store, { ...of, id });
        if (!row) throw noSuchGrant(id);
        return entryFrom(row, of);
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: one,
      says: `Removes an access entry from a ${noun}. Without entries, everybody has all rights.`,
      acting: 'refused',
      handle: (call, segments) => call.commit(deleteEntry(segment(segments, 'access'), definitionIn(segments))),
    }),
  ];
}
