import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type Statement, systemActor } from '../../core/store/contract.ts';
import type { RemotePart, Runners, TranscodeReport, WorkHere } from '../../production/checking/public.ts';
import { checkedResult, MediaFault } from '../../production/checking/public-reading.ts';
import { JobWaits } from '../../room/jobs/job-type.ts';
import type { StillOrder } from '../../spi/index.ts';
import type { RunnerContext } from './parts.ts';
import { type Ended, isSpent, keyOf, needsOf, type Outcome, silenceOf, type TaskKind } from './rules.ts';
import {
  findTask,
  insertTask,
  removeTask,
  reportTask,
  someRunner,
  stillsFrom,
  type TaskRow,
  taskUntaken,
  tookStills,
} from './store.ts';

/** Milliseconds after which this server does a task that no runner has taken. */
const patience = 10_000;
/** Milliseconds for which bytes of a runner stay staged: the sweep of a storage deletes them later. */
const keptStaged = 30 * 60_000;
/** Stills of one read and one commit: many thumbnails, or one poster. */
const stillsAtOnce = ({ width = 0 }: StillOrder): number => (width <= 640 ? 8 : 1);

interface Done {
  readonly outcome: Exclude<Outcome, { message: string }>;
  readonly warnings: readonly string[];
  readonly storageId: string | null;
  /** Stills that were kept. */
  readonly taken: number;
}

const lost = changedMeanwhile('Task', 'runner-task');

interface RemoteWork {
  readonly kind: TaskKind;
  readonly order: object;
  readonly needs: readonly string[];
  readonly storageId?: string;
}

/**
 * Gives parts of jobs to runners. A job waits in the database meanwhile, and keeps no place of other jobs. The end of its
 * task wakes it, and its step begins again.
 */
export function createDispatch(context: RunnerContext): Runners {
  const { store, clock, settings, security, sharesWork } = context;
  /** Parts that this server does while runners are there: one, unless the operator names a number. */
  let doingHere = 0;
  const maxHere = settings.transcodings === 'auto' ? 1 : settings.transcodings;

  const commit = (...changes: readonly Statement[]) => store.commit(changing(...changes), systemActor);
  const isAble = async (needs: readonly string[]): Promise<boolean> =>
    (await someRunner(store, { since: clock.now() - silenceOf(sharesWork), needs: JSON.stringify(needs) }))?.is === 1;
  const waits = ({ labels }: RemotePart, needs: readonly string[], requirement: string, works = false) =>
    new JobWaits({
      ...{ resourceType: 'RUNNER', resourceId: (labels.length > 0 ? labels : needs).join(','), requirement },
      ...(works && { works }),
    });

  async function doneHere<T>(work: () => Promise<T>): Promise<T> {
    doingHere++;
    try {
      return await work();
    } finally {
      doingHere--;
    }
  }

  /** The task of a part: that of an earlier attempt of its job, if it asks for the same. Undefined: no runner takes it. */
  async function taskOf(part: RemotePart, { kind, order, needs, storageId }: RemoteWork): Promise<TaskRow | undefined> {
    const key = keyOf(part.job.id, part.name);
    const about = {
      key,
      jobId: part.job.id,
      kind,
      needs: JSON.stringify(needs),
      request: JSON.stringify(order),
      fileId: part.source.id,
    };
    const before = await findTask(store, { key });
    const isSame = before && Object.entries(about).every(([name, value]) => before[name as keyof TaskRow] === value);
    const isOld = before?.state === 'DONE' && before.leaseUntil <= clock.now() - keptStaged;
    if (isSame && before.reported === 0 && !isOld) return before;
    if (!(await isAble(needs))) return undefined;
    const fresh = { claim: null, runnerId: null, leaseUntil: 0, claimedAt: 0, claims: 0, progress: 0, result: null };
    const row = {
      ...about,
      ...fresh,
      storageId: storageId ?? null,
      state: 'WAITING',
      reported: 0,
      createdAt: clock.now(),
    };
    await store.commit(
      {
        changes: [part.job.mine, removeTask({ key }), insertTask(row)],
        events: [],
        touches: [{ kind: 'runner-task', id: key, aspect: 'state' }],
      },
      systemActor,
    );
    return row;
  }

  async function takenBack(key: string): Promise<boolean> {
    try {
      await commit(taskUntaken({ key, now: clock.now() }, lost), removeTask({ key }));
      return true;
    } catch (error) {
      if (error === lost) return false;
      throw error;
    }
  }

  /** Result of a part that a runner has done. Undefined: this server does it. Otherwise the job waits. */
  async function remote(
    part: RemotePart,
    work: RemoteWork,
    here: Pick<WorkHere<unknown>, 'isAble'>,
    report?: TranscodeReport,
  ): Promise<Done | undefined> {
    const { needs } = work;
    const mayStay = part.labels.length === 0 && settings.mediaHere;
    const row = await taskOf(part, work);
    if (row && (row.state === 'DONE' || row.state === 'FAILED')) return doneOf(row, report);
    const now = clock.now();
    if (row && isSpent(row, now)) throw new MediaFault('exhausted', 'Expected a runner that ends the task: none does');
    if (row && row.leaseUntil <= now) {
      const isLate = mayStay && now - row.createdAt >= patience && doingHere < maxHere;
      if ((isLate && (await here.isAble())) || !(await isAble(needs))) {
        if (!(await takenBack(row.key))) throw waits(part, needs, 'RunnerWorks');
        if (mayStay) return undefined;
        throw waits(part, needs, 'NoRunner');
      }
    }
    if (!row && mayStay) return undefined;
    report?.progress((row?.progress ?? 0) / 100);
    const isClaimed = row?.state === 'CLAIMED' && row.leaseUntil > now;
    throw waits(part, needs, row ? 'RunnerWorks' : 'NoRunner', isClaimed);
  }

  /** A failure is reported once: the next attempt of the job is another task. */
  async function doneOf({ key, storageId, result, progress: taken }: TaskRow, report?: TranscodeReport): Promise<Done> {
    const { outcome, warnings, by } = JSON.parse(result!) as Ended;
    if (by !== undefined) report?.by(by);
    if (!('message' in outcome)) return { outcome, warnings, storageId, taken };
    await commit(reportTask({ key }));
    const { message, kind } = outcome;
    throw kind === undefined ? new Error(message) : new MediaFault(kind, message);
  }

  return {
    async transcode(part, order, { storageId, ...report }, here) {
      const needs = needsOf('transcode', part.labels, order);
      const result = await remote(part, { kind: 'transcode', order, needs, storageId }, here, report);
      if (!result) return doneHere(here.run);
      const { outcome, warnings } = result;
      if (!('staged' in outcome)) throw new Error('Expected the bytes of the runner');
      const { size } = outcome.staged;
      const staged = { ...outcome.staged, storageId: result.storageId! };
      return { size, staged, warnings, close: async () => undefined, body: stagedAlready };
    },

    async stills(part, order, keep, here) {
      const needs = needsOf('stills', part.labels, order);
      const result = await remote(part, { kind: 'stills', order, needs }, here);
      if (!result) return doneHere(here.run);
      const key = keyOf(part.job.id, part.name);
      // Stills of an earlier attempt stay: an edge has few calls for each.
      let { taken } = result;
      const [warning] = result.warnings;
      for (;;) {
        const rows = await stillsFrom(store, { key, offset: taken, limit: stillsAtOnce(order) });
        if (rows.length === 0) return taken;
        const stills = rows.flatMap(({ number, bytes }) => {
          const seconds = order.seconds[number];
          return seconds === undefined
            ? []
            : { seconds, bytes: new Uint8Array(bytes), ...(warning !== undefined && { warning }) };
        });
        taken += rows.length;
        await keep(stills, [tookStills({ key, taken })]);
      }
    },

    draws: async (media, isHere) =>
      (isHere && settings.mediaHere) || (await isAble(needsOf('stills', [], { draws: media }))),

    async probe(part, order, run) {
      // Probers of plugins run where they are configured.
      if (settings.mediaHere || security.probers().length > 0) return run();
      const work = { kind: 'probe', order, needs: needsOf('probe', part.labels, {}) } as const;
      const result = await remote(part, work, { isAble: async () => true });
      return result ? checkedResult('probe' in result.outcome ? result.outcome.probe : undefined) : run();
    },
  };
}

function stagedAlready(): never {
  throw new Error('Expected no reader of bytes that are on their storage');
}
