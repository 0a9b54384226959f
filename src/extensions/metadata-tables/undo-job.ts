import { itemName } from '../../assets/items/contract/entities.ts';
import { itemMustExist } from '../../assets/items/contract/store.ts';
import { changeMetadata, itemPlace, metadataRequestOf, statesOfSets } from '../../assets/metadata/public.ts';
import { isKept } from '../../assets/metadata/public-reading.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { inSlices } from '../../core/lib/turn.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { JobType, LeasedJob } from '../../room/jobs/job-type.ts';
import type { JobMemo } from '../../room/jobs/memo.ts';
import type { Caller } from '../../security/caller.ts';
import { tableOfJob } from './check-step.ts';
import { itemOfTarget, percent, writerOf } from './examine.ts';
import { tableUndo } from './job.ts';
import type { TableParts } from './parts.ts';
import { problemChanges, refusalOf, sentenceOf } from './problems.ts';
import { rowsToUndo, undoRow } from './store.ts';
import { restored } from './undo-rules.ts';
import { itemsAtOnce } from './write-step.ts';

/** Rows in one read. */
const limit = 50;

type ChangedRow = Awaited<ReturnType<typeof rowsToUndo>>[number];
type UndoJob = LeasedJob<JobMemo<typeof tableUndo>>;

/** Gives items back what they had before an import, but for what somebody changed since. */
export const undoType = (parts: TableParts): JobType<typeof tableUndo.memo> => ({
  ...tableUndo,
  takesLong: () => true,
  async restart() {
    const explanation = 'Expected a new job: PUT /import/metadata-table/{id}/undo';
    throw new ServiceError('job-state', { type: 'Job', explanation });
  },
  steps: [
    {
      step: 100,
      description: 'Taking the rows of the table back',
      async run(job) {
        const { store } = parts;
        const { tableId } = job.memo;
        await job.begins();
        for (let after = 0; ; ) {
          job.signal.throwIfAborted();
          const { undone, changed } = await tableOfJob(parts, tableId);
          const rows = await rowsToUndo(store, { tableId, after, limit });
          const call = await writerOf(parts, job);
          await inSlices(rows, (some) => askEach(some, (row) => undoOne(parts, job, call, row)), itemsAtOnce);
          job.progress(...percent(undone + rows.length, changed));
          if (rows.length < limit) break;
          after = rows.at(-1)!.row;
        }
        const { undone, undoProblems: problems } = await tableOfJob(parts, tableId);
        return {
          data: Object.entries({ undone, problems }).map(([key, value]) => [key, String(value)] as const),
          says: [`Rows that were taken back: ${undone}. Problems: ${problems}`],
          warns: problems > 0,
        };
      },
    },
  ],
});

/** Takes one row back, and tells what stays as it is. */
async function undoOne(
  parts: TableParts,
  job: UndoJob,
  call: Caller,
  { row, target, changeSet }: ChangedRow,
): Promise<void> {
  const { store } = parts;
  const { tableId } = job.memo;
  const place = itemPlace(store);
  const owner = { kind: 'item', id: itemOfTarget(target) } as const;
  const [mark, count] = undoRow;
  let leftovers: readonly string[] = [];
  const marks = () => {
    const expected = 'Expected the value of the import: it was changed since';
    // Without the value of today, which the caller may have no right to read.
    const problems = leftovers.map((column) => ({ row, column, value: '', expected }));
    return [mark({ tableId, row }), count({ id: tableId }), ...problemChanges(tableId, 1, problems)];
  };
  let isWritten = false;
  const writer: Caller = {
    ...call,
    commit: async ({ changes, ...plan }) => {
      const ahead = [job.mine, itemMustExist(owner.id, noSuchEntity(itemName, owner.id))];
      await call.commit({ ...plan, changes: [...ahead, ...changes, ...marks()] });
      isWritten = true;
    },
  };
  try {
    await place.entity!('WRITE').find(owner.id, call, {});
    const around = await statesOfSets(store, owner, changeSet, undefined);
    await changeMetadata(parts, place, writer, owner, (now) => {
      const back = restored({ ...around, now });
      leftovers = back.leftovers;
      return metadataRequestOf(back.document ?? {}, { isIgnored: isKept });
    });
    if (!isWritten) await store.commit(changing(job.mine, ...marks()), job.actor);
  } catch (error) {
    const expected = sentenceOf(refusalOf(error, job.mine));
    const problems = problemChanges(tableId, 1, [{ row, column: '', value: owner.id, expected }]);
    await store.commit(changing(job.mine, ...problems), job.actor);
  }
}
