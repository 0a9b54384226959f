import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { badParameter, text } from '../../../http/parameters/index.ts';
import { type Params, type Route, route, segment } from '../../../http/route.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { abandonHook, fileDeletableHook } from '../../contract.ts';
import { fileDocument } from '../../documents.ts';
import type { StorageParts } from '../../parts.ts';
import type { StorageSettings } from '../../settings.ts';
import { fileDocumentOf, plainFileView } from '../documents.ts';
import type { FileAddresses } from '../entity.ts';
import { usesOfFile, writeFiles } from '../entity.ts';
import {
  algorithmFrom,
  defaultAlgorithm,
  type FileStateName,
  type FileUses,
  fileStates,
  hashFrom,
  hashKey,
  pathTaken,
} from '../rules.ts';
import { type FileRow, fileAt, findFile } from '../store.ts';
import { abandonFile, applyFileValues, type ChangeTime, forgetFile, setClientHash } from './rules.ts';

/** Routes that change one file: state, hash, release from its item, removal from the service. */
export function changeRoutes(parts: StorageParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store, settings } = parts;

  /** Reads and decides again after a concurrent change of the file. Without a change there is no commit. */
  async function change(
    call: Call,
    params: Params,
    decide: (row: FileRow, uses: FileUses) => Promise<CommitPlan | undefined>,
  ): Promise<FileRow> {
    const { row, changes } = await call.change(async () => {
      const row = await fileOf(params);
      const plan = await decide(row, await usesOfFile(store, row.id));
      return { ...(plan ?? changing()), row };
    });
    return changes.length === 0 ? row : ((await findFile(store, { id: row.id })) ?? row);
  }

  const unlocked = ({ id }: FileRow, work: CommitPlan): CommitPlan => ({
    ...work,
    changes: [...parts.hooks.need(fileDeletableHook)(id), ...work.changes],
  });

  return paths.flatMap((path) => [
    route({
      method: 'PUT',
      path: `${path}/state/:state`,
      says: 'Sets the state of a file. Every transition is allowed.',
      answers: answer(fileDocument, { text: ({ state = '' }) => state }),
      access: writeFiles,
      acting: 'allowed',
      async handle(call, params) {
        const state = stateFrom(segment(params, 'state'));
        const row = await change(call, params, async (file, uses) => {
          await requireFreePath(parts, file, state);
          const work = applyFileValues(file, { state }, uses, whenOf(parts));
          return state === 'TO_BE_DELETED' ? work && unlocked(file, work) : work;
        });
        return call.type === 'text/plain' ? { state: row.state } : fileDocumentOf(store, row, plainFileView);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/hash/:hash`,
      says: 'Sets the hash of a file.',
      query: { algorithm: text('Hash algorithm', { defaultValue: defaultAlgorithm }) },
      access: writeFiles,
      acting: 'allowed',
      async handle(call, params) {
        const algorithm = algorithmFrom(call.query.algorithm);
        const hash = hashFrom(segment(params, 'hash'), algorithm, 'hash');
        await change(call, params, async (row, uses) => {
          if (algorithm === defaultAlgorithm) return applyFileValues(row, { hash }, uses, whenOf(parts));
          const pairs = (await keyValuesOf(store, 'file', [row.id])).get(row.id) ?? [];
          const isKnown = pairs.some(({ key, value }) => key === hashKey(algorithm) && value === hash);
          return isKnown ? undefined : setClientHash(row, algorithm, hash, uses, settings.maxMetadataBytes);
        });
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/entity`,
      says: 'Deletes the entry of a file that no item uses. Its bytes stay.',
      access: writeFiles,
      acting: 'allowed',
      async handle(call, params) {
        await change(call, params, async (row) => unlocked(row, forgetFile(row)));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/abandon`,
      says: 'Removes a file from its components, which stay. The caller needs WRITE on their items.',
      query: { item: text('Only components of this item') },
      access: writeFiles,
      acting: 'allowed',
      async handle(call, params) {
        const { item } = call.query;
        await change(call, params, async (row, uses) => {
          const losing = uses.itemId.filter((id) => item === undefined || id === item);
          await parts.hooks.need(abandonHook)(call, row.id, losing);
          return losing.length === 0 ? undefined : abandonFile(row, uses, item);
        });
      },
    }),
  ]);
}

export const whenOf = ({
  clock,
  settings,
}: Pick<StorageParts, 'clock'> & { readonly settings: Pick<StorageSettings, 'deleteGraceHours'> }): ChangeTime => ({
  now: clock.now(),
  grace: settings.deleteGraceHours * 3_600_000,
});

function stateFrom(text: string): FileStateName {
  const state = fileStates.find((each) => each === text.toUpperCase());
  if (state) return state;
  throw badParameter('state', `Expected one of ${fileStates.join(', ')}`, text);
}

/** The path of a file that waits for its deletion may be that of another one by now. */
async function requireFreePath(
  { store }: Pick<StorageParts, 'store'>,
  { state, storageId, path }: FileRow,
  to: FileStateName | undefined,
): Promise<void> {
  if (state !== 'TO_BE_DELETED' || to === undefined || to === 'TO_BE_DELETED') return;
  const other = await fileAt(store, { storageId, path });
  if (other) throw pathTaken(other);
}
