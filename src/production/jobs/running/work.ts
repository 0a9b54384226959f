import { callerNamed } from '../../../assets/search/public.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import { type Piece, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import { createProperties } from '../../../identity/api-settings/public-reading.ts';
import type { Services } from '../../../room/context.ts';
import { type JobType, jobPriorities } from '../../../room/jobs/job-type.ts';
import { MemoMismatch } from '../../../room/jobs/memo.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { type JobSettings, jobProperties } from '../parts.ts';
import {
  type PassedPlaces,
  type PoolJob,
  type PoolPlaces,
  placesOf,
  takeInShares,
  waitsAlone,
} from '../pools/rules.ts';
import { noPools, poolsOf } from '../pools/store.ts';
import { createGroupPlaces } from '../pools/task-groups.ts';
import { type TaskRunner, wholeType } from '../tasks/custom-steps.ts';
import { askAgain } from './rights.ts';
import { jobLost, leaseTime, memoOf, nextRunning } from './rules.ts';
import { type RunParts, runJob } from './run.ts';
import {
  disappear,
  endLeases,
  jobHeld,
  jobsDue,
  jobUntaken,
  lostJobs,
  measureJobs,
  movedOn,
  moveLease,
  readyBands,
  readyJobs,
  waitingJobs,
  waitingUsers,
  writeJob,
} from './store.ts';

interface KindParts extends Omit<RunParts, 'typeOf' | 'ask'> {
  readonly services: Services;
  readonly instanceId: string;
  readonly jobTypes: () => readonly JobType[];
  readonly settings: Pick<JobSettings, 'concurrentJobs' | 'concurrentJobsOfUser'>;
  readonly runner: TaskRunner;
}

/** Jobs of the priority IMMEDIATE begin in any case, up to so many jobs. */
const maxHands = 1_000;
/** Jobs claimed before the free places are read again. */
const page = 64;
/** Jobs that it looks at in any case: those of the priority IMMEDIATE need no place. */
const leastPage = 8;
const defaultPriority = jobPriorities.indexOf('MEDIUM');

interface ClaimedJob extends Piece {
  readonly row: JobRow;
  /** The job before it was claimed. */
  readonly before: JobRow;
}

interface PlacedRow extends PoolJob {
  readonly serial: number;
  readonly row: JobRow;
}

/** Takes jobs from step to step. A server that dies holds a job for one lease. */
export function jobsKind(parts: KindParts): WorkKind {
  const { store, instanceId, settings } = parts;
  const property = createProperties(store, jobProperties);
  let typesByName: ReadonlyMap<string, JobType> | undefined;
  const types = () => {
    typesByName ??= new Map(parts.jobTypes().map((type) => [type.type, type]));
    return typesByName;
  };
  const placed = (row: JobRow): PlacedRow => {
    const { priority, user, serial } = row;
    return { priority, user, takesLong: takesLong(row), serial, row };
  };
  function takesLong(row: JobRow): boolean {
    const type = types().get(row.type);
    if (!type?.takesLong) return false;
    try {
      return type.takesLong(memoOf(type, row));
    } catch (error) {
      // The job fails as soon as it runs.
      if (error instanceof MemoMismatch) return false;
      throw error;
    }
  }
  const ask: RunParts['ask'] = (job, needs) => askAgain(parts, job, needs);
  const typeOf = (row: JobRow) => wholeType(types().get(row.type), row, parts.runner);
  const runParts: RunParts = { ...parts, typeOf, ask };
  const groupPlaces = createGroupPlaces(store);
  /** The jobs that this instance runs. */
  const running = new Map<string, ClaimedJob>();
  /** Configuration as the last claim read it. */
  let configured = { pools: noPools, defaultValue: settings.concurrentJobs };
  const placesNow = (unbounded?: ReadonlySet<string>) => {
    const { pools, defaultValue } = configured;
    return placesOf(
      pools,
      { jobs: defaultValue, ofUser: settings.concurrentJobsOfUser, unbounded },
      [...running.values()].map(({ row }) => placed(row)),
    );
  };
  /** The users without a further place who may have the last one: nobody else waits, or they are administrators. */
  async function unboundedIn(places: PoolPlaces): Promise<ReadonlySet<string>> {
    const full = [...new Set(places.open().flatMap((priority) => places.fullFor(priority)))];
    if (full.length === 0 || places.free === 0 || settings.concurrentJobsOfUser > 0) return new Set();
    const waiting = await waitingUsers(store, { open: places.open() });
    const alone = full.filter((user) => waitsAlone(user, waiting));
    if (alone.length > 0) return new Set(alone);
    const callers = await Promise.all(full.map((user) => callerNamed(parts, user)));
    const administers = await Promise.all(callers.map((caller) => caller && subjectOf(caller).has(administrator)));
    return new Set(full.filter((_, at) => administers[at]));
  }

  /** An abort, like another instance that takes a job, raises its fence: a source that hangs keeps no place any more. */
  async function lostPieces(): Promise<readonly string[]> {
    if (running.size === 0) return [];
    const leases = JSON.stringify([...running.values()].map(({ row: { id, fence } }) => [id, fence]));
    return (await movedOn(store, { held: leases })).map(({ id }) => id);
  }

  /** Undefined: another instance was faster. */
  async function take(row: JobRow, now: number): Promise<Pick<ClaimedJob, 'row' | 'before'> | undefined> {
    const isLost = row.leaseUntil > 0;
    const claimed: JobRow = {
      ...row,
      instance: instanceId,
      leaseUntil: now + leaseTime,
      fence: row.fence + 1,
      due: null,
      attempt: row.attempt + (isLost && row.stepStatus === 'STARTED' ? 1 : 0),
    };
    const disappeared = isLost ? [disappear({ id: row.id, now })] : [];
    const running = nextRunning(typeOf(row), claimed, now);
    const to = running?.row ?? claimed;
    const changes = [jobUntaken(row, jobLost), ...disappeared, writeJob(to), ...(running ? [running.task] : [])];
    try {
      await store.commit({ changes, events: [] }, systemActor);
      return { row: to, before: row };
    } catch (error) {
      if (error === jobLost) return undefined;
      throw error;
    }
  }

  /** Claims jobs concurrently, so that they share a sync. If some fail, the others begin. */
  async function takeAll(rows: readonly JobRow[], now: number): Promise<readonly ClaimedJob[]> {
    const tried = await Promise.allSettled(rows.map((row) => take(row, now)));
    const taken = tried.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
    const failed = tried.find((each) => each.status === 'rejected');
    if (taken.length === 0 && failed) throw failed.reason;
    return taken.map((each) => ({ key: each.row.id, ...each }));
  }

  /** By priority: whose job this instance took last. The users behind come first, then those before. */
  const served = new Map<number, string>();
  const passed: PassedPlaces = new Map();
  let looksAtNewFirst = false;

  type DueQuery = {
    readonly types: string;
    readonly open: readonly number[];
    /** Pairs of priority and user who has no further place. */
    readonly full: readonly unknown[];
    readonly now: number;
    readonly limit: number;
  };
  const dueQuery = (
    places: PoolPlaces,
    limit: number,
    now: number,
    closed: ReadonlySet<string> = new Set(),
  ): DueQuery => {
    const open = places.open();
    const full = open.flatMap((priority) => places.fullFor(priority).map((user) => [priority, user]));
    return {
      types: JSON.stringify([...types().keys()].filter((type) => !closed.has(type))),
      open,
      full,
      now,
      limit,
    };
  };
  const bandQuery = ({ types, limit }: DueQuery, places: PoolPlaces, priority: number) => {
    const full = places.fullFor(priority);
    const after = served.get(priority) ?? '';
    return { priority, after, types, limit, full, reach: limit + full.length };
  };

  /** Jobs of each band that may begin. At least one of each, since lower bands have a share of the places. */
  async function readyJobsOf(query: DueQuery, places: PoolPlaces): Promise<readonly (readonly PlacedRow[])[]> {
    const bands: (readonly PlacedRow[])[] = [];
    let { limit } = query;
    for (const { priority } of await readyBands(store, query)) {
      const rows = await readyJobs(store, bandQuery({ ...query, limit: Math.max(1, limit) }, places, priority));
      limit -= rows.length;
      bands.push(rows.map(placed));
    }
    return bands;
  }

  /** Starts the reads of a claim that finds few jobs, for `Store.ahead`. */
  const claimAhead = (query: DueQuery, places: PoolPlaces) => [
    poolsOf(store),
    property('concurrentJobs'),
    groupPlaces(query.now),
    lostJobs(store, query),
    waitingJobs(store, query),
    readyBands(store, query),
    ...(served.size > 0 ? [...served.keys()] : [defaultPriority]).map((priority) =>
      readyJobs(store, bandQuery(query, places, priority)),
    ),
  ];

  /** Takes places for jobs that are due, `query.limit` at most. */
  async function choose(
    query: DueQuery,
    places: PoolPlaces,
    ofGroups: Awaited<ReturnType<typeof groupPlaces>>,
    isHeld: (key: string) => boolean,
  ) {
    const looked: PlacedRow[] = [];
    const wanted: PlacedRow[] = [];
    const hasRoom = (job: PlacedRow) => ofGroups.hasPlace(job.row) && places.hasRoom(job);
    const take = (job: PlacedRow) => hasRoom(job) && places.take(job) && ofGroups.count(job.row);
    const isOther = ({ row }: PlacedRow) => !isHeld(row.id);
    const takeInOrder = async (find: typeof lostJobs) => {
      // Reads with one limit go together in a call.
      const rows = (await find(store, query)).map(placed).filter(isOther);
      looked.push(...rows);
      for (const row of rows) if (wanted.length < query.limit && take(row)) wanted.push(row);
    };
    const takeReady = async () => {
      const bands = (await readyJobsOf(query, places)).map((band) => band.filter(isOther));
      looked.push(...bands.flat());
      wanted.push(
        ...takeInShares(bands, { hasRoom, take, poolOf: places.poolOf }, passed, query.limit - wanted.length),
      );
    };
    const [lost, waiting] = [() => takeInOrder(lostJobs), () => takeInOrder(waitingJobs)];
    // Jobs that look in vain again and again do not keep new ones from beginning.
    looksAtNewFirst = !looksAtNewFirst;
    for (const takeNext of looksAtNewFirst ? [lost, takeReady, waiting] : [lost, waiting, takeReady])
      if (looked.length < query.limit) await takeNext();
    // The next claim looks at other users, where those of this one have to wait although a place is free.
    for (const { row } of [...looked, ...wanted]) if (row.due === 0) served.set(row.priority, row.user ?? '');
    return wanted.map(({ row }) => row);
  }

  return workKind<ClaimedJob>({
    name: 'jobs',
    says: 'Runs jobs',
    priority: 40,
    concurrency: maxHands,
    wokenBy: ['job/create', 'job.due'],
    lease: {
      milliseconds: leaseTime,
      renew: ({ row }, until) =>
        store.commit(changing(jobHeld(row, jobLost), moveLease({ id: row.id, until })), systemActor),
      lost: jobLost,
    },
    due: () => jobsDue,
    lostPieces,
    async claim(max, now, isHeld) {
      // A row is long, so few are read that find no place.
      const limitOf = ({ free }: PoolPlaces) => Math.min(max, page, Math.max(free, leastPage));
      const poolPlaces = placesNow();
      store.ahead(() => claimAhead(dueQuery(poolPlaces, limitOf(poolPlaces), now), poolPlaces));
      configured = {
        pools: await poolsOf(store),
        defaultValue: (await property('concurrentJobs')) || settings.concurrentJobs,
      };
      const places = placesNow(await unboundedIn(placesNow()));
      const ofGroups = await groupPlaces(now);
      const query = dueQuery(places, limitOf(places), now, ofGroups.closedTypes());
      const wanted = await choose(query, places, ofGroups, isHeld);
      const pieces = await takeAll(wanted, now);
      for (const piece of pieces) running.set(piece.key, piece);
      return pieces;
    },
    async do(piece, context) {
      try {
        await runJob(runParts, piece.row, context, piece.before);
        context.done();
      } catch (error) {
        // A caller ended the job, or another instance owns it.
        if (error !== jobLost) throw error;
      } finally {
        if (running.get(piece.key) === piece) running.delete(piece.key);
      }
    },
    async measure() {
      const measured = await measureJobs(store, {});
      return {
        waiting: measured?.waiting ?? 0,
        oldest: measured?.oldest ?? undefined,
        running: measured?.running ?? 0,
      };
    },
    async takeBack() {
      const [ended = []] = await store.commit(changing(endLeases({})), systemActor);
      return ended.length;
    },
  });
}
