import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import { type RuntimeName, runUnder, type Started, startService, startUnder } from '../runtimes.ts';
import { benchBeside } from './beside.ts';
import { Client } from './client.ts';
import { authorizationOf, type DataSet, openDataSet } from './data-set.ts';
import { type Question, questionsOf } from './questions.ts';
import { benchRights } from './rights.ts';

const items = Number(process.env['PORTICO_BENCH_ITEMS'] ?? 100_000);
/** Answers of each question: so many, or as many as fit into the time. */
const [maxAnswers, milliseconds] = [200, 3000];
/** Warm-up of both sides together: a new service interprets what it compiles a second later. */
const warmUp = 1000;
const narrow = 50;

/**
 * Ten searches of a hundred thousand items, or of as many as `PORTICO_BENCH_ITEMS` says: a million take half an hour to
 * make. The folder that `PORTICO_BENCH_DATA` names keeps them for the next run.
 */
export async function benchSearch(runtime: RuntimeName): Promise<Row[]> {
  const set = await openDataSet(items);
  try {
    const questions = await benchQuestions(runtime, set);
    return [
      ...questions,
      ...(await runUnder<Row[]>(runtime, 'test/bench/search/strategies.ts', [set.root, String(items)])),
      ...(await runUnder<Row[]>(runtime, 'test/bench/search/inside.ts', [set.root, String(items)])),
    ];
  } finally {
    await set.remove();
  }
}

async function benchQuestions(runtime: RuntimeName, set: DataSet): Promise<Row[]> {
  const questions = questionsOf(set);
  const file = join(set.root, 'questions.json');
  await writeFile(file, JSON.stringify(questions));
  const service = await startService(runtime, set.root);
  const words = [join(set.root, 'portico.db'), file];
  const bare = await startUnder(runtime, 'test/bench/search/bare-search.ts', words);
  const threaded = await startUnder(runtime, 'test/bench/search/bare-search.ts', [...words, 'thread']);
  const rows: Row[] = [];
  try {
    for (const question of questions) rows.push(...(await benchQuestion(question, service, bare)));
    rows.push(...(await benchRights(service, set)), ...(await benchBeside(service, threaded, questions)));
  } finally {
    await Promise.all([service.stop(), bare.stop(), threaded.stop()]);
  }
  return rows;
}

async function benchQuestion(question: Question, service: Started, bare: Started): Promise<Row[]> {
  const headers = {
    authorization: authorizationOf(question.user),
    accept: 'application/json',
    'content-type': 'application/json',
  };
  const body = JSON.stringify(question.document);
  const sides = [
    { client: new Client(service.port), request: requestBytes('PUT', `/API${question.path}`, headers, body) },
    {
      client: new Client(bare.port),
      request: requestBytes('PUT', `/${encodeURIComponent(question.name)}`, headers, body),
    },
  ] as const;
  const took: [number[], number[]] = [[], []];
  let answers: string[] = [];
  // The first answers warm up: a password is hashed, statements are prepared, and both sides are compiled.
  const warm = performance.now() + warmUp;
  for (let turn = 0; turn < 3 || performance.now() < warm; turn++) {
    answers = [];
    for (const { client, request } of sides) answers.push((await client.ask(request)).body);
  }
  expectEqual(question.name, answers[0]!, answers[1]!);
  const end = performance.now() + milliseconds;
  for (let turn = 0; turn < maxAnswers && (turn < 5 || performance.now() < end); turn++) {
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      took[side].push((await sides[side].client.ask(sides[side].request)).took);
    }
  }
  for (const { client } of sides) client.close();
  const sorted = took[0].toSorted((one, other) => one - other);
  const p50 = median(took[0]);
  return [
    {
      name: `search, ${question.name}: against hand-written SQL`,
      ratio: median(took[1]) / p50,
      floor: 0.6,
      value: median(took[1]),
    },
    {
      name: `search, ${question.name}: median, milliseconds`,
      value: p50,
      ...(question.narrow && { ratio: narrow / p50, floor: 1 }),
    },
    { name: `search, ${question.name}: 99 of 100, milliseconds`, value: sorted[Math.floor(sorted.length * 0.99)]! },
  ];
}

type Answer = Readonly<Record<string, unknown>>;

/** A fast answer to another question proves nothing. */
function expectEqual(name: string, its: string, mine: string): void {
  const [service, bare] = [its, mine].map((text) => JSON.parse(text) as Answer);
  for (const key of Object.keys(bare!)) {
    const [one, other] = [service![key], bare![key]].map((value) =>
      JSON.stringify(key === 'facet' ? (value as { count: unknown }[])[0]!.count : value),
    );
    if (one !== other) throw new Error(`Expected the same ${key} of "${name}": found "${one}" and "${other}"`);
  }
}
