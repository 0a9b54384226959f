import type { Waker } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { shortLine } from '../../core/lib/messages.ts';
import { textOfBytes } from '../../core/lib/random.ts';
import { changedMeanwhile, retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { runnerProtocol } from '../../core/lib/version.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type Statement, systemActor, type Touch } from '../../core/store/contract.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { page, pageOf, whole } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { noContent } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { wakeJob } from '../../room/jobs/contract.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator, runnerRole } from '../../security/subject.ts';
import { extensionOf } from '../../storage/public.ts';
import { findFile } from '../../storage/public-reading.ts';
import { type Addresses, lifetime } from './addresses.ts';
import {
  type Runner,
  type RunnerTask,
  runnerDocument,
  runnerListDocument,
  runnerResultDocument,
  runnerTaskDocument,
} from './documents.ts';
import { runnerEvent } from './events.ts';
import type { RunnerParts } from './parts.ts';
import {
  type Ended,
  idleSeconds,
  introduced,
  leaseTime,
  maxClaims,
  maxRunners,
  noSuchRunner,
  noSuchTask,
  outcomeOf,
  silenceOf,
  tooManyRunners,
} from './rules.ts';
import {
  claimHolds,
  claimTask,
  endClaim,
  findRunner,
  findRunnerNamed,
  freeClaim,
  freeTasksOf,
  heldTask,
  insertRunner,
  type ListedRunner,
  listedRunner,
  listRunners,
  pauseRunner,
  type RunnerRow,
  removeRunner,
  renewClaim,
  renewRunner,
  roomForRunner,
  runnerMustExist,
  sawRunner,
  type TaskRow,
  tasksOf,
} from './store.ts';

const path = '/runner';
const onRunner = `${path}/:runner` as const;
const onTask = `${path}/task/:claim` as const;
/** Seconds that a claim waits for a task at most. */
const maxWait = 20;
const maxTasks = 1_000;
/** Runners of one page: each has hundreds of words. */
const maxListed = 100;

/** Runners, what they do, and the tasks that they claim. */
export function runnerRoutes(parts: RunnerParts, addresses: Addresses, waker: Waker): readonly Route[] {
  const { store, clock, random, settings, sharesWork } = parts;
  const administers = role(administrator);
  const runs = role(runnerRole);

  const anyRunner: PathEntity<ListedRunner> = {
    kind: 'runner',
    async find(id) {
      const row = await listedRunner(store, { id });
      if (row) return row;
      throw noSuchRunner(id);
    },
    stays: ({ id }) => runnerMustExist(id, noSuchRunner(id)),
  };

  const idOf = (caller: Caller): string | undefined => subjectOf(caller).user?.id;
  const isOf = async (caller: Caller, row: RunnerRow): Promise<boolean> =>
    row.userId === idOf(caller) || (await subjectOf(caller).has(administrator));

  /** The runners of others are not there. */
  const ownRunner: PathEntity<RunnerRow> = {
    kind: 'runner',
    async find(id, caller) {
      const row = await findRunner(store, { id });
      if (row && (await isOf(caller, row))) return row;
      throw noSuchRunner(id);
    },
  };

  const ownTask: PathEntity<TaskRow & { readonly runner: string }> = {
    kind: 'runner-task',
    async find(claim, caller) {
      const row = await heldTask(store, claim, clock.now());
      const runner = row && (await findRunner(store, { id: row.runnerId! }));
      if (row && runner && (await isOf(caller, runner))) return { ...row, runner: runner.name };
      throw noSuchTask(claim);
    },
  };

  async function documentsOf(rows: readonly ListedRunner[]): Promise<readonly Runner[]> {
    const now = clock.now();
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const tasks = rows.length === 0 ? [] : await tasksOf(store, { ids, now, limit: maxTasks });
    return rows.map(({ id, name, user, version, labels, offers, createdAt, seenAt, pausedAt, stoppedAt }) => ({
      id,
      name,
      user,
      version,
      label: JSON.parse(labels) as string[],
      ability: (JSON.parse(offers) as string[]).filter((word) => !word.startsWith('label:')),
      state: stoppedAt === null && seenAt > now - silenceOf(sharesWork) ? ('ONLINE' as const) : ('OFFLINE' as const),
      created: createdAt,
      seen: seenAt,
      paused: pausedAt ?? undefined,
      task: tasks
        .filter(({ runnerId }) => runnerId === id)
        .map(({ kind, jobId, progress, claimedAt }) => ({
          type: kind.toUpperCase(),
          job: jobId,
          progress,
          started: claimedAt,
        })),
    }));
  }

  /** Not in the name of the caller: the audit has no row for each sign of life. */
  const commit = (changes: readonly Statement[], key?: string, touches: readonly Touch[] = []) => {
    const ofTask = key === undefined ? [] : [{ kind: 'runner-task', id: key, aspect: 'state' }];
    return store.commit({ ...changing(...changes), touches: [...ofTask, ...touches] }, systemActor);
  };

  const holds = (claim: string) => claimHolds({ claim, now: clock.now() }, noSuchTask(claim));

  async function taskDocument(call: Call, { claim, kind, request, fileId, storageId }: TaskRow): Promise<RunnerTask> {
    const file = await findFile(store, { id: fileId });
    if (!file) throw noSuchTask(claim!);
    const expires = Math.floor(clock.now() / 1000) + lifetime;
    const hasTarget = storageId !== null || kind === 'stills';
    return {
      id: claim!,
      type: kind.toUpperCase(),
      order: request,
      source: await addresses.make(call, claim!, 'source', expires),
      size: file.size ?? 0,
      extension: extensionOf(file.path).slice(1) || undefined,
      ...(hasTarget && { target: await addresses.make(call, claim!, 'target', expires) }),
      expires: expires * 1000,
      lease: leaseTime / 1000,
    };
  }

  /** The job tells its clients that a runner works, and how far it is. */
  async function tellJob({ jobId }: TaskRow): Promise<void> {
    const { changes, touches } = wakeJob(jobId);
    await commit(changes, undefined, touches);
  }

  async function claimOne({ id, offers }: RunnerRow): Promise<TaskRow | undefined> {
    const now = clock.now();
    const claim = textOfBytes(random.bytes(16));
    const taking = { runnerId: id, claim, offers, now, until: now + leaseTime, max: maxClaims };
    const [rows = []] = await commit([sawRunner({ id, seenAt: now }), claimTask(taking)]);
    const task = rows.length === 0 ? undefined : await heldTask(store, claim, now);
    if (task) await tellJob(task);
    return task;
  }

  /** Ends a claim with an outcome, in one commit with the guard of its lease. */
  const end = ({ key, claim, jobId }: TaskRow, state: 'DONE' | 'FAILED', ended: Ended) => {
    const { changes, touches } = wakeJob(jobId);
    const endsClaim = endClaim({ claim: claim!, state, result: JSON.stringify(ended), endedAt: clock.now() });
    return commit([holds(claim!), endsClaim, ...changes], key, touches);
  };

  const pausing = (verb: 'pause' | 'resume', says: string): Route =>
    route({
      method: 'POST',
      path: `${onRunner}/${verb}`,
      says,
      entities: { runner: anyRunner },
      access: administers,
      acting: 'refused',
      async handle(call, { runner: { id, name, pausedAt } }) {
        const pauses = verb === 'pause';
        if (pauses === (pausedAt !== null)) return;
        await call.commit({
          ...changing(pauseRunner({ id, pausedAt: pauses ? clock.now() : null })),
          events: [runnerEvent(`runner/${verb}`, id, { runner: id, name })],
          // Claims that wait try again.
          touches: [{ kind: 'runner-task', id, aspect: 'state' }],
        });
      },
    });

  return [
    route({
      method: 'GET',
      path,
      says: 'The runners, the oldest first, with what they do now.',
      query: page(maxListed),
      answers: answer(runnerListDocument, { list: 'runner' }),
      access: administers,
      async handle(call) {
        const rows = await pageWithin(listRunners, call.reader, { ...pageOf(call.query) }, settings.maxPageValues);
        return { runner: [...(await documentsOf(rows))] };
      },
    }),
    route({
      method: 'GET',
      path: onRunner,
      says: 'One runner, with what it does now.',
      entities: { runner: anyRunner },
      answers: runnerDocument,
      access: administers,
      handle: async (_call, { runner }) => (await documentsOf([runner]))[0]!,
    }),
    route({
      method: 'POST',
      path,
      says: 'Registers a runner of the caller. The same name again is the same runner, with what it can do now.',
      reads: runnerDocument,
      answers: runnerDocument,
      location: ({ id = '' }) => ['runner', id],
      access: runs,
      acting: 'refused',
      async handle(call) {
        const introduction = introduced(call.body);
        const userId = idOf(call);
        if (userId === undefined)
          throw new ServiceError('not-allowed', { context: 'user', explanation: 'Expected a user of this service' });
        const stops = call.body.state === 'OFFLINE';
        const answered = { name: introduction.name, protocol: runnerProtocol };
        // Two calls at once find none both: the one that comes second finds that of the first.
        return retryWhenChanged(async () => {
          const now = clock.now();
          const seen = { seenAt: now, stoppedAt: stops ? now : null };
          const registered = await findRunnerNamed(store, { userId, name: introduction.name });
          if (registered) {
            const { id } = registered;
            const freed = stops ? [freeTasksOf({ runnerId: id })] : [];
            await commit([renewRunner({ ...introduction, id, ...seen }), ...freed], stops ? id : undefined);
            return { id, ...answered };
          }
          const id = await store.nextId('runner');
          const row = { ...introduction, id, serial: serialOf(id), userId, createdAt: now, ...seen, pausedAt: null };
          const isThere = changedMeanwhile('Runner', introduction.name);
          await call.commit({
            ...changing(roomForRunner({ userId, max: maxRunners }, tooManyRunners), insertRunner(row, isThere)),
            events: [runnerEvent('runner/create', id, { runner: id, name: introduction.name })],
          });
          return { id, ...answered };
        });
      },
    }),
    route({
      method: 'DELETE',
      path: onRunner,
      says: 'Removes a runner. Its tasks go to others at once. It comes back unless its token is revoked.',
      entities: { runner: anyRunner },
      access: administers,
      acting: 'refused',
      status: 204,
      handle: (call, { runner: { id, name } }) =>
        call.commit({
          ...changing(freeTasksOf({ runnerId: id }), removeRunner({ id })),
          events: [runnerEvent('runner/delete', id, { runner: id, name })],
          touches: [{ kind: 'runner-task', id, aspect: 'state' }],
        }),
    }),
    pausing('pause', 'Pauses a runner: it ends what it does, and claims nothing. It stays registered.'),
    pausing('resume', 'Resumes a runner that is paused: it claims tasks again.'),
    route({
      method: 'POST',
      path: `${onRunner}/claim`,
      says: 'Gives the runner a task that it can do, or answers 204 when there is none. An edge does not wait: its Retry-After is the longest pause of an idle runner.',
      entities: { runner: ownRunner },
      query: { wait: whole('Seconds to wait for a task', { defaultValue: 0, atMost: maxWait }) },
      answers: raw([runnerTaskDocument, 'nothing']),
      status: 204,
      access: runs,
      acting: 'refused',
      async handle(call, { runner }) {
        const until = clock.now() + (sharesWork ? call.query.wait * 1000 : 0);
        for (;;) {
          const { turn } = waker;
          const task = await claimOne(runner);
          if (task) return call.render(call.type, runnerTaskDocument, await taskDocument(call, task));
          const left = until - clock.now();
          // Each claim of an edge costs calls, and none wakes another one.
          if (!sharesWork) return { ...noContent, headers: { 'retry-after': `${idleSeconds}` } };
          if (left <= 0 || call.request.signal.aborted) return noContent;
          await waker.wait(turn, Math.min(left, 1_000), call.request.signal);
        }
      },
    }),
    route({
      method: 'PUT',
      path: onTask,
      says: 'Renews the lease of a task, tells its progress, and answers addresses that end later.',
      entities: { claim: ownTask },
      query: { progress: whole('Percent', { defaultValue: 0, max: 100 }) },
      answers: runnerTaskDocument,
      access: runs,
      acting: 'refused',
      async handle(call, { claim: task }) {
        const claim = task.claim!;
        const now = clock.now();
        const { progress } = call.query;
        await commit(
          [
            holds(claim),
            renewClaim({ claim, until: now + leaseTime, progress }),
            sawRunner({ id: task.runnerId!, seenAt: now }),
          ],
          task.key,
        );
        if (progress > task.progress) await tellJob(task);
        return taskDocument(call, task);
      },
    }),
    route({
      method: 'POST',
      path: `${onTask}/done`,
      says: 'Ends a task whose result is there.',
      entities: { claim: ownTask },
      reads: runnerResultDocument,
      access: runs,
      acting: 'refused',
      async handle(call, { claim: task }) {
        const warnings = (call.body.warning ?? []).map(shortLine);
        await end(task, 'DONE', { outcome: outcomeOf(task, call.body.probe), warnings, by: task.runner });
      },
    }),
    route({
      method: 'POST',
      path: `${onTask}/failed`,
      says: 'Ends a task that failed. Unless the media is to blame, another runner may try.',
      entities: { claim: ownTask },
      reads: runnerResultDocument,
      access: runs,
      acting: 'refused',
      async handle(call, { claim: task }) {
        const { kind, message = '' } = call.body;
        const outcome = { message: shortLine(message) || 'Expected the runner to say why it failed', kind };
        if (kind !== undefined || task.claims >= maxClaims)
          return void (await end(task, 'FAILED', { outcome, warnings: [] }));
        await commit([holds(task.claim!), freeClaim({ claim: task.claim!, counts: 1 })], task.key);
        await tellJob(task);
      },
    }),
    route({
      method: 'DELETE',
      path: onTask,
      says: 'Gives a task back, as a runner does that stops.',
      entities: { claim: ownTask },
      access: runs,
      acting: 'refused',
      status: 204,
      async handle(_call, { claim: task }) {
        await commit([holds(task.claim!), freeClaim({ claim: task.claim!, counts: 0 })], task.key);
        await tellJob(task);
      },
    }),
  ];
}
