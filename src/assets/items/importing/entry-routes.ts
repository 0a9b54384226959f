import type { AccessControl } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { uris } from '../../../http/answers.ts';
import { choice, page, pageOf } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Access, type Route, role, route } from '../../../http/route.ts';
import { groupAt, noSuchGroup, noSuchUser } from '../../../identity/public.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { externalIdRoutes } from '../../../room/entities/external-ids/routes.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { entryRequest, groupThere } from '../../access/public.ts';
import { notYours } from '../../access/public-reading.ts';
import { withExistingGrantees } from '../create.ts';
import { type ImportSettings, importAccessListDocument, importSettingsDocument, permissions } from '../documents.ts';
import type { ItemsContext } from '../settings.ts';
import {
  changeProfile,
  everybody,
  importAccessFits,
  importAccessOf,
  importAccessThere,
  insertProfile,
  maxGroups,
  type ProfileRow,
  profileKind,
  profileNamed,
  profilesInOrder,
  putImportAccess,
  removeImportAccess,
  removeProfile,
  settingsOf,
} from './store.ts';

interface Whose {
  readonly path: string;
  /** End of a sentence. */
  readonly items: string;
  readonly reads: Access;
  readonly writes: Access;
  /** User whose rows are read. Undefined: unknown to the service. */
  readonly read: (call: Caller) => string | undefined;
  readonly write: (call: Caller) => string;
}

const own = role('_import');

const rows: readonly Whose[] = [
  {
    path: '/import/access',
    items: 'new items of the caller',
    reads: own,
    writes: own,
    read: (call) => subjectOf(call).user?.id,
    write: userIn,
  },
  {
    path: '/import/access/default',
    items: 'new items, unless their creator has an own entry for the group',
    reads: own,
    writes: role(administrator),
    read: () => everybody,
    write: () => everybody,
  },
];

/** Routes for the entries that new items give to groups: those of the caller, and those of everybody. */
export const importAccessRoutes = (parts: ItemsContext): readonly Route[] =>
  rows.flatMap((whose) => routesOf(parts, whose));

function routesOf({ store }: ItemsContext, { path, items, reads, writes, ...whose }: Whose): readonly Route[] {
  const group = groupAt({ store });

  return [
    route({
      method: 'GET',
      path,
      says: `The groups that get an access entry on ${items}.`,
      answers: importAccessListDocument,
      access: reads,
      async handle(call) {
        const userId = whose.read(call);
        const group = userId === undefined ? [] : await importAccessOf(store, { userId });
        return { group };
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/group/:group`,
      says: `Sets the access entry that a group gets on ${items}.`,
      entities: { group },
      query: { permission: choice('Level of the group', permissions, { required: true }) },
      access: writes,
      acting: 'refused',
      handle(call, { group: { id: groupId, name } }) {
        const userId = whose.write(call);
        const { permission } = call.query;
        const changes = [
          groupThere({ id: groupId }, noSuchGroup(name)),
          putImportAccess({ userId, groupId, permission }),
          importAccessFits({ userId }, full),
        ];
        return call.commit({ changes, events: [] });
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/group/:group`,
      says: `Removes the access entry that a group gets on ${items}.`,
      entities: { group },
      access: writes,
      acting: 'refused',
      handle(call, { group: { id: groupId, name } }) {
        const key = { userId: whose.write(call), groupId };
        return call.commit(changing(importAccessThere(key, noSuchGroup(name)), removeImportAccess(key)));
      },
    }),
  ];
}

/** Refuses callers without a user in the service: entries belong to users. */
function userIn(call: Caller): string {
  const { user, name } = subjectOf(call);
  if (user) return user.id;
  throw new ServiceError('bad-value', {
    context: 'import-access',
    id: name,
    explanation: `Expected a user of the service: "${name.slice(0, 80)}"`,
  });
}

const full = new ServiceError('bad-value', {
  context: 'import-access',
  id: 'group',
  explanation: `Expected at most ${maxGroups} groups`,
});

/** Routes for import profiles, which imports refer to. */
export function importSettingsRoutes({ store, settings }: ItemsContext): readonly Route[] {
  const path = '/import/settings';
  const access = role('_import');

  /** Validates each entry as one of an item. */
  async function entriesFrom({ access: entries = [] }: ImportSettings): Promise<readonly AccessControl[]> {
    for (const entry of entries) entryRequest(entry, '/ImportSettingsDocument/access');
    const existing = new Set(await withExistingGrantees(store, entries));
    const missing = entries.find((entry) => !existing.has(entry));
    if (!missing) return entries.map(({ id: _, ...entry }) => entry);
    const name = (missing.user ?? missing.group!).slice(0, 80);
    throw missing.user === undefined ? noSuchGroup(name) : noSuchUser(name);
  }

  const kind = profileKind(store);
  const profile = pathEntity(store, kind);
  /** Refuses callers other than the creator, since items of others also get the entries. */
  const own: PathEntity<ProfileRow> = {
    ...profile,
    async find(name, call) {
      const row = await profileNamed(store, name);
      const subject = subjectOf(call);
      if (row.userId !== null && row.userId === subject.user?.id) return row;
      if (await subject.has(administrator)) return row;
      throw notYours('Expected a profile that the caller has made', name);
    },
  };

  return [
    route({
      method: 'POST',
      path,
      says: 'Creates a profile of access entries for new items.',
      reads: importSettingsDocument,
      answers: importSettingsDocument,
      location: ({ id = '' }) => ['import', 'settings', id],
      access,
      acting: 'refused',
      async handle(call) {
        const entries = await entriesFrom(call.body);
        const id = await store.nextId('import-settings');
        const document = JSON.stringify({ access: entries });
        await call.commit(
          changing(insertProfile({ id, serial: serialOf(id), userId: subjectOf(call).user?.id ?? null, document })),
        );
        return { id, access: entries };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'The ids of the profiles.',
      query: page(settings.maxPage),
      answers: uris,
      access,
      async handle(call) {
        const rows = await profilesInOrder(call.reader, { ...pageOf(call.query) });
        return rows.map(({ id }) => id);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:profile`,
      says: 'One profile.',
      entities: { profile },
      answers: importSettingsDocument,
      access,
      handle: (_call, { profile: { id, document } }) => ({ id, ...settingsOf(document) }),
    }),
    route({
      method: 'PUT',
      path: `${path}/:profile`,
      says: 'Changes the entries of a profile. Existing items keep their entries.',
      entities: { profile: own },
      reads: importSettingsDocument,
      access,
      acting: 'refused',
      async handle(call, { profile: { id } }) {
        const document = JSON.stringify({ access: await entriesFrom(call.body) });
        await call.commit(changing(changeProfile({ id, document })));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:profile`,
      says: 'Deletes a profile. Existing items keep their entries.',
      entities: { profile: own },
      access,
      acting: 'refused',
      handle: (call, { profile: { id } }) =>
        call.commit(changing(removeProfile({ id }), ...forgetEntity(kind.type, id))),
    }),
    ...externalIdRoutes(
      { store },
      {
        ...{ kind, path: `${path}/:profile`, read: access, write: access, acting: 'refused' },
        entities: (use) => ({ profile: use === 'read' ? profile : own }),
      },
    ),
  ];
}
