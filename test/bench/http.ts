import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, runUnder, type Started, startService, startUnder } from './runtimes.ts';
import { residentMebibytes } from './usage.ts';

const connections = 64;
const authorization = `Basic ${btoa('admin:bench')}`;
const whoami = requestBytes('GET', '/API/whoami', { authorization });

let serial = 0;
const run = Date.now().toString(36);

/** A user without a password, so that what is measured is the commit and not the hash. */
function postUser(): Buffer {
  serial++;
  const name = `user-${run}-${serial}`;
  const body = `<UserDocument xmlns="urn:portico:schema"><userName>${name}</userName><realName>Number ${serial}</realName></UserDocument>`;
  return requestBytes(
    'POST',
    '/API/user',
    { authorization, 'content-type': 'application/xml', accept: 'application/xml', prefer: 'return=representation' },
    body,
  );
}

interface Servers {
  readonly portico: Started;
  readonly bare: Started;
}

async function withServers<T>(runtime: RuntimeName, logLevel: string, work: (servers: Servers) => Promise<T>) {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const portico = await startService(runtime, directory, { PORTICO_LOG_LEVEL: logLevel });
  const bare = await startUnder(runtime, 'test/bench/bare-server.ts', [join(directory, 'portico.db')]);
  try {
    return await work({ portico, bare });
  } finally {
    await Promise.all([portico.stop(), bare.stop()]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Alternates the sides, so that a slow moment of the machine hits both. The first round warms up. */
async function whoamiRatio(servers: Servers, rounds: number, seconds: number) {
  const rates = { portico: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const side of ['bare', 'portico'] as const) {
      const { perSecond } = await load({ port: servers[side].port, connections, seconds, next: () => whoami });
      if (round > 0) rates[side].push(perSecond);
    }
  }
  const ratios = rates.portico.map((rate, round) => rate / rates.bare[round]!);
  return { ratio: median(ratios), perSecond: median(rates.portico) };
}

export async function benchHttp(runtime: RuntimeName, rounds = 5, seconds = 1): Promise<Row[]> {
  const logged = await withServers(runtime, 'info', (servers) => whoamiRatio(servers, rounds, seconds));
  return withServers(runtime, 'warn', async (servers) => {
    const silent = await whoamiRatio(servers, rounds, seconds);
    const posted: number[] = [];
    const engine: number[] = [];
    const single: number[] = [];
    const batch: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const { perSecond } = await load({ port: servers.portico.port, connections, seconds, next: postUser });
      const raw = await runUnder<{ grouped: number; single: number; batch: number }>(
        runtime,
        'test/bench/raw-commits.ts',
        [],
      );
      if (round === 0) continue;
      posted.push(perSecond);
      engine.push(raw.grouped);
      single.push(raw.single);
      batch.push(raw.batch);
    }
    const against = (other: readonly number[]) => median(posted.map((rate, round) => rate / other[round]!));
    return [
      { name: 'whoami, remembered password, against bare Hono, no log line', floor: 0.8, ...silent },
      { name: 'whoami as above, with its log line', ...logged },
      {
        name: `POST /user end to end, ${connections} in flight, against the raw group committer`,
        ratio: against(engine),
        floor: 0.35,
        perSecond: median(posted),
      },
      {
        name: 'POST /user end to end, against one batch of the client per request',
        ratio: against(batch),
      },
      {
        name: 'POST /user end to end, against one native transaction per request',
        ratio: against(single),
        perSecond: median(posted),
      },
      ...(await resources(servers)),
    ];
  });
}

/** The default chain with a thousand lines in front that do not match. */
const thousandRules = (ini: string): string =>
  ini.replace(
    '\n[urls]\n',
    `\n[urls]\n${Array.from({ length: 1000 }, (_, index) => `/rule/${index}/** = authcBasic`).join('\n')}\n`,
  );

/** Cost of the pipeline: the same handler without it, and with a thousand rules that do not match. */
export async function benchChain(runtime: RuntimeName, rounds = 8, seconds = 0.7): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  await mkdir(join(directory, 'many'));
  await writeFile(join(directory, 'many', 'security.ini'), thousandRules(defaultIni));
  const started = {
    chain: await startService(runtime, join(directory, 'one')),
    many: await startService(runtime, join(directory, 'many')),
    direct: await startUnder(runtime, 'test/bench/direct-server.ts', [join(directory, 'one')]),
    nobody: await startUnder(runtime, 'test/bench/direct-server.ts', [join(directory, 'one'), 'nobody']),
  };
  const rates: Record<keyof typeof started, number[]> = { chain: [], many: [], direct: [], nobody: [] };
  for (let round = 0; round <= rounds; round++) {
    // Compared sides run next to each other and alternate in order: the speed of a machine changes over time.
    const [first, second] = round % 2 === 0 ? (['chain', 'direct'] as const) : (['direct', 'chain'] as const);
    for (const side of ['nobody', first, second, 'many'] as const) {
      const { perSecond } = await load({ port: started[side].port, connections, seconds, next: () => whoami });
      if (round > 0) rates[side].push(perSecond);
    }
  }
  await Promise.all(Object.values(started).map((server) => server.stop()));
  await rm(directory, { recursive: true, force: true });
  const ratio = (one: number[], other: number[]) => median(one.map((rate, round) => rate / other[round]!));
  return [
    { name: 'the default chain, against no login at all', ratio: ratio(rates.chain, rates.nobody) },
    {
      name: 'the default chain, against the same login without a chain',
      ratio: ratio(rates.chain, rates.direct),
      floor: 0.85,
      perSecond: median(rates.chain),
    },
    {
      name: 'a thousand rules that do not match, against none',
      ratio: ratio(rates.many, rates.chain),
      floor: 0.95,
      perSecond: median(rates.many),
    },
  ];
}

/** Memory after many requests. */
async function resources({ portico }: Servers): Promise<Row[]> {
  const many = 100_000;
  const requests = async () => {
    let left = many / 4;
    while (left > 0) left -= (await load({ port: portico.port, connections, seconds: 1, next: () => whoami })).answers;
  };
  await requests();
  const early = residentMebibytes(portico.process);
  for (let quarter = 0; quarter < 4; quarter++) await requests();
  const late = residentMebibytes(portico.process);
  return [
    { name: `memory after 25,000 requests more than the bench above, MiB`, value: early },
    {
      name: `memory after another ${many.toLocaleString('en')}, against before`,
      ratio: early / late,
      floor: 0.8,
      value: late,
    },
  ];
}
