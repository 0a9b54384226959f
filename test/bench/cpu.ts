import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, askJson, authorization as basic } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, runNothing, type Started, startService, startSources, startUnder } from './runtimes.ts';
import { calm, pin, residentMebibytes, spentBy } from './usage.ts';

/**
 * CPU time of the server for one request, all threads, against a bare handler of the same run. Servers have one core, so that the sender of the requests does not keep them waiting: a row shows it.
 * The sender never sleeps: otherwise the slower server would pay for waking it, and the faster one would not.
 */

const connections = 64;
const items = 256;
const fields = ['bench_title', 'bench_place', 'bench_note'];

interface Side {
  readonly server: Started;
  next(): Buffer;
}

interface Measured {
  readonly microseconds: number[];
  readonly busy: number[];
}

interface Bar {
  readonly side: string;
  readonly name: string;
  readonly ceiling?: Readonly<Record<RuntimeName, number>>;
}

const bars: readonly Bar[] = [
  { side: 'whoami', name: 'whoami, remembered password', ceiling: { node: 1.5, deno: 1.7 } },
  { side: 'logged', name: 'whoami with its log line', ceiling: { node: 1.8, deno: 1.8 } },
  { side: 'token', name: 'whoami by token', ceiling: { node: 1.5, deno: 1.7 } },
  { side: 'key', name: 'whoami by access key', ceiling: { node: 1.5, deno: 1.7 } },
  { side: 'post', name: 'POST /user', ceiling: { node: 4.8, deno: 4.8 } },
  { side: 'read', name: 'GET the metadata of an item' },
  { side: 'write', name: 'PUT three fields of an item' },
];

const serve = (runtime: RuntimeName, root: string, logLevel = 'warn') =>
  startService(runtime, root, { PORTICO_LOG_LEVEL: logLevel });

const xml = { authorization: basic, accept: 'application/xml', 'content-type': 'application/xml' };
const namespace = 'urn:portico:schema';

/** A user without a password: what is measured is the commit and not the hash. */
function userMaker(): () => Buffer {
  let serial = 0;
  return () => {
    const name = `user-${Date.now().toString(36)}-${++serial}`;
    const body = `<UserDocument xmlns="${namespace}"><userName>${name}</userName><realName>Number ${serial}</realName></UserDocument>`;
    return requestBytes('POST', '/API/user', { ...xml, prefer: 'return=representation' }, body);
  };
}

/** Other values for the next item of many each time: no other request changes the same item. */
export function metadataWriter(ids: readonly string[]): () => Buffer {
  let serial = 0;
  return () => {
    const values = fields.map((name) => `<field><name>${name}</name><value>${name} ${++serial}</value></field>`);
    const body = `<MetadataDocument xmlns="${namespace}"><timespan start="-INF" end="+INF">${values.join('')}</timespan></MetadataDocument>`;
    return requestBytes('PUT', `/API/item/${ids[serial % ids.length]}/metadata`, xml, body);
  };
}

export async function makeItems(server: Started): Promise<readonly string[]> {
  for (const name of fields) await ask(server, `PUT /API/metadata-field/${name}`, { type: 'string' });
  const field = fields.map((name) => ({ name, value: [{ value: `${name} of an item` }] }));
  const metadata = { timespan: [{ start: '-INF', end: '+INF', field }] };
  const made: string[] = [];
  while (made.length < items) {
    const more = Array.from({ length: 16 }, () => askJson(server, 'POST /API/import/placeholder', metadata));
    made.push(...(await Promise.all(more)).map(({ id }) => id!));
  }
  return made;
}

export const getting = (target: string, authorization = basic) => {
  const bytes = requestBytes('GET', target, { authorization });
  return () => bytes;
};

/** Keeps this process awake until it is told to stop. */
function stayAwake(): () => void {
  let awake = true;
  const again = () => {
    if (awake) setImmediate(again);
  };
  again();
  return () => {
    awake = false;
  };
}

async function measure(sides: Readonly<Record<string, Side>>, rounds: number, seconds: number) {
  const measured: Record<string, Measured> = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { server, next }] of Object.entries(sides)) {
      await calm(server.process);
      const sleep = stayAwake();
      // The first round warms up. Compilers need longer for what writes: more code runs less often.
      const time = round === 0 ? 6 * seconds : seconds;
      const spent = await spentBy(server.process, () => load({ port: server.port, connections, seconds: time, next }));
      sleep();
      if (round === 0) continue;
      measured[name] ??= { microseconds: [], busy: [] };
      measured[name].microseconds.push((spent.cpu * 1000) / spent.result.answers);
      measured[name].busy.push(spent.busy);
    }
  }
  return measured;
}

export async function benchCpu(runtime: RuntimeName, rounds = 7, seconds = 0.6): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const [root, other] = [join(directory, 'reads'), join(directory, 'writes')];
  const started: Started[] = [];
  const begin = async (starting: Promise<Started>) => {
    const server = await starting;
    started.push(server);
    pin(server.process);
    return server;
  };
  try {
    const reads = await begin(serve(runtime, root));
    const writes = await begin(serve(runtime, other));
    const logs = await begin(serve(runtime, root, 'info'));
    const bare = await begin(startUnder(runtime, 'test/bench/bare-server.ts', [join(root, 'portico.db')]));
    const { token } = await askJson(reads, 'GET /API/token?seconds=86400');
    const { id, secret } = await askJson(reads, 'POST /API/user/admin/key');
    const shown = (await makeItems(reads))[0];
    const sides: Record<string, Side> = {
      bare: { server: bare, next: getting('/API/whoami') },
      whoami: { server: reads, next: getting('/API/whoami') },
      logged: { server: logs, next: getting('/API/whoami') },
      token: { server: reads, next: getting('/API/whoami', `token ${token}`) },
      key: { server: reads, next: getting('/API/whoami', `Basic ${btoa(`${id}:${secret}`)}`) },
      read: { server: reads, next: getting(`/API/item/${shown}/metadata`) },
      post: { server: writes, next: userMaker() },
      write: { server: writes, next: metadataWriter(await makeItems(writes)) },
    };
    const measured = await measure(sides, rounds, seconds);
    const base = measured['bare']!;
    return [
      { name: 'CPU time of a bare handler for a request, microseconds', value: median(base.microseconds) },
      { name: 'share of its core that the bare handler used', ratio: median(base.busy), floor: 0.95 },
      ...bars.map(({ side, name, ceiling }) => {
        const { microseconds } = measured[side]!;
        return {
          name: `CPU time of ${name}, against the bare handler; microseconds`,
          ratio: median(microseconds.map((one, round) => one / base.microseconds[round]!)),
          ...(ceiling && { ceiling: ceiling[runtime] }),
          value: median(microseconds),
        };
      }),
      ...(await benchStart(runtime, root)),
    ];
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  }
}

/** From the start of the process to its first answer, in a root that has its database, and the memory it has then. */
async function benchStart(runtime: RuntimeName, root: string, rounds = 5): Promise<Row[]> {
  const took = { built: [] as number[], sources: [] as number[], nothing: [] as number[] };
  const resident: number[] = [];
  const answer = async (starting: Promise<Started>) => {
    const began = performance.now();
    const server = await starting;
    await (await fetch(`http://127.0.0.1:${server.port}/health/live`)).text();
    const ended = performance.now();
    const memory = residentMebibytes(server.process);
    await server.stop();
    return { took: ended - began, memory };
  };
  for (let round = 0; round < rounds; round++) {
    const built = await answer(serve(runtime, root));
    took.built.push(built.took);
    resident.push(built.memory);
    took.sources.push((await answer(startSources(runtime, root))).took);
    took.nothing.push(await runNothing(runtime));
  }
  return [
    {
      name: 'start of dist to its first answer, against the sources; milliseconds',
      ratio: median(took.built.map((one, round) => one / took.sources[round]!)),
      ceiling: 0.4,
      value: median(took.built),
    },
    { name: 'memory at rest of dist, MiB', ratio: median(resident), ...(runtime === 'node' && { ceiling: 120 }) },
    { name: 'start and end of the runtime with nothing to do, milliseconds', value: median(took.nothing) },
  ];
}
