import { it } from 'vitest';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { seedOfRun, testRandom } from '../../support/random.ts';
import { memoryPlugin, openService } from '../../support/service.ts';
import { checkEnd, checkShapes, type Plot, plots, prepared, type Stage, work } from './crash-plots.ts';

async function play(plot: Plot, point?: Point): Promise<ProcessModel> {
  const { clock, database, outside, storage, shared } = await prepared(plot);
  try {
    const { process, next } = await actUntil(point, { outside, storage, shared }, async (opened) => {
      const stage = { opened, clock, database };
      await plot.act(stage);
      await work(stage, 3);
    });
    await checkShapes(database);
    // Leases of the stopped process are over.
    await clock.advance(3_700_000);
    const random = testRandom(seedOfRun + 1);
    const after = await next(() =>
      openService({ ...shared, random, database: outside, plugins: [memoryPlugin(storage)] }),
    );
    const stage: Stage = { opened: after, clock, database };
    await plot.act(stage);
    await work(stage, 6);
    // Bytes that no row names go after an hour.
    await clock.advance(2 * 3_600_000);
    await work(stage, 1);
    await checkEnd(plot, stage, storage);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

/** A play has some hundred calls. */
const stride = 45;

it.each(plots.map((plot, index) => ({ name: plot.name, plot, index })))(
  '$name: the process may stop at any call; another instance ends the jobs, once, and nothing is there twice',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await stopAtPoints(Math.floor((index * stride) / plots.length), calls, (stop) => play(plot, stop), stride);
  },
  patience,
);

it.each(plots.map((plot, index) => ({ name: plot.name, plot, index })))(
  '$name: any call may fail; the same process ends the jobs, once, and nothing is there twice',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await failAtPoints(index, calls, (fail) => play(plot, fail));
  },
  patience,
);
