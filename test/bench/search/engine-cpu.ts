import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { serveOpenSearch } from '../../support/opensearch/serve.ts';
import { requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import { type RuntimeName, type Started, startService } from '../runtimes.ts';
import { spentBy } from '../usage.ts';
import { Client } from './client.ts';

/**
 * CPU time of the service for a commit, with all that its feed spends until the engine has it: without an engine, with
 * one beside it, and with nothing but an engine. The stand-in of OpenSearch runs in this process.
 */

/** Items that are changed, commits of a turn, and connections that send them. */
const [items, commits, connections] = [400, 200, 16];
/** Milliseconds that the stand-in takes for an answer, as the engine does. */
const answering = 10;
const lookEvery = 10;
const headers = {
  authorization: `Basic ${btoa('admin:bench')}`,
  accept: 'application/json',
  'content-type': 'application/json',
};
const fields: readonly (readonly [name: string, type: string])[] = [
  ...Array.from({ length: 8 }, (_, at): [string, string] => [`bench_text${at}`, 'string']),
  ...Array.from({ length: 4 }, (_, at): [string, string] => [`bench_exact${at}`, 'string-exact']),
  ...Array.from({ length: 4 }, (_, at): [string, string] => [`bench_number${at}`, 'integer']),
];
const vocabulary = Array.from({ length: 500 }, (_, at) => `word${((at * 7919) % 500).toString(36)}`);

interface Side {
  readonly server: Started;
  readonly feed: Database.Database;
  readonly ids: string[];
}

let serial = 0;

function valueFor(type: string): string {
  const turn = ++serial;
  if (type === 'integer') return String(turn);
  const words = Array.from({ length: type === 'string' ? 12 : 2 }, (_, at) => vocabulary[(turn * 31 + at * 17) % 500]);
  return words.join(' ');
}

const metadataOf = (some: typeof fields) => ({
  timespan: [
    { start: '-INF', end: '+INF', field: some.map(([name, type]) => ({ name, value: [{ value: valueFor(type) }] })) },
  ],
});

const create = () => requestBytes('POST', '/API/import/placeholder', headers, JSON.stringify(metadataOf(fields)));

const change = ({ ids }: Side, turn: number) => {
  const some = [fields[turn % 8]!, fields[8 + (turn % 4)]!, fields[12 + (turn % 4)]!];
  return requestBytes('PUT', `/API/item/${ids[turn % ids.length]}/metadata`, headers, JSON.stringify(metadataOf(some)));
};

async function send({ server }: Side, count: number, next: (turn: number) => Buffer): Promise<readonly string[]> {
  const bodies: string[] = [];
  let sent = 0;
  const one = async () => {
    const client = new Client(server.port);
    while (sent < count) bodies.push((await client.ask(next(sent++))).body);
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, one));
  return bodies;
}

/** Until the engine of a side has everything. */
async function fed({ feed }: Side): Promise<void> {
  const left = feed.prepare(
    `SELECT count(*) FROM search_feed
      WHERE is_ready = 0 OR position < (SELECT seq FROM sqlite_sequence WHERE name = 'search_change')`,
  );
  while ((left.raw(true).get([]) as [number])[0] > 0) await new Promise((resolve) => setTimeout(resolve, lookEvery));
}

async function begin(runtime: RuntimeName, root: string, url: string | undefined, settings: Record<string, string>) {
  const first = await startService(runtime, root);
  await first.stop();
  if (url !== undefined) {
    const words = ['', '[main]', 'search = portico.OpenSearchEngine', `search.url = ${url}`, ''];
    await writeFile(join(root, 'security.ini'), defaultIni.replace('\n[main]\n', words.join('\n')));
  }
  const server = await startService(runtime, root, settings);
  const side: Side = { server, feed: new Database(join(root, 'portico.db'), { readonly: true }), ids: [] };
  for (const [name, type] of fields) {
    const client = new Client(server.port);
    await client.ask(requestBytes('PUT', `/API/metadata-field/${name}`, headers, JSON.stringify({ type })));
    client.close();
  }
  const bodies = await send(side, items, create);
  side.ids.push(...bodies.map((body) => /VX-\d+/.exec(body)![0]));
  if (url !== undefined) while (feedRows(side) === 0) await new Promise((resolve) => setTimeout(resolve, lookEvery));
  await fed(side);
  return side;
}

const feedRows = ({ feed }: Side): number =>
  (feed.prepare('SELECT count(*) FROM search_feed WHERE is_ready = 1').raw(true).get([]) as [number])[0];

/** Microseconds of CPU of a commit and its feed, by side and kind, against those without an engine in the same turn. */
export async function benchEngineCpu(runtime: RuntimeName, rounds = 14): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const engines = [await serveOpenSearch({ answering }), await serveOpenSearch({ answering })] as const;
  const sides: [name: string, side: Side][] = [];
  try {
    sides.push(['none', await begin(runtime, join(directory, 'none'), undefined, {})]);
    sides.push(['beside', await begin(runtime, join(directory, 'beside'), engines[0].url, {})]);
    const alone = { PORTICO_SEARCH_INDEX: 'engine' };
    sides.push(['alone', await begin(runtime, join(directory, 'alone'), engines[1].url, alone)]);
    const kinds = { create: () => create, change: (side: Side) => (turn: number) => change(side, turn) };
    const spent = new Map<string, number[]>();
    for (let round = -2; round <= rounds; round++) {
      for (const [kind, requests] of Object.entries(kinds)) {
        for (const [name, side] of round % 2 === 0 ? sides : sides.toReversed()) {
          const next = requests(side);
          const { cpu } = await spentBy(side.server.process, async () => {
            await send(side, commits, (turn) => next(turn + round * 31 + 100));
            await fed(side);
          });
          if (round <= 0) continue;
          const key = `${kind} ${name}`;
          spent.set(key, [...(spent.get(key) ?? []), (cpu * 1000) / commits]);
        }
      }
    }
    return Object.keys(kinds).flatMap((kind): Row[] => {
      const [none, beside, only] = ['none', 'beside', 'alone'].map((name) => spent.get(`${kind} ${name}`)!);
      const against = (these: readonly number[]) => median(these.map((one, round) => one / none![round]!));
      return [
        { name: `CPU time of a ${kind} without an engine, microseconds`, value: median(none!) },
        { name: `CPU time of a ${kind} and its feed with an engine beside, against without`, ratio: against(beside!) },
        { name: `the same, where only the engine has an index`, ratio: against(only!) },
      ];
    });
  } finally {
    for (const [, { server, feed }] of sides) {
      feed.close();
      await server.stop();
    }
    await Promise.all(engines.map((engine) => engine.stop()));
    await rm(directory, { recursive: true, force: true });
  }
}
