import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { choice, flag, text } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { MediaParts } from '../../parts.ts';
import { storageNamed } from '../../storages/kinds.ts';
import type { FileAddresses } from '../addresses.ts';
import { whenOf } from '../changes/routes.ts';
import { write } from '../kinds.ts';
import { newPath } from '../path.ts';
import { fileAnswer, shownFile } from '../reading/routes.ts';
import { pathTaken } from '../refusals.ts';
import { fileStates } from '../states.ts';
import { fileAt, findFile } from '../store.ts';
import { usesOfFile } from '../uses.ts';
import { relocate } from './rules.ts';

const query = {
  path: text('New path of the file below its storage', { required: true }),
  storage: text('Storage of the file now, if it has changed'),
  state: choice('State of the new file. Default: the state of the old file', fileStates),
  duplicate: flag('The file stays at the old path, too', false),
};

/** Routes for files whose bytes were moved or copied by another program. */
export function relocationRoutes(parts: MediaParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store } = parts;
  return paths.map((place) =>
    route({
      method: 'POST',
      path: `${place}/path`,
      says: 'Creates a file entry for moved bytes. Users of the old file use the new one.',
      query,
      answers: fileAnswer,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { state, duplicate } = call.query;
        const path = newPath(call.query.path);
        const moved = await retryWhenChanged(async () => {
          const row = await fileOf(params);
          const named = call.query.storage;
          const storageId = named === undefined ? row.storageId : (await storageNamed(store, named)).id;
          const taken = await fileAt(store, { storageId, path });
          if (taken) throw pathTaken(taken);
          const id = await store.nextId('file');
          const to = { id, storageId, path, state, duplicate };
          const work = relocate(row, to, await usesOfFile(store, row.id), whenOf(parts));
          const guards = duplicate ? [] : parts.services.fileDeletable(row.id);
          await call.commit({ ...work, changes: [...guards, ...work.changes] });
          return (await findFile(store, { id }))!;
        });
        return shownFile(store, call, moved);
      },
    }),
  );
}
