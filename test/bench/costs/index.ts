import type { Row } from '../row.ts';
import type { RuntimeName } from '../runtimes.ts';
import { benchCopyCosts } from './copies.ts';
import { benchScanCosts } from './scans.ts';
import { withCostWorld } from './world.ts';

/** Cost of bytes and media beside the tools that a user would take instead. */
export const benchCosts = (runtime: RuntimeName): Promise<Row[]> =>
  withCostWorld(runtime, async (world) => [...(await benchScanCosts(world)), ...(await benchCopyCosts(world))]);
