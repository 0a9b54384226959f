import { cp, rm } from 'node:fs/promises';
import { memorySearchEngine } from '../../src/kit/testing/index.ts';
import { everyDocument } from '../../src/kit/testing/search-engine/check-engine.ts';
import { compareAnswers } from '../../src/kit/testing/search-engine/compared.ts';
import { chanceOf, randomDocument, randomQuery } from '../../src/kit/testing/search-engine/random-corpus.ts';
import type { EngineBatch, SearchEngine } from '../../src/spi/index.ts';
import { engineAt } from './host.ts';
import type { RunningEngine } from './program.ts';

/** Incidents of engines, at the level of the plugin: nothing acknowledged is lost, and errors say what is wrong. */

export interface Place {
  readonly folder: string;
  start(): Promise<RunningEngine>;
}

const batchSize = 400;

/** Batch of that number: new documents, changed ones and deleted ones. */
function batchOf(number: number): EngineBatch {
  const chance = chanceOf(number);
  const first = (number - 1) * batchSize + 1;
  const position = number * 10_000;
  const ids = Array.from({ length: batchSize }, (_, index) => first + index);
  const changed = number > 1 ? ids.slice(0, 20).map((id) => id - batchSize) : [];
  const gone = number > 1 ? ids.slice(20, 40).map((id) => id - batchSize) : [];
  const upserts = [...ids, ...changed].map((id) => randomDocument(chance, id, position));
  return { position, upserts, deletes: gone.map((id) => ({ id, position })) };
}

const open = (running: RunningEngine): Promise<SearchEngine> =>
  engineAt(running.url, { index: 'incidents', timeout: 20_000 });

function check(what: string, holds: boolean, actual: unknown): void {
  if (!holds) throw new Error(`Expected ${what}: ${JSON.stringify(actual)}`);
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function checkSame(engine: SearchEngine, oracle: SearchEngine, seed: number): Promise<void> {
  const chance = chanceOf(seed);
  check('as many documents', (await engine.state()).documents === (await oracle.state()).documents, 'another number');
  await compareAnswers(engine, oracle, { ...everyDocument, limit: 10_000 });
  for (let each = 0; each < 20; each++) {
    const query = randomQuery(chance);
    if (query.limit < 1_000) await compareAnswers(engine, oracle, query);
  }
}

async function newOracle(): Promise<SearchEngine> {
  const oracle = memorySearchEngine();
  await oracle.begin();
  await oracle.finish();
  return oracle;
}

export async function killedAmidFeed({ start }: Place): Promise<void> {
  let running = await start();
  try {
    const oracle = await newOracle();
    let engine = await open(running);
    await engine.begin();
    await engine.finish();
    let last = 0;
    for (let round = 1; round <= 2; round++) {
      const timer = setTimeout(() => void running.kill(), 1_500 * round);
      let message = 'none';
      for (let number = last + 1; message === 'none' && number < last + 200; number++) {
        const batch = batchOf(number);
        message = await errorOf(engine.apply(batch));
        if (message !== 'none') break;
        await oracle.apply(batch);
        last = number;
      }
      clearTimeout(timer);
      check('an error about the engine', /^Expected an answer of the search engine: /.test(message), message);
      const stateMessage = await errorOf(engine.state());
      check('no state of an engine that is gone', stateMessage.startsWith('Expected an answer'), stateMessage);
      running = await start();
      engine = await open(running);
      const { position } = await engine.state();
      check('no lost batch', position >= last * 10_000, { position, last });
      check('no batch from nowhere', position <= (last + 1) * 10_000, { position, last });
      // The service sends again what was not acknowledged.
      last++;
      for (const each of [engine, oracle]) await each.apply(batchOf(last));
      await checkSame(engine, oracle, round);
    }
  } finally {
    await running.kill().catch(() => undefined);
  }
}

export async function readOnly({ start }: Place): Promise<void> {
  const running = await start();
  try {
    const oracle = await newOracle();
    const engine = await open(running);
    await engine.begin();
    await engine.finish();
    for (const each of [engine, oracle]) await each.apply(batchOf(1));
    const block = (value: true | null) =>
      fetch(`${running.url}/incidents/_settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'index.blocks.read_only_allow_delete': value }),
      });
    await block(true);
    const message = await errorOf(engine.apply(batchOf(2)));
    check('an error that says read-only', message.includes('read-only') && message.includes('disk'), message);
    const { says, position } = await engine.state();
    check('a state that says read-only', says.includes('read-only'), says);
    check('the position from before', position === 10_000, position);
    await checkSame(engine, oracle, 3);
    await block(null);
    for (const each of [engine, oracle]) await each.apply(batchOf(2));
    await checkSame(engine, oracle, 4);
  } finally {
    await running.kill();
  }
}

export async function olderFolder({ start, folder }: Place): Promise<void> {
  const copy = `${folder}-older`;
  let running = await start();
  try {
    const [oracle, older] = [await newOracle(), await newOracle()];
    let engine = await open(running);
    await engine.begin();
    await engine.finish();
    for (const each of [engine, oracle, older]) await each.apply(batchOf(1));
    await running.stop();
    await cp(folder, copy, { recursive: true });
    running = await start();
    engine = await open(running);
    for (const number of [2, 3]) for (const each of [engine, oracle]) await each.apply(batchOf(number));
    await running.stop();
    await rm(folder, { recursive: true, force: true });
    await cp(copy, folder, { recursive: true });
    running = await start();
    engine = await open(running);
    check('the older position', (await engine.state()).position === 10_000, await engine.state());
    await checkSame(engine, older, 5);
    for (const number of [2, 3]) await engine.apply(batchOf(number));
    await checkSame(engine, oracle, 6);
  } finally {
    await running.kill().catch(() => undefined);
    await rm(copy, { recursive: true, force: true });
  }
}
