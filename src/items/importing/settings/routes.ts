import { entryWish, renderUris } from '../../../access/public.ts';
import { notYours } from '../../../access/public-reading.ts';
import { type AccessControl, uriListDocument } from '../../../documents/index.ts';
import { type Call, requireDocument } from '../../../http/call.ts';
import { documentOrText, documentTypes } from '../../../http/negotiation.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import { done, located } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { noSuchGroup, noSuchUser } from '../../../identity/public.ts';
import { serialOf } from '../../../media/public-reading.ts';
import { accountOf, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import type { ItemsContext } from '../../settings.ts';
import { importSettingsDocument } from './documents.ts';
import {
  changeProfile,
  insertProfile,
  makerOf,
  noSuchProfile,
  profileMustExist,
  profileNamed,
  profilesInOrder,
  removeProfile,
  stillThere,
} from './store.ts';

/** Routes for import profiles, which imports refer to. */
export function importSettingsRoutes({ store, limits, render, settings }: ItemsContext): readonly Route[] {
  const path = '/import/settings';
  const access = role('_import');

  /** Parses the entries, and validates each as an entry of an item. */
  async function sent(call: Call): Promise<readonly AccessControl[]> {
    const { access: entries = [] } = await requireDocument(call, importSettingsDocument, limits);
    for (const entry of entries) entryWish(entry, '/ImportSettingsDocument/access');
    const there = new Set(await stillThere(store, entries));
    const missing = entries.find((entry) => !there.has(entry));
    if (!missing) return entries.map(({ id: _, ...entry }) => entry);
    const name = (missing.user ?? missing.group!).slice(0, 80);
    throw missing.user === undefined ? noSuchGroup(name) : noSuchUser(name);
  }

  /** Refuses callers other than the creator, since items of others also get the entries. */
  async function mayChange(call: Call, id: string): Promise<void> {
    const maker = await makerOf(store, id);
    const subject = subjectOf(call);
    if (maker !== null && maker === subject.user?.id) return;
    if (!(await subject.has(administrator))) throw notYours('Expected a profile that the caller has made', id);
  }

  return [
    route({
      method: 'POST',
      path,
      says: 'Creates a profile of access entries for new items.',
      reads: importSettingsDocument,
      answers: importSettingsDocument,
      access,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type) {
        const entries = await sent(call);
        const id = await store.nextId('import-settings');
        const document = JSON.stringify({ access: entries });
        await call.commit({
          changes: [insertProfile({ id, serial: serialOf(id), userId: subjectOf(call).user?.id ?? null, document })],
          events: [],
        });
        const reply = render(type, importSettingsDocument, { id, access: entries });
        return located(reply, call, 'import', 'settings', id);
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'The ids of the profiles.',
      query: page(settings.maxPage),
      answers: [uriListDocument, 'text'],
      access,
      produces: documentOrText,
      async handle(call, type) {
        const uri = (await profilesInOrder(store.reader(accountOf(call)), { ...pageOf(call.query) })).map(
          ({ id }) => id,
        );
        return renderUris({ render }, type, uri);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:profile`,
      says: 'One profile.',
      answers: importSettingsDocument,
      access,
      async handle(_call, { profile }) {
        const id = profile;
        return { id, ...(await profileNamed(store, id)) };
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:profile`,
      says: 'Changes the entries of a profile. Existing items keep their entries.',
      reads: importSettingsDocument,
      access,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const id = params.profile;
        await mayChange(call, id);
        const document = JSON.stringify({ access: await sent(call) });
        const changes = [profileMustExist(id, noSuchProfile(id)), changeProfile({ id, document })];
        await call.commit({ changes, events: [] });
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:profile`,
      says: 'Deletes a profile. Existing items keep their entries.',
      access,
      acting: 'refused',
      async handle(call, { profile }) {
        const id = profile;
        await mayChange(call, id);
        await call.commit({ changes: [profileMustExist(id, noSuchProfile(id)), removeProfile({ id })], events: [] });
      },
    }),
  ];
}
