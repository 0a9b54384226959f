import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import Database from 'libsql';
import { systemClock } from '../../src/core/lib/clock.ts';
import type { Actor, Statement } from '../../src/core/store/contract.ts';
import { counter, keyValue } from '../../src/core/store/schema.ts';
import { sql, statement } from '../../src/core/store/statement.ts';
import { openStore } from '../../src/core/store/store.ts';
import { statementsOf } from '../../src/core/store/unit-of-work.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { migrations } from '../support/store.ts';
import { median, type Row } from './row.ts';

/**
 * Cost of the way through the store against the engine itself, with the same statements: a row, a counter and an
 * event. Both commit durably (synchronous=FULL), so the ratio does not depend on the disk of the machine.
 */

const inFlight = 64;
const actor: Actor = { user: 'bench' };

export const insertRow = statement((builder) =>
  builder.insert(keyValue).values({
    entityType: 'bench',
    entityId: sql.placeholder('id'),
    key: 'text',
    position: 0,
    value: sql.placeholder('value'),
  }),
);
export const count = statement((builder) =>
  builder
    .insert(counter)
    .values({ name: sql.placeholder('name'), value: 1 })
    .onConflictDoUpdate({ target: counter.name, set: { value: sql`${counter.value} + 1` } }),
);

const value = 'x'.repeat(200);

function workOf(id: string) {
  return {
    changes: [insertRow({ id, value }), count({ name: 'bench' })],
    events: [{ name: 'bench', entityType: 'Bench', entityId: id, payload: { id } }],
  };
}

type Commit = (id: string) => Promise<unknown>;

/** Callers that each commit one after the other; commits per second. */
export async function measure(commit: Commit, prefix: string, seconds: number, callers = inFlight): Promise<number> {
  let committed = 0;
  const start = performance.now();
  const end = start + seconds * 1_000;
  const call = async (caller: number) => {
    for (let turn = 0; performance.now() < end; turn++) {
      await commit(`${prefix}-${caller}-${turn}`);
      committed++;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return (committed * 1_000) / (performance.now() - start);
}

interface Waiting {
  readonly statements: readonly Statement[];
  readonly resolve: () => void;
}

/** The least that a group committer can be: this thread, prepared statements, a savepoint each. */
export function rawCommitter(
  path: string,
  groupLimit: number,
  statementsFor: (id: string) => Statement[] = (id) => statementsOf(workOf(id), actor, Date.now()),
) {
  const database = new Database(path, { timeout: 5_000 });
  database.exec('PRAGMA journal_mode = wal');
  database.exec('PRAGMA synchronous = FULL');
  const prepared = new Map<string, Database.Statement>();
  const run = (text: string, args: readonly unknown[] = []) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = database.prepare(text);
      prepared.set(text, statement);
    }
    // A statement that returns rows stays open until they are read.
    if (statement.reader) statement.all(args);
    else statement.run(args);
  };
  let waiting: Waiting[] = [];
  const flush = () => {
    const group = waiting.slice(0, groupLimit);
    waiting = waiting.slice(groupLimit);
    run('BEGIN IMMEDIATE');
    for (const { statements } of group) {
      run('SAVEPOINT member');
      for (const statement of statements) run(statement.sql, statement.args);
      run('RELEASE member');
    }
    run('COMMIT');
    for (const { resolve } of group) resolve();
    if (waiting.length > 0) setImmediate(flush);
  };
  const commit: Commit = (id) =>
    new Promise<void>((resolve) => {
      waiting.push({ statements: statementsFor(id), resolve });
      if (waiting.length === 1) setImmediate(flush);
    });
  return { commit, close: (): void => void database.close() };
}

export async function benchCommit(seconds = 0.7, rounds = 5): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const fileOf = async (name: string) => {
    const path = join(directory, `${name}.db`);
    const store = openStore(await openDatabase(`file:${path}`), {
      clock: systemClock,
      migrations,
      site: 'B',
    });
    await store.migrate();
    return { path, store };
  };
  const files = await Promise.all(['grouped', 'single', 'store'].map(fileOf));
  const [grouped, single, through] = files as [(typeof files)[0], (typeof files)[0], (typeof files)[0]];
  const raw = rawCommitter(grouped.path, 256);
  const one = rawCommitter(single.path, 1);
  const commit: Commit = (id) => through.store.commit(workOf(id), actor);
  const client = createClient({ url: `file:${files[1]!.path}`, timeout: 5_000 });
  const batch: Commit = async (id) => {
    const statements = statementsOf(workOf(id), actor, Date.now());
    await client.batch(
      statements.map(({ sql: text, args }) => ({ sql: text, args: [...args] })),
      'write',
    );
  };
  const rates = {
    batch: [] as number[],
    raw: [] as number[],
    one: [] as number[],
    store: [] as number[],
    alone: [] as number[],
  };
  try {
    for (let round = 0; round <= rounds; round++) {
      // Taken in turn, so that a slow moment of the machine hits all of them; the first round warms up.
      const raws = await measure(raw.commit, `r${round}`, seconds);
      const stores = await measure(commit, `s${round}`, seconds);
      const ones = await measure(one.commit, `o${round}`, seconds / 2);
      const batches = await measure(batch, `b${round}`, seconds / 2);
      const alones = await measure(commit, `a${round}`, seconds / 2, 1);
      if (round === 0) continue;
      rates.raw.push(raws);
      rates.store.push(stores);
      rates.one.push(ones);
      rates.alone.push(alones);
      rates.batch.push(batches);
    }
  } finally {
    raw.close();
    one.close();
    client.close();
    await Promise.all(files.map(({ store }) => store.close()));
    await rm(directory, { recursive: true, force: true });
  }
  const [base, single1, store, alone] = [rates.raw, rates.one, rates.store, rates.alone].map(median) as [
    number,
    number,
    number,
    number,
  ];
  return [
    {
      name: `Store.commit, ${inFlight} in flight, against one batch of the client per request`,
      ratio: median(rates.store.map((rate, round) => rate / rates.batch[round]!)),
    },
    { name: `engine, grouped in this thread, ${inFlight} in flight`, ratio: 1, floor: 1, perSecond: base },
    { name: `Store.commit, ${inFlight} in flight`, ratio: store / base, floor: 0.6, perSecond: store },
    { name: 'Store.commit, one caller', ratio: alone / base, floor: 0, perSecond: alone },
    {
      name: `engine, one transaction per request, ${inFlight} in flight`,
      ratio: single1 / base,
      floor: 0,
      perSecond: single1,
    },
  ];
}
