import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RuntimeName } from '../bench/runtimes.ts';
import { lookAtAudit } from './audit.ts';
import type { Flood, Given } from './flood.ts';
import type { Order, Tally } from './flooder.ts';
import { jobType } from './floods.ts';
import { at, type Calls, callOnAndOn, comeIn, type Logins, startJobs } from './honest.ts';
import { type Measured, maxLoginLength } from './promises.ts';
import { type AttackedServer, basicOf, startAttacked } from './server.ts';
import { openStreams } from './streams.ts';
import { exchange } from './target.ts';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const program = fileURLToPath(new URL('flooder.ts', import.meta.url));
const roles = [
  '_user_read',
  '_group_read',
  '_group_write',
  '_user_metadata_write',
  '_event_read',
  '_job_write',
  '_import',
  '_item_read',
  '_item_search',
  '_metadata_read',
  '_metadata_write',
  '_collection_read',
  '_item_shape_read',
  '_file_read',
  '_library_read',
  '_library_write',
  '_export',
];

const spinSeconds = 0.6;
const sampleEvery = 100;
const maxTurns = 5;
/** Milliseconds that no neighbour process explains: a turn that holds the loop for so long is not tried again. */
const surely = 500;
const promisedTurn = 50;
/** A request without an answer by then has stopped the server. */
const patience = 4_000;
const recoveryTime = 10_000;

const nothing: Tally = { sent: 0, statuses: {}, cut: 0, hidden: 0, told: 0 };
const nobody: Calls = { took: [], wrong: 0, later: 0, failed: 0, late: [] };
const noLogins: Logins = { ...nobody, known: [] };

/** Starts a server, floods it beside honest callers, and looks at what is left. */
export async function measure(runtime: RuntimeName, flood: Flood, seconds = flood.seconds): Promise<Measured> {
  const server = await startAttacked(runtime, flood.settings, flood.heap);
  const flooder = fork(program, { execArgv: ['--import', tsx], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    return await attack(server, flooder, flood, seconds);
  } finally {
    flooder.disconnect();
    await server.end();
  }
}

async function attack(server: AttackedServer, flooder: ChildProcess, flood: Flood, seconds: number): Promise<Measured> {
  const names = Array.from({ length: flood.newcomers }, (_, index) => `newcomer-${index}`);
  const attackers = ['mallory', ...Array.from({ length: (flood.attackers ?? 1) - 1 }, (_, index) => `mallet-${index}`)];
  await Promise.all([
    server.join('hannah', ['_import', '_job_write', '_item_search', '_item_read']),
    ...attackers.map((name) => server.join(name, roles)),
    ...names.map((name) => server.join(name)),
    server.admin('PUT', '/API/group/mallories', { description: 'of the attack' }),
    server.admin('POST', jobType.path, jobType.document),
  ]);
  for (const [method, path, body] of flood.byAdmin?.(server.folder) ?? []) await server.admin(method, path, body);
  const hannah = await server.token('hannah');
  const ways = { remembered: basicOf('hannah'), token: `token ${hannah}` };
  const tokens = await Promise.all(attackers.map((name) => server.token(name)));
  const token = tokens[0]!;
  const { target } = server;
  // Nobody is remembered yet.
  const hash = (await comeIn(target, ['hannah'], 20_000)).took[0]!;

  async function callers(goesOn: () => boolean): Promise<readonly [Calls, Calls]> {
    return Promise.all([
      callOnAndOn(target, ways.remembered, goesOn),
      callOnAndOn(target, ways.token, goesOn),
    ] as const);
  }

  const searching = async (goesOn: () => boolean) =>
    flood.search && callOnAndOn(target, ways.token, goesOn, flood.search);

  async function besideSpinning<T>(calls: (goesOn: () => boolean) => Promise<T>): Promise<T> {
    const spun = tell(flooder, { work: 'spin', seconds: spinSeconds });
    const measured = await calls(forMilliseconds(spinSeconds * 1000));
    await spun;
    return measured;
  }

  const streaming = async (goesOn: () => boolean) => (flood.streams ? openStreams(target, hannah, goesOn) : undefined);
  const jobs = async (goesOn: () => boolean) =>
    flood.jobs ? startJobs(target, hannah, flood.jobs(server.folder), goesOn) : [];

  const [job = 0] = await jobs(counted(2));
  await callers(forMilliseconds(200));
  const before = await besideSpinning(callers);
  const alone = Math.max(...before.map(({ took }) => at(took, 0.5)));

  const memory = { before: await server.memory(), max: 0, after: Number.NaN };
  const sampling = setInterval(async () => {
    const now = await server.memory();
    // A process that has ended has none.
    if (Number.isFinite(now)) memory.max = Math.max(memory.max, now);
  }, sampleEvery);
  const began = new Date();
  const stopped = (turn: number): Measured => ({
    flood: flood.name,
    alone,
    hash,
    tally: nothing,
    remembered: nobody,
    token: nobody,
    newcomers: noLogins,
    turn,
    maxTurnLength: turn,
    refused: 0,
    audit: undefined,
    memory,
    recovered: undefined,
  });

  try {
    const accepted = await prepare(server, flood, tokens);
    if (!accepted) return stopped(patience);
    const given: Given = { token, tokens, accounts: names, accepted, folder: server.folder };
    const turn = await maxTurnOfLength(server, flood, given);
    if (turn >= patience) return stopped(turn);

    const searchBefore = await besideSpinning(searching);
    await loopDelay(server);
    let over = false;
    const order: Order = {
      work: 'flood',
      address: `${target.host}:${target.port}`,
      flood: flood.name,
      seconds,
      given,
    };
    const flooded = tell(flooder, order);
    const calls = callers(() => !over);
    const started = jobs(() => !over);
    const searched = searching(() => !over);
    const streamed = streaming(() => !over);
    // The flood has its queues filled when the newcomers come.
    await new Promise((resolve) => setTimeout(resolve, seconds * 300));
    const arriving = comeIn(target, names, maxLoginLength(hash));
    const tally = (await flooded) ?? nothing;
    over = true;
    const [remembered, byToken] = await calls;
    const took = await started;
    const searches = await searched;
    const streams = await streamed;
    const recovered = await recovery(server, ways.remembered, alone);
    const newcomers = await arriving;
    const maxTurnLength = await loopDelay(server);
    const refused = [401, 403, 429].reduce((sum, status) => sum + (tally.statuses[status] ?? 0), 0);
    const honest = [remembered, byToken, newcomers].reduce((sum, { wrong }) => sum + wrong, 0);
    const audit = Number.isFinite(maxTurnLength) ? await lookAtAudit(server, began, newcomers, ways.token) : undefined;
    memory.after = await server.memory();
    const stop = flood.stops ? await stopBeside(server, flooder, order) : undefined;
    return {
      flood: flood.name,
      alone,
      hash,
      tally,
      remembered,
      token: byToken,
      newcomers,
      ...(flood.jobs && { jobs: { alone: job, took } }),
      ...(searches && searchBefore && { searches: { ...searches, alone: at(searchBefore.took, 0.5) } }),
      ...(streams && { streams }),
      ...(stop !== undefined && { stop }),
      turn,
      maxTurnLength,
      refused: refused + honest,
      audit,
      memory,
      recovered,
    };
  } finally {
    clearInterval(sampling);
  }
}

/** The first candidate of each name that is not refused; undefined when one of them stopped the server. */
async function prepare(server: AttackedServer, flood: Flood, tokens: readonly string[]) {
  const accepted: Record<string, string> = {};
  for (const { name, as, bytes } of flood.prepare?.(tokens[0]!, tokens) ?? []) {
    if (name in accepted) continue;
    const { status, body } = await exchange(server.target, bytes, patience);
    if (status === 0) return undefined;
    if (status < 300) accepted[name] = as;
    else if (![400, 413, 414, 422].includes(status)) {
      throw new Error(`Expected ${name} to be taken or refused: ${status} ${body.slice(0, 200)}`);
    }
  }
  if (flood.rows) server.write(flood.rows);
  return accepted;
}

/**
 * Longest turn among the most expensive requests. Each counts with its least time, because neighbours share the cores.
 */
async function maxTurnOfLength(server: AttackedServer, flood: Flood, given: Given): Promise<number> {
  const requests = flood.worst?.(given) ?? [(flood.next ?? flood.held!.begin)(0, given)];
  let longest = 0;
  for (const bytes of requests) {
    let least = Number.POSITIVE_INFINITY;
    for (let time = 0; time < maxTurns && least > promisedTurn; time++) {
      await loopDelay(server);
      // Without an answer in time, a reader thread may be busy: whether the loop is, the server tells.
      await exchange(server.target, bytes, flood.held ? 300 : patience);
      least = Math.min(least, await loopDelay(server));
      if (!Number.isFinite(least)) return patience;
      if (least > surely) break;
    }
    longest = Math.max(longest, least);
  }
  return longest;
}

/** Milliseconds of a stop while the flood goes on. */
async function stopBeside(server: AttackedServer, flooder: ChildProcess, order: Order): Promise<number> {
  const flooded = tell(flooder, { ...order, seconds: 2 });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const took = await server.stop();
  await flooded;
  return took;
}

/** Milliseconds of the longest turn since the last time. */
async function loopDelay(server: AttackedServer): Promise<number> {
  const { status, body } = await server.admin('GET', '/API/metrics');
  if (status === 0) return Number.POSITIVE_INFINITY;
  const seconds = /^portico_loop_delay_seconds (\S+)$/m.exec(body)?.[1];
  if (seconds === undefined) throw new Error(`Expected portico_loop_delay_seconds: ${status} ${body.slice(0, 200)}`);
  return Number(seconds) * 1000;
}

async function recovery({ target }: AttackedServer, authorization: string, alone: number): Promise<number | undefined> {
  const began = performance.now();
  while (performance.now() - began < recoveryTime) {
    const calls = await callOnAndOn(target, authorization, counted(7));
    if (calls.failed === 0 && at(calls.took, 0.5) <= 2 * alone + 5) return performance.now() - began;
  }
  return undefined;
}

async function tell(flooder: ChildProcess, order: Order): Promise<Tally | undefined> {
  const answer = once(flooder, 'message');
  flooder.send(order);
  const [{ tally }] = (await answer) as [{ tally?: Tally }];
  return tally;
}

function forMilliseconds(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() < end;
}

function counted(times: number): () => boolean {
  let left = times;
  return () => left-- > 0;
}
