import type { Call } from '../../../http/call.ts';
import { text } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { changeInTurn } from '../../../room/entities/changes.ts';
import { collectionAt, writeCollections } from '../contract/entities.ts';
import { itemEvent } from '../events.ts';
import type { ItemsContext } from '../settings.ts';
import { folderName, folderNameFrom } from './folder-names.ts';
import { type FolderRow, findFolder, mapFolder, nameFolder } from './folders-sql.ts';
import { loadCollections } from './load.ts';

type Folder = Omit<FolderRow, 'collectionId'>;

/** Routes for collections as folders. Storage rules move the files in the background. */
export function folderRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
  const path = '/collection/:collection';
  const changing = {
    entities: { collection: collectionAt(store)('ALL') },
    access: writeCollections,
    acting: 'allowed',
  } as const;

  /** Changes the folder settings and returns them. No change: no commit. */
  const change = (
    call: Call,
    id: string,
    put: typeof nameFolder,
    decide: (folder: Folder | undefined, title: () => Promise<string>) => Folder | undefined | Promise<Folder>,
  ): Promise<Folder | undefined> =>
    changeInTurn(parts, { kind: 'collection', id }, async () => {
      const folder = await findFolder(store, { collectionId: id });
      const next = await decide(folder, async () => {
        const [collection] = await loadCollections(parts, call, [id]);
        return folderNameFrom(collection?.name, id);
      });
      if (next && (folder?.name !== next.name || folder.mapped !== next.mapped)) {
        const events = [itemEvent('collection/modify', id, { collectionId: id })];
        await call.commit({ changes: [put({ collectionId: id, ...next })], events });
      }
      return next;
    });

  return [
    route({
      method: 'PUT',
      path: `${path}/map-to-folder`,
      says: 'Maps a collection to a folder. Files of its items are moved there, below the folders of its parent collections.',
      ...changing,
      async handle(call, { collection: { id } }) {
        await change(call, id, mapFolder, async (folder, title) => ({
          name: folder?.name ?? (await title()),
          mapped: 1,
        }));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/map-to-folder`,
      says: 'Removes the mapping of a collection to a folder. Files stay where they are.',
      ...changing,
      async handle(call, { collection: { id } }) {
        await change(call, id, mapFolder, (folder) => folder && { ...folder, mapped: 0 });
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/folder-name`,
      says: 'Sets the folder name of a collection. If it is mapped to a folder, files of its items are moved.',
      query: { name: text('Name of the folder: one segment of a path. Default: the name of the collection') },
      answers: 'text',
      ...changing,
      async handle(call, { collection: { id } }) {
        const { name } = call.query;
        const newName = name === undefined ? undefined : folderName(name);
        const folder = await change(call, id, nameFolder, async (was, title) => ({
          name: newName ?? (await title()),
          mapped: was?.mapped ?? 0,
        }));
        return folder!.name;
      },
    }),
  ];
}
