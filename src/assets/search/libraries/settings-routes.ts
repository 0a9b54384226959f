import { type Route, route } from '../../../http/route.ts';
import { libraryAt, readLibraries as read, writeLibraries as write } from '../../items/public.ts';
import { changeSettings } from './change.ts';
import { librarySettingsDocument } from './documents.ts';
import type { LibraryParts } from './parts.ts';
import { queryOfLibrary, userWithId } from './store.ts';

export function settingsRoutes(parts: LibraryParts): readonly Route[] {
  const { store } = parts;
  const path = '/library/:library/settings';
  const library = libraryAt(store);
  return [
    route({
      method: 'GET',
      path,
      says: 'The refresh settings of a library.',
      entities: { library: library('READ') },
      answers: librarySettingsDocument,
      access: read,
      async handle(_call, { library: row }) {
        const [user] = row.userId === null ? [] : await userWithId(store, { id: row.userId });
        return {
          id: row.id,
          username: user?.name ?? 'system',
          updateMode: row.updateMode,
          autoRefresh: row.autoRefresh === 1,
          updateFrequency: row.updateFrequency ?? undefined,
          lastUpdate: row.lastUpdate ?? undefined,
          query: await queryOfLibrary(store, row.id),
        };
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes the refresh settings of a library. Elements that the document leaves out stay.',
      entities: { library: library('WRITE') },
      reads: librarySettingsDocument,
      access: write,
      acting: 'allowed',
      handle: (call, { library: row }) => changeSettings(parts, call, row, call.body),
    }),
  ];
}
