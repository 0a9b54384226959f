import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bytesOf, fill, type Kind, kindsOf } from './askers.ts';
import { load } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';
import { calm, pin, spentBy } from './usage.ts';

/**
 * Steps of a request of an editor: its statements by thread and kind, its visits to other threads, the bytes of their
 * messages. Another server, which counts nothing, tells the CPU time.
 */

const names = [
  'placeholder with eight fields',
  'PUT three fields',
  'an item with metadata',
  'list of 50 with metadata',
  'search by field with count',
];
const threads = ['serving', 'binding', 'reader', 'writer'] as const;
const counted = 40;

const kindOfSql = (sql: string): string =>
  /^INSERT INTO "?guard\b/i.test(sql)
    ? 'guard'
    : (/\b(SELECT|INSERT|UPDATE|DELETE|PRAGMA)\b/i.exec(sql)?.[1] ?? 'transaction').toLowerCase();

const kindOfWith = (sql: string): string => (/^WITH\b/i.test(sql) ? 'select' : kindOfSql(sql));

const flags = ['--import', new URL('counting.mjs', import.meta.url).href];

/** Counts statements of requests sent one after the other, so that each has its groups of commits for itself. */
async function count(server: Started, log: string, kind: Kind): Promise<Row[]> {
  const next = bytesOf(kind, 'editor');
  const one = () => load({ port: server.port, connections: 1, seconds: 0, next });
  for (let turn = 0; turn < 20; turn++) await one();
  await pause(1_500);
  await writeFile(log, '');
  for (let turn = 0; turn < counted; turn++) await one();
  await pause(50);
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
  if (process.env['BENCH_LOUD']) console.log(`${kind.name}\n${lines.slice(-lines.length / counted).join('\n')}`);
  const rows: Row[] = [];
  for (const thread of threads) {
    const statements = lines.filter((line) => line.startsWith(`${thread} sql `));
    if (statements.length === 0) continue;
    const byKind = new Map<string, number>();
    for (const line of statements) {
      const its = kindOfWith(line.slice(thread.length + 5));
      byKind.set(its, (byKind.get(its) ?? 0) + 1);
    }
    const parts = Array.from(byKind, ([its, times]) => `${its} ${(times / counted).toFixed(1)}`);
    rows.push({ name: `${kind.name}, ${thread}: ${parts.join(', ')}`, value: statements.length / counted });
  }
  const sent = lines.filter((line) => line.startsWith('serving message ')).length;
  const hops = sent + lines.filter((line) => line.startsWith('binding ')).length;
  const bytes = lines.reduce((sum, line) => sum + Number(/^\w+ message (\d+)$/.exec(line)?.[1] ?? 0), 0);
  rows.push({ name: `${kind.name}, visits to other threads`, value: hops / counted });
  rows.push({ name: `${kind.name}, bytes of messages`, value: bytes / counted });
  return rows;
}

async function spend(server: Started, kind: Kind, rounds = 5, seconds = 0.8): Promise<Row> {
  const spent: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await calm(server.process);
    const next = bytesOf(kind, 'editor');
    const { cpu, result } = await spentBy(server.process, () =>
      load({ port: server.port, connections: 8, seconds: round === 0 ? 4 * seconds : seconds, next }),
    );
    if (round > 0) spent.push((cpu * 1000) / result.answers);
  }
  return { name: `${kind.name}, microseconds of CPU`, value: median(spent) };
}

export async function benchSteps(runtime: RuntimeName): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const [root, log] = [join(directory, 'root'), join(directory, 'steps.log')];
  let server = await startService(runtime, root);
  try {
    const kinds = kindsOf(await fill(server)).filter(
      ({ name }) => names.includes(name) && name.includes(process.env['BENCH_ONLY'] ?? ''),
    );
    pin(server.process);
    const spent: Row[] = [];
    for (const kind of kinds) spent.push(await spend(server, kind));
    await server.stop();
    // The binding has no threads of its own that Deno could load a module into.
    if (runtime === 'deno') return spent;
    server = await startService(runtime, root, { STEPS_LOG: log }, flags);
    const rows: Row[] = [];
    for (const [at, kind] of kinds.entries()) rows.push(spent[at]!, ...(await count(server, log, kind)));
    return rows;
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
