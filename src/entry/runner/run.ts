import type { Clock } from '../../core/lib/clock.ts';
import { sentenceOf } from '../../core/lib/messages.ts';
import type { Random } from '../../core/lib/random.ts';
import { programVersion, runnerProtocol } from '../../core/lib/version.ts';
import { mediaKindOf } from '../../production/checking/public-reading.ts';
import { CommandError } from '../../room/command.ts';
import type { MediaHost, ProbeOptions, Still, StillOrder, TranscodeOrder, Transcoder } from '../../spi/index.ts';
import { type Client, createClient, Refused, type RunnerTask } from './client.ts';

interface RunnerOptions {
  /** Address of the API: `https://media.example.com/API`. */
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly labels: readonly string[];
  /** Tasks at a time. */
  readonly tasks: number;
  readonly transcoders: readonly Transcoder[];
  readonly media: Pick<MediaHost, 'probe'>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the runner is to stop: it gives its tasks back. */
  readonly signal: AbortSignal;
  log(event: string, fields: object): void;
}

/** Seconds that a claim waits for a task. */
const claimWaits = 20;
/** Milliseconds between attempts to reach a service that does not answer: doubled up to the second. */
const firstPause = 1_000;
const maxPause = 60_000;
/** Milliseconds between claims of a service that answers at once that there is none. */
const idlePause = 2_000;
/** Milliseconds in which a runner that stops gives a task back. */
const partingTime = 5_000;

const stopping = new Error('The runner stops');
const lost = new Error('The lease has ended');

/** Does tasks of a service until it is told to stop. Throws only what no attempt would mend. */
export async function runRunner(options: RunnerOptions): Promise<void> {
  const { signal, tasks, clock } = options;
  const client = createClient(options);
  const introduction = {
    name: options.name,
    version: programVersion,
    protocol: runnerProtocol,
    label: options.labels,
    ability: await abilitiesOf(options.transcoders),
  };
  const runner = { id: '' };
  const register = () =>
    untilAnswered(options, async () => {
      const { id, protocol = runnerProtocol } = (await client.register(introduction, signal))!;
      if (protocol !== runnerProtocol) throw new CommandError(otherProtocol(protocol));
      runner.id = id;
      options.log('runner-registered', { runner: runner.id, name: options.name });
    });
  await register();
  /** Tasks that run. Claims come one at a time, however many places are free: an edge has a bounded number of calls a day. */
  const running = new Set<Promise<void>>();
  /** Aborted by a task that ends: the next step of its job may wait already. */
  let ended = new AbortController();
  for (let pause = idlePause; !signal.aborted; ) {
    if (running.size === tasks) {
      await Promise.race(running);
      continue;
    }
    ended = new AbortController();
    const claimedAt = clock.now();
    const claimed = await untilAnswered(options, async () => {
      try {
        return await client.claim(runner.id, claimWaits, signal);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) throw error;
        // An administrator has removed it, and the token still holds.
        await register();
        return undefined;
      }
    });
    if (claimed?.document) {
      const work = doTask(options, client, claimed.document).finally(() => {
        running.delete(work);
        ended.abort();
      });
      running.add(work);
      pause = idlePause;
    } else if (clock.now() - claimedAt < idlePause) {
      // A service on an edge does not wait, and says how long a runner may stay away.
      await clock.sleep(pause, AbortSignal.any([signal, ended.signal])).catch(() => undefined);
      const longest = Math.max(idlePause, claimed?.retryAfter ?? idlePause);
      pause = ended.signal.aborted ? idlePause : Math.min(2 * pause, longest);
    }
  }
  await Promise.all(running);
  // The service knows at once that it is gone.
  const parting = AbortSignal.timeout(partingTime);
  if (runner.id !== '') await client.register({ ...introduction, state: 'OFFLINE' }, parting).catch(() => undefined);
}

const otherProtocol = (found: number): string =>
  `Expected a service of protocol ${runnerProtocol}, as version ${programVersion} has: found ${found}. Install the version of the service`;

/** Calls the service until it answers. A wrong token is no reason to try again. */
async function untilAnswered<T>(
  { signal, clock, random, log }: RunnerOptions,
  call: () => Promise<T>,
): Promise<T | undefined> {
  for (let pause = firstPause; !signal.aborted; pause = Math.min(2 * pause, maxPause)) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof CommandError) throw error;
      if (error instanceof Refused && error.status === 400)
        throw new CommandError(`Expected a service that takes this runner: ${error.message}`);
      if (error instanceof Refused && (error.status === 401 || error.status === 403)) {
        throw new CommandError(`Expected a token of a user with the role _runner: ${error.message}`);
      }
      log('service-not-reached', { error: reasonOf(error), seconds: pause / 1000 });
      // Runners that lost one service do not all come back at once.
      const share = (random.bytes(1)[0]! + 1) / 256;
      await clock.sleep(pause * (0.5 + share / 2), signal).catch(() => undefined);
    }
  }
  return undefined;
}

const reasonOf = (error: unknown): string => {
  const { cause } = error as { readonly cause?: unknown };
  return sentenceOf(cause instanceof Error && cause.message !== '' ? cause : error);
};

async function abilitiesOf(transcoders: readonly Transcoder[]): Promise<readonly string[]> {
  const tested = await Promise.all(
    transcoders.map(async (each) => ({ draws: each.draws ?? [], ...(await each.abilities()) })),
  );
  const able = tested.flatMap((each) => ('missing' in each ? [] : [each]));
  const words = able.flatMap(({ containers, video, audio, stills, draws }) => [
    ...containers.map((each) => `container:${each}`),
    ...video.map((each) => `video:${each}`),
    ...audio.map((each) => `audio:${each}`),
    ...stills.map((each) => `still:${each}`),
    ...draws.map((each) => `draws:${each}`),
  ]);
  return [...new Set(['kind:probe', ...(able.length > 0 ? ['kind:transcode', 'kind:stills'] : []), ...words])];
}

/** Does one task, and tells the service of its end. */
async function doTask(options: RunnerOptions, client: Client, claimed: RunnerTask): Promise<void> {
  const { clock, log, signal } = options;
  const began = clock.now();
  const over = new AbortController();
  const stop = () => over.abort(stopping);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let task = claimed;
  let percent = 0;
  const work = new AbortController();
  const renewing = (async () => {
    for (let until = clock.now() + claimed.lease * 1000; ; ) {
      await clock.sleep((claimed.lease * 1000) / 4, work.signal);
      try {
        task = (await client.renew(task, percent, over.signal)) ?? task;
        until = clock.now() + claimed.lease * 1000;
      } catch (error) {
        if ((error instanceof Refused && error.status === 404) || clock.now() >= until) over.abort(lost);
      }
    }
  })().catch(() => undefined);
  let outcome = 'done';
  try {
    const result = await carryOut(options, client, () => task, {
      signal: over.signal,
      progress: (done) => {
        percent = Math.max(percent, Math.floor(100 * done));
      },
    });
    await client.done(task, result, over.signal);
  } catch (error) {
    outcome = over.signal.aborted ? sentenceOf(over.signal.reason) : reasonOf(error);
    await part(client, task, over.signal, error).catch(() => undefined);
  } finally {
    signal.removeEventListener('abort', stop);
    work.abort(stopping);
    await renewing;
    log('task', { task: claimed.id, type: claimed.type, outcome, ms: clock.now() - began });
  }
}

/** Gives a task back that others are to do, or says why it failed. */
async function part(client: Client, task: RunnerTask, { aborted, reason }: AbortSignal, error: unknown): Promise<void> {
  if (aborted && reason !== stopping) return;
  const signal = AbortSignal.timeout(partingTime);
  if (aborted) return void (await client.giveBack(task, signal));
  const kind = mediaKindOf(error);
  await client.failed(
    task,
    { message: reasonOf(error), ...(kind !== undefined && kind !== 'aborted' && { kind }) },
    signal,
  );
}

interface TaskOptions {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/** Carries out a task by the transcoders and probers of this machine, which are those of a server. */
async function carryOut(
  { transcoders, media }: RunnerOptions,
  client: Client,
  task: () => RunnerTask,
  { signal, progress }: TaskOptions,
): Promise<object> {
  signal.throwIfAborted();
  const source = client.source(task, signal);
  const { type, order, target = '' } = task();
  if (type === 'PROBE') {
    const options = JSON.parse(order) as Omit<ProbeOptions, 'signal'>;
    return { probe: JSON.stringify(await media.probe(source, { ...options, signal })) };
  }
  if (type === 'STILLS') {
    const stills = JSON.parse(order) as StillOrder;
    const transcoder = await firstOf(transcoders, async (each) => {
      const able = await each.abilities();
      if ('missing' in able) return stills.type;
      if (stills.draws !== undefined) return each.draws?.includes(stills.draws) ? undefined : stills.draws;
      return able.stills.includes(stills.type) ? undefined : stills.type;
    });
    const warnings = new Set<string>();
    const keep = async ({ seconds, bytes, warning }: Still) => {
      if (warning !== undefined) warnings.add(warning);
      const number = stills.seconds.indexOf(seconds);
      await client.put(`${task().target ?? target}&still=${number}`, bytes, bytes.byteLength, signal);
      progress((number + 1) / stills.seconds.length);
    };
    await transcoder.stills(source, stills, keep, { signal });
    return { warning: [...warnings] };
  }
  const wanted = JSON.parse(order) as TranscodeOrder;
  const transcoder = await firstOf(transcoders, async (each) => {
    const able = await each.abilities();
    return 'missing' in able ? able.missing : each.unable(wanted);
  });
  signal.throwIfAborted();
  const file = await transcoder.run(source, wanted, { signal, progress });
  try {
    await client.put(task().target ?? target, file.body(), file.size, signal);
    return { warning: file.warnings.slice(0, 100) };
  } finally {
    await file.close();
  }
}

/** The first transcoder that lacks nothing. */
async function firstOf(
  transcoders: readonly Transcoder[],
  lackOf: (each: Transcoder) => Promise<string | undefined>,
): Promise<Transcoder> {
  let lack: string | undefined;
  for (const each of transcoders) {
    const missing = await lackOf(each);
    if (missing === undefined) return each;
    lack ??= missing;
  }
  throw new Error(`Expected a transcoder for all elements of the order: none for ${lack}`);
}
