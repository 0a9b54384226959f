import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan, EventRecord, Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { RoomContext } from '../../room/context.ts';
import { entityNamed } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import {
  applyFileValues,
  type FileUses,
  fileDeletableHook,
  fileKind,
  fileUnused,
  noSuchFile,
  type StorageSettings,
  whenOf,
} from '../../storage/public.ts';
import { usesOf } from '../../storage/public-reading.ts';
import { mustBeUsable } from '../usage/public.ts';
import { mustHaveBytes } from './file-rights.ts';
import { filesNamed, fileUsable, fileUsed } from './store.ts';

export type FileParts = Pick<RoomContext, 'store' | 'clock' | 'hooks'> & {
  readonly settings: Pick<StorageSettings, 'deleteGraceHours'>;
};

interface ComponentFile {
  readonly componentId: string;
  readonly fileId: string;
}

/**
 * Releases files of removed components: those without another component are marked for deletion. `isKept`: exceptions.
 * The changes must follow the removal of the components.
 */
export async function releaseFiles(
  parts: FileParts,
  going: readonly ComponentFile[],
  isKept: (file: { readonly id: string; readonly storageId: string }) => boolean,
): Promise<CommitPlan> {
  const changes: Statement[] = [];
  const events: EventRecord[] = [];
  const when = whenOf(parts);
  for (const { row, names, isUsed } of await filesOf(parts.store, going)) {
    if (isKept(row)) continue;
    const changed = changedMeanwhile('File', row.id);
    if (isUsed) {
      changes.push(fileUsed({ id: row.id }, changed));
      continue;
    }
    const work = applyFileValues(row, { state: 'TO_BE_DELETED' }, names, when);
    const guards = parts.hooks.need(fileDeletableHook)(row.id, names.itemId);
    changes.push(...guards, fileUnused({ id: row.id }, changed), ...(work?.changes ?? []));
    events.push(...(work?.events ?? []));
  }
  return { changes, events };
}

/** Guards for a commit that removes components: no deletion lock protects a file that only they use. */
export async function filesUnlocked(
  { store, hooks }: Pick<RoomContext, 'store' | 'hooks'>,
  going: readonly ComponentFile[],
): Promise<readonly Statement[]> {
  const only = (await filesOf(store, going)).filter(({ isUsed }) => !isUsed);
  return only.flatMap(({ row, names }) => hooks.need(fileDeletableHook)(row.id, names.itemId));
}

/** Files of removed components. `isUsed`: another component uses the file, too. */
async function filesOf(reader: Reader, going: readonly ComponentFile[]) {
  if (going.length === 0) return [];
  const ids = [...new Set(going.map(({ fileId }) => fileId))];
  const gone = new Set(going.map(({ fileId, componentId }) => `${fileId} ${componentId}`));
  const uses = groupBy(await usesOf(reader, { ids }), ({ fileId }) => fileId);
  return (await filesNamed(reader, { ids })).map((row) => {
    const ofFile = uses.get(row.id) ?? [];
    const isUsed = ofFile.some(({ componentId }) => !gone.has(`${row.id} ${componentId}`));
    return { row, names: namesOf(ofFile), isUsed };
  });
}

/** Ids of shapes and items, as in events. */
const namesOf = (uses: readonly { readonly itemId: string; readonly shapeId: string }[]): FileUses => ({
  shapeId: [...new Set(uses.map(({ shapeId }) => shapeId))],
  itemId: [...new Set(uses.map(({ itemId }) => itemId))],
});

interface Adopted {
  /** Ids of the files, by the names in the request. */
  readonly ids: ReadonlyMap<string, string>;
  /** Guards for the commit that gives the files to components. */
  readonly guards: readonly Statement[];
}

/**
 * Resolves files for components, if the caller may read their bytes. Files that already belong to a component are
 * refused, unless the caller allows it.
 */
export async function adoptFiles(
  reader: Reader,
  call: Caller,
  names: readonly string[],
  place: string,
  allowReimport: boolean,
): Promise<Adopted> {
  const different = [...new Set(names)];
  const files = await askEach(different, async (name) => {
    const { id, state } = await entityNamed(reader, fileKind(reader), name);
    await mustHaveBytes(reader, call, id);
    // Bytes of a closed item would leave as those of another one.
    await mustBeUsable(reader, call, { type: 'file', id }, call.came);
    if (state === 'TO_BE_DELETED') throw refused(place, id, 'Expected a file that does not wait for its deletion');
    const usable = fileUsable({ id }, noSuchFile(id));
    if (allowReimport) return { id, guards: [usable] };
    if ((await usesOf(reader, { ids: [id] })).length > 0) {
      throw refused(place, id, 'Expected a file that no component has, or allowReimport=true');
    }
    return { id, guards: [usable, fileUnused({ id }, changedMeanwhile('File', id))] };
  });
  return {
    ids: new Map(different.map((name, index) => [name, files[index]!.id])),
    guards: files.flatMap(({ guards }) => guards),
  };
}

const refused = (context: string, id: string, explanation: string): ServiceError =>
  new ServiceError('bad-value', { context, id, explanation, value: id });
