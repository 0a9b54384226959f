import { join } from 'node:path';
import { addItems, authorization, prepareRoot } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';

const connections = 8;
const [few, many] = [1000, 1_000_000];
const path = '/API/item?content=metadata&field=bench_field0,bench_field1,bench_field2&number=100';
const page = requestBytes('GET', path, { authorization, accept: 'application/json' });

/** A page of 100 items with three fields, of how many there are. */
export async function benchPages(
  runtime: RuntimeName,
  directory: string,
  rounds = 6,
  seconds = 0.7,
): Promise<readonly Row[]> {
  const servers: Started[] = [];
  const rates: [number[], number[]] = [[], []];
  try {
    for (const items of [few, many]) {
      const root = join(directory, String(items));
      addItems(root, await prepareRoot(runtime, root, 3), items, true);
      servers.push(await startService(runtime, root));
    }
    // In turn first and second: a machine is faster at one time than at another. The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { perSecond } = await load({ port: servers[side]!.port, connections, seconds, next: () => page });
        if (round > 0) rates[side].push(perSecond);
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
  const ratio = median(rates[1].map((rate, round) => rate / rates[0][round]!));
  const name = `a page of 100 items with three fields, of ${many.toLocaleString('en')} items against ${few}`;
  return [{ name, ratio, floor: 0.8, perSecond: median(rates[1]) }];
}
