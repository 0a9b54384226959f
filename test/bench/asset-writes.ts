import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { ask, askJson, authorization, each, metadataOf, prepareRoot } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import type { Recorded, Replayed } from './recorded.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, runUnder, startService } from './runtimes.ts';

const connections = 64;
const placeholder = 'POST /API/import/placeholder';
/** More than are in flight, so that hardly a request waits for another one of its item. */
const items = 512;

interface Change {
  /** Requests whose statements are committed again. */
  readonly recorded: number;
  request(turn: string): Recorded;
}

/** Rate of requests as a share of the rate of their own statements. No turn comes twice. */
export async function benchChanges(
  runtime: RuntimeName,
  directory: string,
  rounds = 3,
  seconds = 1,
): Promise<readonly Row[]> {
  const root = join(directory, 'root');
  await prepareRoot(runtime, root, 200);
  const first = await startService(runtime, root);
  const ids: string[] = [];
  await each(items, async (item) => {
    ids.push((await askJson(first, placeholder, metadataOf(200, `of item ${item}`)))['id']!);
  });
  await first.stop();
  let next = 0;
  const changes: Readonly<Record<'put' | 'create' | 'user', Change>> = {
    put: {
      recorded: 960,
      request(turn) {
        const body = JSON.stringify(metadataOf(3, turn));
        return { method: 'PUT', path: `/API/item/${ids[next++ % items]}/metadata`, body };
      },
    },
    create: {
      recorded: 1920,
      request: (turn) => ({
        method: 'POST',
        path: '/API/import/placeholder',
        body: JSON.stringify(metadataOf(20, turn)),
      }),
    },
    user: {
      recorded: 3840,
      request: (turn) => ({ method: 'POST', path: '/API/user', body: JSON.stringify({ userName: `user ${turn}` }) }),
    },
  };
  const names = Object.keys(changes) as (keyof typeof changes)[];
  for (const name of names) {
    const { recorded, request } = changes[name];
    const requests = Array.from({ length: recorded }, (_, at) => request(`recorded ${at}`));
    await writeFile(join(directory, name), JSON.stringify(requests));
    const copy = join(directory, `${name}-root`);
    await cp(root, copy, { recursive: true });
    await runUnder(runtime, 'test/bench/recorded.ts', ['record', copy, join(directory, name)]);
  }
  const original = join(directory, 'original');
  await cp(root, original, { recursive: true });
  const server = await startService(runtime, root);
  const rates = { put: [] as number[], create: [] as number[], user: [] as number[] };
  const ratios = { put: [] as number[], create: [] as number[], user: [] as number[] };
  let turn = 0;
  try {
    // Sides alternate, so that a slow moment of the machine hits both. The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        const bytes = () => bytesOf(changes[name].request(`sent ${turn++}`));
        const { perSecond } = await load({ port: server.port, connections, seconds, next: bytes });
        const words = ['replay', original, join(directory, name)];
        const raw = await runUnder<Replayed>(runtime, 'test/bench/recorded.ts', words);
        if (round === 0) continue;
        rates[name].push(perSecond);
        ratios[name].push(perSecond / raw.perSecond);
      }
    }
  } finally {
    await server.stop();
  }
  const inFlight = `${connections} in flight`;
  return [
    { name: `POST /user, ${inFlight}, against all its statements alone`, ratio: median(ratios.user) },
    {
      name: `PUT of 3 of 200 values, ${inFlight}, against all its statements alone`,
      ratio: median(ratios.put),
      perSecond: median(rates.put),
    },
    {
      name: 'the second of these ratios against the first',
      ratio: median(ratios.put.map((ratio, round) => ratio / ratios.user[round]!)),
      floor: 0.9,
    },
    {
      name: `items with 20 values made, ${inFlight}, against all their statements alone`,
      ratio: median(ratios.create),
      floor: 0.4,
      perSecond: median(rates.create),
    },
  ];
}

const bytesOf = ({ method, path, body }: Recorded): Buffer =>
  requestBytes(method, path, { authorization, 'content-type': 'application/json', accept: 'application/json' }, body);

/** Bytes of the database that one more item takes, with all that is kept beside it. */
export async function benchBytes(runtime: RuntimeName, directory: string, count = 2048): Promise<readonly Row[]> {
  const root = join(directory, 'root');
  await prepareRoot(runtime, root, 20);
  const before = usedBytes(root);
  const server = await startService(runtime, root);
  let json = 0;
  await each(count, async (item) => {
    const { id } = await askJson(server, placeholder, metadataOf(20, `of item ${item}`));
    const answer = await ask(server, `GET /API/item/${id}/metadata?includeTransientMetadata=false`);
    json += answer.length;
  });
  await server.stop();
  const [each1, document] = [(usedBytes(root) - before) / count, json / count];
  return [
    { name: 'bytes of the database for an item with 20 values', value: each1 },
    {
      name: 'bytes of its metadata as JSON, against two fifths of these',
      ratio: document / each1,
      floor: 0.4,
      value: document,
    },
  ];
}

/** Bytes of a database that its pages use. */
export function usedBytes(root: string): number {
  const database = new Database(join(root, 'portico.db'), { readonly: true });
  const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get([]) as object)[0]),
  ) as [number, number, number];
  database.close();
  return (pages - free) * size;
}
