import { askerOf } from '../../assets/definitions/public-reading.ts';
import { unlockedFor } from '../../assets/items/contract/item-locks.ts';
import { expectUnlocked, prepareRequests } from '../../assets/metadata/public.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { inSlices } from '../../core/lib/turn.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Statement } from '../../core/store/contract.ts';
import { JobFails, type JobStep, type LeasedJob } from '../../room/jobs/job-type.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import {
  type ExaminedRow,
  examine,
  openTable,
  percent,
  problemFor,
  rowsOfPart,
  type TargetedRow,
  targetsOf,
  writerOf,
} from './examine.ts';
import { withNearest } from './heads.ts';
import type { TableMemo } from './job.ts';
import type { TableParts } from './parts.ts';
import { problemChanges, refusalOf, type TableProblem } from './problems.ts';
import { problemOfRow, type ReadTable } from './row-change.ts';
import { checkPart, findTable, rowsWithTarget, type TableRow } from './store.ts';

/** Rows whose changes are prepared at once. */
const atOnce = 10;

/** Checks each row as if it were written. Nothing of an item changes. */
export const checkStep = (parts: TableParts): JobStep<TableMemo> => ({
  step: 100,
  description: 'Checking the rows of the table',
  async run(job) {
    const { store } = parts;
    const { tableId } = job.memo;
    await job.begins();
    let table = await tableOfJob(parts, tableId);
    for (;;) {
      job.signal.throwIfAborted();
      const rows = await rowsOfPart(parts, tableId, table.checkedTo);
      if (!rows) break;
      const call = await writerOf(parts, job);
      const read = await openTable(parts, call, job.memo);
      const { problems, ...checked } = await checkRows(parts, job, call, read, rows);
      const heads = table.checkedTo === 0 ? (await withNearest(store, await askerOf(call), read)).problems : [];
      const all = [...heads, ...problems];
      const position = table.checkedTo + 1;
      const [insert, move] = checkPart;
      const changes = [
        insert({ tableId, rows: checked.targets }),
        move({ id: tableId, position, differing: checked.differing }),
        ...problemChanges(tableId, 0, all),
      ];
      await store.commit(changing(job.mine, ...changes), job.actor);
      job.progress(...percent(rows.at(-1)!.number - 1, table.rows));
      table = await tableOfJob(parts, tableId);
    }
    const { rows, differing, problems } = table;
    return {
      data: Object.entries({ rows, differing, problems }).map(([key, value]) => [key, String(value)] as const),
      says: [`Rows: ${rows}. Rows that differ from their items: ${differing}. Problems: ${problems}`],
      warns: problems > 0,
    };
  },
});

export async function tableOfJob({ store }: TableParts, id: string): Promise<TableRow> {
  const row = await findTable(store, { id });
  if (row) return row;
  throw new JobFails('Expected the table of the job');
}

interface CheckedRows {
  readonly targets: readonly (readonly [row: number, target: string])[];
  readonly differing: number;
  readonly problems: readonly TableProblem[];
}

async function checkRows(
  parts: TableParts,
  job: LeasedJob<TableMemo>,
  call: Caller,
  table: ReadTable,
  rows: Parameters<typeof targetsOf>[3],
): Promise<CheckedRows> {
  const targets = await targetsOf(parts, call, table, rows);
  const { once, problems } = await eachOnce(parts, job.memo.tableId, table, targets.rows);
  const examined = await examine(parts, call, table, once);
  const prepared = await inSlices(
    examined.filter(({ request }) => request !== undefined),
    (some) => askEach(some, (row) => prepare(parts, job, call, table, row)),
    atOnce,
  );
  const locked = await lockedRows(parts, job, table, prepared);
  const all = [
    ...targets.problems,
    ...problems,
    ...examined.flatMap((each) => each.problems),
    ...prepared.flatMap((each) => each.problems),
    ...locked,
  ];
  return {
    targets: once.map(({ row, target }) => [row.number, target]),
    differing: prepared.filter(({ guards }) => guards.length > 0).length,
    problems: all.toSorted((one, other) => one.row - other.row),
  };
}

/** Rows whose target no row before them has. */
async function eachOnce({ store }: TableParts, tableId: string, table: ReadTable, rows: readonly TargetedRow[]) {
  const before = await rowsWithTarget(store, { tableId, targets: rows.map(({ target }) => target) });
  const rowOf = new Map(before.map(({ target, row }) => [target, row]));
  const problems: TableProblem[] = [];
  const once = rows.filter(({ row, target }) => {
    const other = rowOf.get(target);
    if (other === undefined) rowOf.set(target, row.number);
    else
      problems.push(problemOfRow(table, row, `Expected each item once, or with other times: row ${other} has it, too`));
    return other === undefined;
  });
  return { once, problems };
}

interface PreparedRow {
  readonly row: ExaminedRow['row'];
  readonly problems: readonly TableProblem[];
  /** Guards of the change. Empty: nothing changes. */
  readonly guards: readonly Statement[];
}

/** Prepares the change of a row, and gives its guards alone. */
async function prepare(
  parts: TableParts,
  job: LeasedJob<TableMemo>,
  call: Caller,
  table: ReadTable,
  { row, id, request }: ExaminedRow,
): Promise<PreparedRow> {
  const owner = { kind: 'item', id } as const;
  const { name: by } = subjectOf(call);
  try {
    const rights = { asker: await askerOf(call), skipForbidden: false };
    const { changeSets, fields } = await prepareRequests(parts, owner, [{ by, request: request! }], rights);
    const now = parts.clock.now();
    const guards = [unlockedFor(call, id, now), expectUnlocked(owner, by, fields, now)];
    return { row, problems: [], guards: changeSets.length > 0 ? guards : [] };
  } catch (error) {
    return { row, problems: [problemFor(table, row, refusalOf(error, job.mine))], guards: [] };
  }
}

/** Problems of the rows whose items or fields somebody else has locked. */
async function lockedRows(
  { store }: TableParts,
  job: LeasedJob<TableMemo>,
  table: ReadTable,
  rows: readonly PreparedRow[],
): Promise<readonly TableProblem[]> {
  const refused = async (some: readonly PreparedRow[]) => {
    const guards = some.flatMap((each) => each.guards);
    try {
      if (guards.length > 0) await store.commit(changing(job.mine, ...guards), job.actor);
      return undefined;
    } catch (error) {
      return refusalOf(error, job.mine);
    }
  };
  if ((await refused(rows)) === undefined) return [];
  const each = await askEach(rows, async (row) => {
    const refusal = await refused([row]);
    return refusal ? [problemFor(table, row.row, refusal)] : [];
  });
  return each.flat();
}
