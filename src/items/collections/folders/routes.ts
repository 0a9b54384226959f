import { mustHave } from '../../../access/public-reading.ts';
import { noSuchEntity } from '../../../entities/find.ts';
import type { Call } from '../../../http/call.ts';
import { text } from '../../../http/parameters/index.ts';
import { done } from '../../../http/reply.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import { collectionName, collectionNamed, write } from '../../contract/collection/kind.ts';
import { collectionMustExist } from '../../contract/collection/store.ts';
import { happened } from '../../events.ts';
import type { ItemsContext } from '../../settings.ts';
import { inTurnOfCollection } from '../change.ts';
import { loadCollections } from '../load.ts';
import { folderName, folderNameFrom } from './rules.ts';
import { type FolderRow, findFolder, mapFolder, nameFolder } from './store.ts';

type Folder = Omit<FolderRow, 'collectionId'>;

/** Routes for collections as folders. Storage rules move the files in the background. */
export function folderRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
  const path = '/collection/:collection';
  const changing = { access: write, acting: 'allowed' } as const;

  /** Changes the folder settings and returns them. No change: no commit. */
  async function change(
    call: Call,
    path: string,
    put: typeof nameFolder,
    decide: (folder: Folder | undefined, title: () => Promise<string>) => Folder | undefined | Promise<Folder>,
  ): Promise<Folder | undefined> {
    return inTurnOfCollection(parts, path, async () => {
      const row = await collectionNamed(store, path);
      await mustHave(store, call, collectionName, row, 'ALL');
      const { id } = row;
      const folder = await findFolder(store, { collectionId: id });
      const next = await decide(folder, async () => {
        const [collection] = await loadCollections(parts, call, [id]);
        return folderNameFrom(collection?.name, id);
      });
      if (next && (folder?.name !== next.name || folder.mapped !== next.mapped)) {
        const there = collectionMustExist(id, noSuchEntity(collectionName, id));
        const events = [happened('collection/modify', id, { collectionId: id })];
        await call.commit({ changes: [there, put({ collectionId: id, ...next })], events });
      }
      return next;
    });
  }

  return [
    {
      method: 'PUT',
      path: `${path}/map-to-folder`,
      says: 'Maps a collection to a folder. Files of its items are moved there, below the folders of its parent collections.',
      ...changing,
      produces: [],
      async handle(call, _type, params) {
        await change(call, segment(params, 'collection'), mapFolder, async (folder, title) => ({
          name: folder?.name ?? (await title()),
          mapped: 1,
        }));
        return done;
      },
    },
    {
      method: 'DELETE',
      path: `${path}/map-to-folder`,
      says: 'Removes the mapping of a collection to a folder. Files stay where they are.',
      ...changing,
      produces: [],
      async handle(call, _type, params) {
        await change(call, segment(params, 'collection'), mapFolder, (folder) => folder && { ...folder, mapped: 0 });
        return done;
      },
    },
    route({
      method: 'PUT',
      path: `${path}/folder-name`,
      says: 'Sets the folder name of a collection. If it is mapped to a folder, files of its items are moved.',
      query: { name: text('Name of the folder: one segment of a path. Default: the name of the collection') },
      answers: 'text',
      ...changing,
      async handle(call, { collection }) {
        const { name } = call.query;
        const given = name === undefined ? undefined : folderName(name);
        const folder = await change(call, collection, nameFolder, async (was, title) => ({
          name: given ?? (await title()),
          mapped: was?.mapped ?? 0,
        }));
        return folder!.name;
      },
    }),
  ];
}
