import type { Row } from '../row.ts';
import type { RuntimeName } from '../runtimes.ts';
import { benchCopyCosts } from './copies.ts';
import { benchFilmCosts } from './films.ts';
import { benchKeptBytes } from './kept.ts';
import { benchScanCosts } from './scans.ts';
import { type CostWorld, withCostWorld } from './world.ts';

const benches: readonly ((world: CostWorld) => Promise<Row[]>)[] = [
  benchScanCosts,
  benchCopyCosts,
  benchFilmCosts,
  benchKeptBytes,
];

/** Cost of bytes and media beside the tools that a user would take instead. */
export const benchCosts = (runtime: RuntimeName): Promise<Row[]> =>
  withCostWorld(runtime, async (world) => {
    const rows: Row[] = [];
    for (const bench of benches) rows.push(...(await bench(world)));
    return rows;
  });
