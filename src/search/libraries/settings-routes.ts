import { mayRead } from '../../access/public.ts';
import { requireDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { done } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { libraryName, libraryNamed, readLibraries as read, writeLibraries as write } from '../../items/public.ts';
import { changeSettings } from './change.ts';
import { librarySettingsDocument } from './documents.ts';
import type { LibraryParts } from './parts.ts';
import { queryOf, userWithId } from './store.ts';

export function settingsRoutes(parts: LibraryParts): readonly Route[] {
  const { store, render, limits } = parts;
  const path = '/library/:library/settings';
  return [
    route({
      method: 'GET',
      path,
      says: 'The refresh settings of a library.',
      answers: librarySettingsDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const row = await libraryNamed(store, params.library);
        await mayRead(store, call, libraryName, row);
        const [user] = row.userId === null ? [] : await userWithId(store, { id: row.userId });
        return render(type, librarySettingsDocument, {
          id: row.id,
          username: user?.name ?? 'system',
          updateMode: row.updateMode,
          autoRefresh: row.autoRefresh === 1,
          updateFrequency: row.updateFrequency ?? undefined,
          lastUpdate: row.lastUpdate ?? undefined,
          query: await queryOf(store, row.id),
        });
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes the refresh settings of a library. Elements that the document leaves out stay.',
      reads: librarySettingsDocument,
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const document = await requireDocument(call, librarySettingsDocument, limits);
        await changeSettings(parts, call, params.library, document);
        return done;
      },
    }),
  ];
}
