import { writeFile } from 'node:fs/promises';
import { requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import { type RuntimeName, type Started, startService } from '../runtimes.ts';
import { calm, threadTimeOf } from '../usage.ts';
import { Client } from './client.ts';
import { commonWord, perLeaf, rareWord } from './content.ts';
import { authorizationOf, firstItem, openDataSet, readers } from './data-set.ts';
import { growthPicture } from './growth-picture.ts';

/**
 * CPU time of the same requests at several numbers of items, as administrator and as readers by collections. The data set
 * of searches has the items, in collections whose number stays. `PORTICO_BENCH_SIZES=1000000,10000000` asks more of them.
 * `PORTICO_BENCH_PICTURE` names a file for a plot.
 */

const sizes = (process.env['PORTICO_BENCH_SIZES'] ?? '10000,100000').split(',').map(Number);
const maxLeaves = 200;
/** Answers of each round, or as many as fit into the milliseconds. Another round warms up before the first request. */
const [rounds, answers, milliseconds] = [3, 150, 6000];
const warming = 3000;
const only = process.env['BENCH_ONLY'];

/** The most that the cost may grow from the first to the last size. */
const [flat, twice] = [1.2, 2];

interface Asked {
  readonly name: string;
  readonly path: string;
  readonly document?: object;
  readonly ceiling?: number;
}

const facet = (...names: readonly string[]) =>
  names.map((field) => ({ field, name: field, maxResults: 50, minCount: 1 }));
const places = 'b_exact1';

const word = (value: string) => ({ text: [{ value }] });
const kind = { field: [{ name: 'b_exact0', value: [{ value: 'kind 1' }] }] };

const asked: readonly Asked[] = [
  { name: 'whoami', path: '/whoami', ceiling: flat },
  { name: 'one item', path: `/item/VX-${firstItem}?content=metadata`, ceiling: flat },
  { name: 'list of 50', path: '/item?number=50&content=metadata&terse=true', ceiling: flat },
  { name: 'ids of the first 50', path: '/item?number=50', ceiling: flat },
  {
    name: 'the library opens',
    path: '/item?number=0&count=false',
    document: { facet: facet('mediaType', 'user') },
    ceiling: twice,
  },
  {
    name: 'a facet of 200 values over everything',
    path: '/item?number=0&count=false',
    document: { facet: facet(places) },
    ceiling: twice,
  },
  { name: 'a word of 100 items', path: '/item?number=50', document: word(rareWord), ceiling: twice },
  { name: 'a word of a tenth', path: '/item?number=50', document: word(commonWord) },
  { name: 'a word of a tenth, bounded', path: '/item?number=50&count=bounded', document: word(commonWord) },
  { name: 'a value of a fifth, bounded', path: '/item?number=50&count=bounded', document: kind },
  { name: 'a value of a fifth', path: '/item?number=50', document: kind },
  {
    name: 'a word with a facet of 200 values',
    path: '/item?number=50',
    document: { ...word(commonWord), facet: facet(places) },
  },
];
const askers = ['admin', readers.all, readers.half, readers.one];
const pictured = [
  ['admin', 'Administrator'],
  [readers.half, 'Reader of half, by collections'],
] as const;

const bytesOf = ({ path, document }: Asked, user: string): Buffer => {
  const headers = { authorization: authorizationOf(user), accept: 'application/json' };
  const json = { ...headers, 'content-type': 'application/json' };
  return document === undefined
    ? requestBytes('GET', `/API${path}`, headers, '')
    : requestBytes('PUT', `/API${path}`, json, JSON.stringify(document));
};

export async function benchGrowth(runtime: RuntimeName): Promise<Row[]> {
  const spent = new Map<string, number[]>();
  for (const items of sizes) {
    const set = await openDataSet(items, Math.min(items / perLeaf, maxLeaves));
    const service = await startService(runtime, set.root);
    try {
      await countPlaces(service);
      for (const [name, microseconds] of await costs(service)) {
        spent.set(name, [...(spent.get(name) ?? []), microseconds]);
        if (process.env['BENCH_LOUD']) console.log(items, name, Math.round(microseconds));
      }
    } finally {
      await service.stop();
      await set.remove();
    }
  }
  const picture = process.env['PORTICO_BENCH_PICTURE'];
  if (picture !== undefined) {
    const panels = pictured.map(([user, title]) => ({
      title,
      lines: asked.flatMap(({ name }, at) => {
        const values = spent.get(keyOf(at, user));
        return values ? [{ name, values }] : [];
      }),
    }));
    await writeFile(picture, growthPicture(sizes, panels));
  }
  return asked.flatMap((each, at) =>
    askers.flatMap((user) => {
      const row = spent.get(keyOf(at, user));
      if (row === undefined) return [];
      const [first, last] = [row[0]!, row.at(-1)!];
      const name = `${each.name}, ${user}: ${row.map((one) => Math.round(one).toLocaleString('en')).join(', ')} microseconds`;
      return [{ name, ratio: last / first, ...(each.ceiling !== undefined && { ceiling: each.ceiling }) }];
    }),
  );
}

const keyOf = (at: number, user: string): string => `${at} ${asked[at]!.name}, ${user}`;

/** Makes the field of places a facet of the page, and waits until it is counted. */
async function countPlaces({ port, process }: Started): Promise<void> {
  const client = new Client(port);
  const headers = { authorization: authorizationOf('admin'), accept: 'application/json' };
  const definition = JSON.stringify({ type: 'string-exact', data: [{ key: 'facet', value: 'true' }] });
  const json = { ...headers, 'content-type': 'application/json' };
  await client.ask(requestBytes('PUT', `/API/metadata-field/${places}`, json, definition)).catch(() => undefined);
  client.close();
  await calm(process);
}

async function costs(service: Started): Promise<ReadonlyMap<string, number>> {
  const spent = new Map<string, number>();
  const client = new Client(service.port);
  await warm(client);
  for (const [at, each] of asked.entries()) {
    if (only && !each.name.includes(only)) continue;
    for (const user of each.path === '/whoami' ? ['admin', readers.half] : askers) {
      const bytes = bytesOf(each, user);
      const turns: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const [before, end] = [threadTimeOf(service.process), performance.now() + milliseconds];
        let count = 0;
        for (; count < answers && (count < 3 || performance.now() < end); count++) await client.ask(bytes);
        if (round > 0) turns.push((threadTimeOf(service.process) - before) / count);
      }
      spent.set(keyOf(at, user), median(turns));
    }
  }
  client.close();
  return spent;
}

/** Compiles what all requests share. */
async function warm(client: Client): Promise<void> {
  const end = performance.now() + warming;
  while (performance.now() < end)
    for (const each of asked) for (const user of askers) await client.ask(bytesOf(each, user));
}
