import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { distributions, type RunningEngine, startEngine } from '../../opensearch/program.ts';
import { usedBytes } from '../asset-writes.ts';
import { requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import { type RuntimeName, runUnder, type Started, startService } from '../runtimes.ts';
import { Client } from './client.ts';
import { valuesOf } from './content.ts';
import { authorizationOf, type DataSet, firstItem, openDataSet } from './data-set.ts';
import { type Question, questionsOf } from './questions.ts';

const items = Number(process.env['PORTICO_BENCH_ITEMS'] ?? 1_000_000);
/** Megabytes of heap of OpenSearch. */
const heap = items < 200_000 ? 512 : 4096;
/** Answers of each question: so many, or as many as fit into the time, of both sides together. */
const [maxAnswers, milliseconds] = [100, 4000];
/** Changes in a second, connections that send them, and seconds in which they are sent. */
const [changeRate, senders, changeSeconds] = [1000, 64, 20];
/** Milliseconds between two looks at the engine, and after the last change until it has everything. */
const [lookEvery, maxLagLength] = [50, 60_000];
/** Milliseconds between two looks at a build. */
const buildEvery = 250;

/**
 * A service with OpenSearch beside it against one with its own index, of a million items or of as many as
 * `PORTICO_BENCH_ITEMS` says.
 */
export async function benchEngine(runtime: RuntimeName): Promise<Row[]> {
  const available = await distributions();
  if (typeof available === 'string') {
    console.error(available);
    return [];
  }
  const sets = [await openDataSet(items), await openDataSet(items)] as const;
  const [plain, fed] = sets;
  const folder = await mkdtemp(`${fed.root}-opensearch-`);
  let engine: RunningEngine | undefined;
  try {
    engine = await startEngine(available[0]!, folder, { heap });
    const words = [`search = portico.OpenSearchEngine`, `search.url = ${engine.url}`];
    await writeFile(
      join(fed.root, 'security.ini'),
      defaultIni.replace('\n[main]\n', ['\n[main]', ...words, ''].join('\n')),
    );
    return [
      { name: `OpenSearch ${available[0]!.version} beside items`, value: items },
      ...(await benchBeside(runtime, plain, fed)),
      ...(await runUnder<Row[]>(runtime, 'test/bench/search/engine-commits.ts', [plain.root, String(items)])),
      ...(await benchSizes(runtime, fed)),
    ];
  } finally {
    await engine?.kill();
    await rm(folder, { recursive: true, force: true });
    for (const set of sets) await set.remove();
  }
}

/** Rows of a part that is done: a later part may take an hour, or fail. */
function tell(rows: readonly Row[]): readonly Row[] {
  for (const row of rows) console.error(JSON.stringify(row));
  return rows;
}

async function benchBeside(runtime: RuntimeName, plain: DataSet, fed: DataSet): Promise<readonly Row[]> {
  const own = await startService(runtime, plain.root);
  const other = await startService(runtime, fed.root);
  try {
    const rows = [...tell([await feedRate(fed)])];
    for (const question of questionsOf(plain)) rows.push(...tell(await benchQuestion(question, own, other)));
    return [...rows, ...tell(await benchLag(other, fed))];
  } finally {
    await Promise.all([own.stop(), other.stop()]);
  }
}

const headersOf = (user: string) => ({
  authorization: authorizationOf(user),
  accept: 'application/json',
  'content-type': 'application/json',
});

async function json(service: Started, method: string, path: string, body?: object): Promise<Answer> {
  const sent = { method, headers: headersOf('admin'), ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`http://127.0.0.1:${service.port}/API${path}`, sent);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Expected 200 from ${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Answer;
}

type Answer = Readonly<Record<string, unknown>>;

/** Documents in a second while the first index is built. */
async function feedRate({ root }: DataSet): Promise<Row> {
  const database = new Database(join(root, 'portico.db'), { readonly: true });
  const progress = database
    .prepare("SELECT is_ready, total FROM search_feed JOIN search_reindex AS build ON build.name = 'engine'")
    .raw(true);
  const began = performance.now();
  for (;;) {
    const [isReady, total] = (progress.get([]) ?? [0, 0]) as [number, number];
    if (isReady === 1) {
      database.close();
      const perSecond = (total * 1000) / (performance.now() - began);
      return { name: 'documents fed to the engine, from the start of the service on', perSecond };
    }
    await new Promise((resolve) => setTimeout(resolve, buildEvery));
  }
}

async function benchQuestion(question: Question, own: Started, other: Started): Promise<readonly Row[]> {
  const body = JSON.stringify(question.document);
  const request = requestBytes('PUT', `/API${question.path}`, headersOf(question.user), body);
  const clients = [new Client(own.port), new Client(other.port)] as const;
  const took: [number[], number[]] = [[], []];
  const bodies = ['', ''];
  const begin = performance.now();
  for (let turn = -5; turn < maxAnswers && (turn < 5 || performance.now() < begin + milliseconds); turn++) {
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const answer = await clients[side].ask(request);
      bodies[side] = answer.body;
      if (turn >= 0) took[side].push(answer.took);
    }
  }
  for (const client of clients) client.close();
  expectSame(question.name, bodies);
  const by = await answeredBy(other, question);
  const [mine, its] = took.map(median) as [number, number];
  return [
    { name: `${question.name}: time with the embedded index, against that with ${by}`, ratio: mine / its },
    { name: `${question.name}: median with the embedded index, milliseconds`, value: mine },
    { name: `${question.name}: median with ${by}, milliseconds`, value: its },
  ];
}

/** Hits, entities and counts of both sides are the same. */
function expectSame(name: string, bodies: readonly string[]): void {
  const [one, other] = bodies.map((text) => {
    const { hits, item, facet, suggestion } = JSON.parse(text) as Answer;
    return JSON.stringify([hits, item, facet, suggestion]);
  });
  if (one !== other) throw new Error(`Expected the same answers to "${name}": found "${one}" and "${other}"`);
}

async function answeredBy(service: Started, { path, document }: Question): Promise<string> {
  if (path.startsWith('/search/autocomplete')) return 'an engine beside it';
  const { strategy } = await json(service, 'PUT', `${path}${path.includes('?') ? '&' : '?'}explain=true`, document);
  return strategy === 'engine' ? 'the engine' : 'an engine beside it';
}

/** Time from a commit until searches of the engine see it, while changes come at a fixed rate. */
async function benchLag(service: Started, { root }: DataSet): Promise<readonly Row[]> {
  const database = new Database(join(root, 'portico.db'), { readonly: true });
  const standing = database
    .prepare(`SELECT position, (SELECT seq FROM sqlite_sequence WHERE name = 'search_change') FROM search_feed`)
    .raw(true);
  const begin = performance.now();
  const looks: { readonly at: number; readonly position: number; readonly newest: number }[] = [];
  const look = () => {
    const [position, newest] = standing.get([]) as [number, number];
    looks.push({ at: performance.now(), position, newest });
  };
  const timer = setInterval(look, lookEvery);
  let sent = 0;
  const send = async () => {
    const client = new Client(service.port);
    while (performance.now() < begin + changeSeconds * 1000) {
      const turn = sent++;
      const wait = begin + (turn * 1000) / changeRate - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      await client.ask(changeOf(turn));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: senders }, send));
  const seconds = (performance.now() - begin) / 1000;
  look();
  const newest = looks.at(-1)!.newest;
  const until = performance.now() + maxLagLength;
  while (looks.at(-1)!.position < newest && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
  clearInterval(timer);
  database.close();
  const lags = looks.flatMap((each) => {
    if (each.at > begin + changeSeconds * 1000) return [];
    const seen = looks.find(({ at, position }) => at >= each.at && position >= each.newest);
    // A change that no look saw is as late as the last one.
    return [(seen ?? looks.at(-1)!).at - each.at];
  });
  return [
    { name: `changes sent at ${changeRate} a second`, perSecond: sent / seconds },
    { name: 'time until searches of the engine see them, median, milliseconds', value: median(lags) },
    { name: 'the same, longest, milliseconds', value: Math.max(...lags) },
  ];
}

function changeOf(turn: number): Buffer {
  const values = valuesOf(items * 3 + turn, items);
  const field = [
    { name: 'b_text0', value: [{ value: values[1] }] },
    { name: 'b_number0', value: [{ value: values[12] }] },
  ];
  const body = JSON.stringify({ timespan: [{ start: '-INF', end: '+INF', field }] });
  const path = `/API/item/VX-${firstItem + ((turn * 7919) % items)}/metadata`;
  return requestBytes('PUT', path, headersOf('admin'), body);
}

/** Size of the database with its own index, and after a start with only the index of the engine. */
async function benchSizes(runtime: RuntimeName, { root }: DataSet): Promise<readonly Row[]> {
  const both = usedBytes(root);
  const service = await startService(runtime, root, { PORTICO_SEARCH_INDEX: 'engine' });
  await service.stop();
  const alone = usedBytes(root);
  return tell([
    { name: 'bytes of the database for an item, with its index', value: both / items },
    { name: 'bytes of the database for an item, where only the engine has an index', value: alone / items },
    { name: 'the second of these against the first', ratio: alone / both },
  ]);
}
