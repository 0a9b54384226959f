import { asc, eq, getTableColumns } from 'drizzle-orm';
import { guard, mustExist } from '../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, type Reader, sql, statement, value, writes } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers, updated } from '../../core/store/triggers-sql.ts';
import { user } from '../../identity/public-reading.ts';
import { runner, runnerStill, runnerTask } from './tables.ts';

export const findRunner = rowBy(runner, 'id');
export const findRunnerNamed = rowBy(runner, ['userId', 'name']);
export type RunnerRow = typeof runner.$inferSelect;

export const runnerMustExist = mustExist(runner.id);
export const insertRunner = insertInto(runner);
export const renewRunner = updateBy(runner, 'id', 'version', 'labels', 'offers', 'seenAt', 'stoppedAt');
const callOf = updateBy(runner, 'id', 'seenAt', 'stoppedAt');
/** Any call says that the runner goes on. */
export const sawRunner = ({ id, seenAt }: { readonly id: string; readonly seenAt: number }) =>
  callOf({ id, seenAt, stoppedAt: null });
export const pauseRunner = updateBy(runner, 'id', 'pausedAt');
export const removeRunner = deleteBy(runner, 'id');

/** Guard: no user has too many. */
export const roomForRunner = guard<{ userId: string; max: number }>(
  sql`(SELECT count(*) FROM runner WHERE user_id = ${value('userId')}) < ${value('max')}`,
);

const { userId: _, ...others } = getTableColumns(runner);
const columns = { ...others, user: user.name };

export const listRunners = query((db) =>
  db
    .select(columns)
    .from(runner)
    .innerJoin(user, eq(user.id, runner.userId))
    .orderBy(asc(runner.serial))
    .limit(value('limit'))
    .offset(value('offset')),
);

export const listedRunner = query((db) =>
  db
    .select(columns)
    .from(runner)
    .innerJoin(user, eq(user.id, runner.userId))
    .where(eq(runner.id, value('id'))),
).first;
export type ListedRunner = Awaited<ReturnType<typeof listRunners>>[number];

/** Claims of some runners that hold. */
export const tasksOf = query((db) =>
  db
    .select({
      runnerId: runnerTask.runnerId,
      kind: runnerTask.kind,
      jobId: runnerTask.jobId,
      progress: runnerTask.progress,
      claimedAt: runnerTask.claimedAt,
    })
    .from(runnerTask)
    .where(
      sql`${runnerTask.runnerId} IN (SELECT value FROM json_each(${value('ids')}))
        AND ${runnerTask.state} = 'CLAIMED' AND ${runnerTask.leaseUntil} > ${value('now')}`,
    )
    .orderBy(asc(runnerTask.claimedAt))
    .limit(value('limit')),
);

/** Whether a runner that was seen lately, and is not paused, offers all that a task needs. */
export const someRunner = query(
  sql`SELECT EXISTS (SELECT 1 FROM runner WHERE seen_at > ${value('since')} AND paused_at IS NULL AND stopped_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(${value('needs')}) AS need
    WHERE need.value NOT IN (SELECT value FROM json_each(runner.offers))))`,
  { is: sql<number>`` },
).first;

export const findTask = rowBy(runnerTask, 'key');
export type TaskRow = typeof runnerTask.$inferSelect;
export const insertTask = insertInto(runnerTask);
export const reportTask = statement<{ key: string }>(
  sql`UPDATE ${writes('runner_task')} SET reported = 1 WHERE key = ${value('key')}`,
);
export const removeTask = deleteBy(runnerTask, 'key');
export const taskUntaken = guard<{ key: string; now: number }>(
  sql`EXISTS (SELECT 1 FROM runner_task WHERE key = ${value('key')} AND (state = 'WAITING' OR (state = 'CLAIMED' AND lease_until <= ${value('now')})))`,
);

const taskOfClaim = rowBy(runnerTask, 'claim');

/** The task of a claim that holds. */
export async function heldTask(reader: Reader, claim: string, now: number): Promise<TaskRow | undefined> {
  const row = await taskOfClaim(reader, { claim });
  return row?.state === 'CLAIMED' && row.leaseUntil > now ? row : undefined;
}

/** Guard: nobody else has the task since, and the lease has not ended. */
export const claimHolds = guard<{ claim: string; now: number }>(
  sql`EXISTS (SELECT 1 FROM runner_task WHERE claim = ${value('claim')} AND state = 'CLAIMED' AND lease_until > ${value('now')})`,
);

const free = sql`(state = 'WAITING' OR (state = 'CLAIMED' AND lease_until <= ${value('now')})) AND claims < ${value('max')}`;

/** Gives the oldest task that a runner can do to it, unless it is paused. */
export const claimTask = statement<{
  runnerId: string;
  claim: string;
  offers: string;
  now: number;
  until: number;
  max: number;
}>(
  sql`UPDATE ${writes('runner_task')} SET state = 'CLAIMED', runner_id = ${value('runnerId')}, claim = ${value('claim')},
      lease_until = ${value('until')}, claimed_at = ${value('now')}, claims = claims + 1, progress = 0, result = NULL
    WHERE key = (SELECT key FROM runner_task AS task WHERE state IN ('WAITING', 'CLAIMED') AND ${free}
      AND NOT EXISTS (SELECT 1 FROM json_each(task.needs) AS need
        WHERE need.value NOT IN (SELECT value FROM json_each(${value('offers')})))
      AND EXISTS (SELECT 1 FROM runner WHERE id = ${value('runnerId')} AND paused_at IS NULL)
      ORDER BY created_at LIMIT 1)
    RETURNING claim`,
  { returns: true },
);

const ofClaim = sql`WHERE claim = ${value('claim')}`;

export const renewClaim = statement<{ claim: string; until: number; progress: number }>(
  sql`UPDATE ${writes('runner_task')} SET lease_until = ${value('until')}, progress = max(progress, ${value('progress')}) ${ofClaim}`,
);

/** Guard: no other bytes came for the claim meanwhile. */
export const resultStands = guard<{ claim: string; before: string | null }>(
  sql`EXISTS (SELECT 1 FROM runner_task WHERE claim = ${value('claim')} AND result IS ${value('before')})`,
);
export const keepResult = statement<{ claim: string; result: string }>(
  sql`UPDATE ${writes('runner_task')} SET result = ${value('result')} ${ofClaim}`,
);

/** Ends a claim. */
export const endClaim = statement<{ claim: string; state: string; result: string | null; endedAt: number }>(
  sql`UPDATE ${writes('runner_task')} SET state = ${value('state')}, result = ${value('result')}, progress = 0,
    lease_until = ${value('endedAt')} ${ofClaim}`,
);

/** Gives a task back, as if it had not been claimed: `counts` keeps the claim among those that failed. */
export const freeClaim = statement<{ claim: string; counts: number }>(
  sql`UPDATE ${writes('runner_task')} SET state = 'WAITING', runner_id = NULL, claim = NULL, lease_until = 0,
    progress = 0, result = NULL, claims = claims - 1 + ${value('counts')} ${ofClaim}`,
);

export const freeTasksOf = statement<{ runnerId: string }>(
  sql`UPDATE ${writes('runner_task')} SET state = 'WAITING', runner_id = NULL, claim = NULL, lease_until = 0,
    progress = 0, result = NULL WHERE runner_id = ${value('runnerId')} AND state = 'CLAIMED'`,
);

export const putStill = putInto(runnerStill, ['key', 'number']);

/** Stills of a task in their order. */
export const stillsFrom = query((db) =>
  db
    .select({ number: runnerStill.number, bytes: runnerStill.bytes })
    .from(runnerStill)
    .where(eq(runnerStill.key, value('key')))
    .orderBy(runnerStill.number)
    .limit(value('limit'))
    .offset(value('offset')),
);

/** Keeps how many stills of a task that has ended the job has. */
export const tookStills = statement<{ key: string; taken: number }>(
  sql`UPDATE ${writes('runner_task')} SET progress = ${value('taken')} WHERE key = ${value('key')}`,
);

/** Work of jobs that ended without taking it. */
export const runnerSchema = (): readonly string[] => {
  const tasks = goesWith({ runner_task: 'job_id' });
  return triggers({
    runner_task_job_ended: updated('job', 'finished_at', tasks, 'NEW.finished_at IS NOT NULL'),
    runner_task_job_gone: deleted('job', tasks),
  });
};
