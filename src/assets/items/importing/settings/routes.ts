import type { AccessControl } from '../../../../core/documents/index.ts';
import { changing } from '../../../../core/store/commit-plan.ts';
import { uris } from '../../../../http/answers.ts';
import { page, pageOf } from '../../../../http/parameters/index.ts';
import type { PathEntity } from '../../../../http/path-entity.ts';
import { type Route, role, route } from '../../../../http/route.ts';
import { noSuchGroup, noSuchUser } from '../../../../identity/public.ts';
import { externalIdRoutes } from '../../../../room/entities/external-ids/routes.ts';
import { pathEntity } from '../../../../room/entities/find.ts';
import { forgetEntity } from '../../../../room/entities/forget.ts';
import { subjectOf } from '../../../../security/caller.ts';
import { administrator } from '../../../../security/subject.ts';
import { serialOf } from '../../../../storage/public-reading.ts';
import { entryWish } from '../../../access/public.ts';
import { notYours } from '../../../access/public-reading.ts';
import type { ItemsContext } from '../../settings.ts';
import { type ImportSettings, importSettingsDocument } from './documents.ts';
import {
  changeProfile,
  insertProfile,
  type ProfileRow,
  profileKind,
  profileNamed,
  profilesInOrder,
  removeProfile,
  settingsOf,
  stillThere,
} from './store.ts';

/** Routes for import profiles, which imports refer to. */
export function importSettingsRoutes({ store, settings }: ItemsContext): readonly Route[] {
  const path = '/import/settings';
  const access = role('_import');

  /** Validates each entry as one of an item. */
  async function entriesFrom({ access: entries = [] }: ImportSettings): Promise<readonly AccessControl[]> {
    for (const entry of entries) entryWish(entry, '/ImportSettingsDocument/access');
    const existing = new Set(await stillThere(store, entries));
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
