import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'libsql';
import { createNotification } from '../../src/administration/notifications/registration/store.ts';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import type { EventRecord } from '../../src/core/store/contract.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { happened } from '../support/declared.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, startUnder } from './runtimes.ts';

/** How fast what waits is told, against calls that nobody keeps account of; and what it holds while nobody answers. */

const lanes = 100;
const actor = { user: 'bench' };

async function open(directory: string, name: string): Promise<Service> {
  const settings = readSettings({
    PORTICO_ROOT: directory,
    PORTICO_DATABASE: `file:${join(directory, `${name}.db`)}`,
    PORTICO_ADMIN_PASSWORD: 'password of bench',
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_STOP_TIMEOUT: '1',
  });
  const service = createService(settings, await hostPlatform(settings, (line) => process.stderr.write(`${line}\n`)));
  await service.start();
  return service;
}

async function register(service: Service, urls: readonly string[]): Promise<void> {
  const changes = urls.flatMap((url, index) => {
    const document = JSON.stringify({
      action: { http: { url, contentType: 'application/json' } },
      trigger: { group: { create: '' } },
    });
    const given = { id: `B-${index}`, lane: `http:${url}`, resource: '/group', entity: '', document, sealed: null };
    return createNotification({ ...given, synchronous: 0, now: 1, user: 'bench' }, [['group/create', '', 1]]);
  });
  await service.store.commit({ changes, events: [] }, actor);
}

/** Events that every notification waits for. */
async function happen(service: Service, count: number, prefix: string): Promise<void> {
  const commits = Array.from({ length: count }, (_, index) => {
    const group = `${prefix}-${index}`;
    const events = [happened('group/create', group, { group }) as unknown as EventRecord];
    return service.store.commit({ changes: [], events }, actor);
  });
  await Promise.all(commits);
}

async function bareCalls(address: string, count: number): Promise<number> {
  const body = JSON.stringify({
    field: Array.from({ length: 4 }, (_, index) => ({ key: `key${index}`, value: 'value' })),
  });
  const headers = { 'content-type': 'application/json', 'webhook-id': 'B-1_1', 'webhook-timestamp': '1' };
  let left = count;
  const began = performance.now();
  const call = async (lane: number) => {
    while (left-- > 0) {
      const response = await fetch(`${address}/${lane}`, { method: 'POST', body, headers });
      await response.text();
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => call(lane)));
  return (count * 1_000) / (performance.now() - began);
}

const runtime: RuntimeName = 'Deno' in globalThis ? 'deno' : 'node';

async function benchRate(directory: string, address: string, rounds: number): Promise<Row[]> {
  const service = await open(directory, 'rate');
  await register(
    service,
    Array.from({ length: lanes }, (_, lane) => `${address}/${lane}`),
  );
  const events = 40;
  const rates = { bare: [] as number[], delivered: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const bare = await bareCalls(address, events * lanes);
    await happen(service, events, `r${round}`);
    const began = performance.now();
    await service.tick();
    const delivered = (events * lanes * 1_000) / (performance.now() - began);
    // The first round warms up.
    if (round === 0) continue;
    rates.bare.push(bare);
    rates.delivered.push(delivered);
  }
  const [[left]] = (await service.store.read('SELECT count(*) FROM outbox')) as [[number]];
  if (left !== 0) throw new Error(`Expected nothing to wait any longer: ${left}`);
  await service.close();
  const ratio = median(rates.delivered.map((rate, round) => rate / rates.bare[round]!));
  return [
    { name: `bare fetch, ${lanes} at a time`, perSecond: median(rates.bare) },
    {
      name: `deliveries over ${lanes} lanes, against bare fetch`,
      ratio,
      // Deno's own fetch is five times as fast as Node's, and a delivery has to pay for its durable commit on both.
      floor: runtime === 'deno' ? 0.25 : 0.6,
      perSecond: median(rates.delivered),
    },
  ];
}

type Paced = Awaited<ReturnType<typeof onTheirWay>>;

const paced = { count: 160, every: 25 };

/** Cost of sequential events in this process, and the time that each takes to the receiver. */
async function onTheirWay(address: string, tell: (serial: number) => Promise<unknown>) {
  const arrivals = async () => (await (await fetch(`${address}/arrivals`)).json()) as number[];
  await arrivals();
  const began: number[] = [];
  const before = process.cpuUsage();
  for (let serial = 0; serial < paced.count; serial++) {
    const next = pause(paced.every);
    began.push(Number(process.hrtime.bigint() / 1_000n));
    await tell(serial);
    await next;
  }
  await pause(500);
  const { user, system } = process.cpuUsage(before);
  const came = await arrivals();
  if (came.length !== paced.count) throw new Error(`Expected ${paced.count} deliveries: found ${came.length}`);
  const times = came.map((at, serial) => (at - began[serial]!) / 1_000).toSorted((a, b) => a - b);
  return { cpu: (user + system) / paced.count, p50: median(times), p99: times[Math.floor(paced.count * 0.99)]! };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The least that keeps a promise to deliver: a row and what waits in one commit, a call, and a commit without it. */
function bareOutbox(directory: string, address: string) {
  const database = new Database(join(directory, 'bare.db'));
  database.exec('PRAGMA journal_mode = wal; PRAGMA synchronous = 2');
  database.exec('CREATE TABLE event (id INTEGER PRIMARY KEY, payload TEXT)');
  database.exec('CREATE TABLE outbox (event INTEGER PRIMARY KEY, url TEXT)');
  const insertEvent = database.prepare('INSERT INTO event (payload) VALUES (?)');
  const insertWaiting = database.prepare('INSERT INTO outbox VALUES (last_insert_rowid(), ?)');
  const first = database.prepare(
    'SELECT event, url, payload FROM outbox JOIN event ON id = event ORDER BY event LIMIT 1',
  );
  const remove = database.prepare('DELETE FROM outbox WHERE event = ?');
  let delivering = Promise.resolve();
  async function deliver(): Promise<void> {
    const row = first.get() as { event: number; url: string; payload: string } | undefined;
    if (!row) return;
    const headers = { 'content-type': 'application/json' };
    await (await fetch(row.url, { method: 'POST', headers, body: row.payload })).text();
    remove.run(BigInt(row.event));
  }
  return {
    async tell(serial: number) {
      database.exec('BEGIN');
      insertEvent.run(JSON.stringify({ name: 'group/create', group: `bare-${serial}` }));
      insertWaiting.run(`${address}/bare`);
      database.exec('COMMIT');
      delivering = delivering.then(deliver);
    },
    close: () => database.close(),
  };
}

async function benchPaced(directory: string, address: string, rounds: number): Promise<Row[]> {
  const service = await open(directory, 'paced');
  await register(service, [`${address}/paced`]);
  void service.work();
  const bare = bareOutbox(directory, address);
  const measured = { bare: [] as Paced[], service: [] as Paced[] };
  for (let round = 0; round <= rounds; round++) {
    const ofBare = await onTheirWay(address, bare.tell);
    const ofService = await onTheirWay(address, (serial) => happen(service, 1, `p${round}-${serial}`));
    // The first round warms up.
    if (round === 0) continue;
    measured.bare.push(ofBare);
    measured.service.push(ofService);
  }
  bare.close();
  await service.close();
  const of = (side: keyof typeof measured, figure: keyof Paced) => median(measured[side].map((each) => each[figure]));
  const ratio = median(measured.service.map(({ cpu }, round) => cpu / measured.bare[round]!.cpu));
  return [
    { name: 'CPU of an event and its delivery, 40 a second, bare outbox; microseconds', value: of('bare', 'cpu') },
    { name: 'the same of the service, against the bare outbox', ratio, value: of('service', 'cpu') },
    { name: 'p50 from event to receiver, bare outbox; milliseconds', value: of('bare', 'p50') },
    { name: 'p99 from event to receiver, bare outbox; milliseconds', value: of('bare', 'p99') },
    { name: 'p50 from event to receiver, service; milliseconds', value: of('service', 'p50') },
    { name: 'p99 from event to receiver, service; milliseconds', value: of('service', 'p99') },
  ];
}

/** Rubbish would be counted, and hide what is held. */
function collector(): () => void {
  try {
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as () => void;
  } catch {
    return () => undefined;
  }
}
const collect = collector();

/** Mebibytes in use once nothing moves any more. */
async function memory(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 100));
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least / 1024 / 1024;
}

async function benchMemory(directory: string, address: string): Promise<Row[]> {
  const held: number[] = [];
  for (const events of [20, 1_000]) {
    const service = await open(directory, `memory-${events}`);
    await register(
      service,
      Array.from({ length: lanes }, (_, lane) => `${address}/hang/${lane}`),
    );
    await happen(service, events, 'm');
    const before = await memory();
    const ticking = service.tick();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    held.push(Math.max(0.1, (await memory()) - before));
    await service.close();
    await ticking;
  }
  const [few, many] = held as [number, number];
  return [
    { name: `memory while ${lanes} receivers hang, 2,000 deliveries waiting (MiB)`, value: few },
    // Not proportional: fifty times as many wait.
    { name: 'the same with 100,000 waiting (MiB)', value: many, ratio: Math.min(1, (few + 10) / many), floor: 0.9 },
  ];
}

export async function benchDeliveries(rounds = 3): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const receiver = await startUnder(runtime, 'test/bench/receiver.ts', []);
  const address = `http://127.0.0.1:${receiver.port}`;
  try {
    const paces = await benchPaced(directory, address, rounds);
    if (process.env['BENCH_ONLY'] === 'paced') return paces;
    return [...paces, ...(await benchRate(directory, address, rounds)), ...(await benchMemory(directory, address))];
  } finally {
    await receiver.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
