import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { choice, flag, text } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { fileDeletableHook } from '../contract.ts';
import type { StorageParts } from '../parts.ts';
import { storageNamed } from '../storages/entity.ts';
import { noSuchStorage } from '../storages/rules.ts';
import { storageThere } from '../storages/store.ts';
import { whenOf } from './changes/routes.ts';
import { applyFileValues, type ChangeTime, duesOf } from './changes/rules.ts';
import { type FileAddresses, usesOfFile, writeFiles } from './entity.ts';
import { newPath } from './path.ts';
import { fileAnswer, shownFile } from './reading-routes.ts';
import { type FileStateName, type FileUses, fileEvent, fileStates, noSuchFile, pathTaken } from './rules.ts';
import {
  copyFileKeys,
  copyUses,
  type FileRow,
  fileAt,
  fileThere,
  fileUnchanged,
  findFile,
  insertFile,
  moveExternalIds,
  type NewFile,
  removeUses,
} from './store.ts';

interface Relocation {
  readonly id: string;
  readonly storageId: string;
  readonly path: string;
  readonly state: FileStateName | undefined;
  /** Keeps both files: components use both, and none is deleted. */
  readonly duplicate: boolean;
}

/**
 * Paths never change: moved bytes belong to another file. Components use the new one, and the old one waits for its
 * deletion. A scan reads the current state of the bytes.
 */
function relocate(row: FileRow, to: Relocation, uses: FileUses, when: ChangeTime): CommitPlan {
  const { id, storageId, path, duplicate } = to;
  const state = to.state ?? (row.state === 'TO_BE_DELETED' ? 'OPEN' : row.state);
  const hash = state === 'OPEN' ? null : row.hash;
  const fileRow: NewFile = {
    id,
    storageId,
    path,
    state,
    size: row.size,
    modified: row.modified,
    content: null,
    identity: null,
    hash,
    digest: row.digest,
    changedAt: when.now,
    timestamp: when.now,
    ...duesOf(state, hash, when),
  };
  const both = { from: row.id, to: id };
  const changed = changedMeanwhile('File', row.id);
  const old = duplicate ? undefined : applyFileValues(row, { state: 'TO_BE_DELETED' }, uses, when);
  return {
    changes: [
      storageThere({ id: storageId }, noSuchStorage(storageId)),
      fileThere({ id: row.id }, noSuchFile(row.id)),
      fileUnchanged(row.id, row.version, changed),
      insertFile(fileRow, changed),
      copyFileKeys(both),
      copyUses(both),
      ...(duplicate ? [] : [removeUses({ fileId: row.id }), moveExternalIds(both)]),
      ...(old?.changes ?? []),
    ],
    events: [fileEvent('file/new', fileRow, uses), ...(old?.events ?? [])],
  };
}

const query = {
  path: text('New path of the file below its storage', { required: true }),
  storage: text('Storage of the file now, if it has changed'),
  state: choice('State of the new file. Default: the state of the old file', fileStates),
  duplicate: flag('The file stays at the old path, too', false),
};

/** Routes for files whose bytes were moved or copied by another program. */
export function relocationRoutes(parts: StorageParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store } = parts;
  return paths.map((place) =>
    route({
      method: 'POST',
      path: `${place}/path`,
      says: 'Creates a file entry for moved bytes. Users of the old file use the new one.',
      query,
      answers: fileAnswer,
      access: writeFiles,
      acting: 'allowed',
      async handle(call, params) {
        const { state, duplicate } = call.query;
        const path = newPath(call.query.path);
        const { id } = await call.change(async () => {
          const row = await fileOf(params);
          const named = call.query.storage;
          const storageId = named === undefined ? row.storageId : (await storageNamed(store, named)).id;
          const taken = await fileAt(store, { storageId, path });
          if (taken) throw pathTaken(taken);
          const id = await store.nextId('file');
          const to = { id, storageId, path, state, duplicate };
          const work = relocate(row, to, await usesOfFile(store, row.id), whenOf(parts));
          const guards = duplicate ? [] : parts.hooks.need(fileDeletableHook)(row.id);
          return { ...work, changes: [...guards, ...work.changes], id };
        });
        return shownFile(store, call, (await findFile(store, { id }))!);
      },
    }),
  );
}
