import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';
import { bareRounds, type RecordedCall, recordCalls } from './bare-streams.ts';
import { headers } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { initialise, type RuntimeName, type Started, settingsFor, startService } from './runtimes.ts';
import { threadTimeOf } from './usage.ts';

/**
 * An instance on a libsql-server, against a bare client that makes the same calls to it in kept streams. Calls of the
 * service are recorded here, for a request at a time.
 */

const callers = 16;
const items = 200;

interface Way {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly changes?: true;
  body?(name: string): object;
}

const ways: readonly Way[] = [
  { name: 'whoami', method: 'GET', target: '/API/whoami' },
  {
    name: 'POST /user',
    method: 'POST',
    target: '/API/user',
    changes: true,
    body: (name) => ({ userName: name, realName: name }),
  },
  {
    name: 'a search of items',
    method: 'PUT',
    target: '/API/item?number=10',
    body: () => ({ field: [{ name: 'title', value: [{ value: 'harbour' }] }] }),
  },
];

async function ask(service: Service, { method, target, body }: Way, name: string): Promise<string> {
  const init = { method, headers, ...(body && { body: JSON.stringify(body(name)) }) };
  const answer = await service.fetch(new Request(`http://127.0.0.1${target}`, init));
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`Expected 200 from ${target}: ${answer.status} ${text}`);
  return text;
}

const title = (value: string) => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }],
});

/** Items to search, and the calls of each way. */
async function prepare(url: string, root: string): Promise<ReadonlyMap<Way, readonly RecordedCall[]>> {
  const recorder = recordCalls(url);
  const settings = readSettings({ ...settingsFor(root, { PORTICO_DATABASE: url }) });
  const platform = await hostPlatform(settings, (line) => console.error(line));
  const service = createService(settings, platform);
  const recorded = new Map<Way, readonly RecordedCall[]>();
  try {
    await service.start();
    for (let item = 0; item < items; item++) {
      const words = item % 10 === 0 ? `harbour ${item}` : `meadow ${item}`;
      await ask(service, { name: '', method: 'POST', target: '/API/import/placeholder', body: () => title(words) }, '');
    }
    for (const way of ways) {
      await ask(service, way, 'warm-up');
      recorder.take();
      await ask(service, way, 'recorded-user');
      recorded.set(way, recorder.take());
    }
    return recorded;
  } finally {
    recorder.end();
    await service.close();
  }
}

/** Another user, id and marker of the batch in each round. */
const varied = (text: string, round: string): string =>
  text
    .replaceAll('recorded-user', `bare-${round}`)
    .replaceAll(/"VX-(\d+)"/g, `"B${round}-$1"`)
    .replace(/"value":"[0-9a-f]{32}"/, `"value":"${round}"`);

export async function benchRemote(runtime: RuntimeName, rounds = 3, seconds = 1.5): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const server = await startSqld();
  try {
    const settings = { PORTICO_DATABASE: server.url };
    await initialise(runtime, root, settings);
    const recorded = await prepare(server.url, root);
    const instance = await startService(runtime, root, settings);
    const { port, stop } = instance;
    const rows: Row[] = [];
    for (const [way, calls] of recorded) {
      let serial = 0;
      const next = () => {
        const body = way.body ? JSON.stringify(way.body(`user-${Date.now().toString(36)}-${++serial}`)) : '';
        return requestBytes(way.method, way.target, headers, body);
      };
      const rates: number[] = [];
      const ratios: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        // A single writer, like the service: of sixteen the server keeps some waiting for seconds, or for good.
        const bare = await bareRounds(server.url, calls, { callers: way.changes ? 1 : callers, seconds, vary: varied });
        const { perSecond } = await load({ port, connections: callers, seconds, next });
        if (round === 0) continue;
        rates.push(perSecond);
        ratios.push(perSecond / bare);
      }
      rows.push(
        {
          name: `${way.name} on a libsql-server, ${callers} callers, against the same calls of a bare client`,
          ratio: median(ratios),
          floor: 0.5,
          perSecond: median(rates),
        },
        { name: `calls of ${way.name} to the server`, value: calls.length },
      );
    }
    rows.push(...(await benchInstances(runtime, root, settings, instance, server, seconds)));
    await stop();
    return rows;
  } finally {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * CPU time for a request of one, two and four instances, and of their server. All share the cores of this machine. The
 * rate follows from the CPU time, with a core of its own for each of them.
 */
async function benchInstances(
  runtime: RuntimeName,
  root: string,
  settings: Record<string, string>,
  first: Started,
  { pid }: Sqld,
  seconds: number,
): Promise<Row[]> {
  const more: Started[] = [];
  const rows: Row[] = [];
  let serial = 0;
  try {
    for (let count = 1; count < 4; count++) more.push(await startService(runtime, root, settings));
    for (const way of ways) {
      const next = () => {
        const body = way.body ? JSON.stringify(way.body(`more-${Date.now().toString(36)}-${++serial}`)) : '';
        return requestBytes(way.method, way.target, headers, body);
      };
      for (const count of [1, 2, 4]) {
        const used = [first, ...more].slice(0, count);
        const connections = Math.ceil(callers / count);
        const spent = () => [used.reduce((sum, { process }) => sum + threadTimeOf(process), 0), threadTimeOf({ pid })];
        const turns: (readonly [own: number, server: number])[] = [];
        for (let round = 0; round <= 3; round++) {
          const [own, server] = spent() as [number, number];
          const sent = await Promise.all(used.map(({ port }) => load({ port, connections, seconds, next })));
          const answers = sent.reduce((sum, each) => sum + each.answers, 0);
          const [ownNow, serverNow] = spent() as [number, number];
          if (round > 0) turns.push([(ownNow - own) / answers, (serverNow - server) / answers]);
        }
        const [own, server] = [median(turns.map(([each]) => each)), median(turns.map(([, each]) => each))];
        const name = `${way.name}, instances on a libsql-server: ${count}`;
        rows.push(
          { name: `${name}; microseconds of an instance`, value: own },
          { name: `${name}; microseconds of the server`, value: server },
          { name: `${name}; a second, with a core for each`, perSecond: 1e6 / Math.max(own / count, server) },
        );
      }
    }
    return rows;
  } finally {
    await Promise.all(more.map((each) => each.stop()));
  }
}
