import type { Database } from '../../src/core/store/contract.ts';
import type { MemoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import type { TestClock } from '../support/clock.ts';
import { memoryPlugin, openService, type ServiceOptions, type TestService } from '../support/service.ts';
import { type Fail, jumpOf } from './failures.ts';
import { type Point, type ProcessModel, processModel } from './process.ts';

/** Where a process works that may stop, or fail, at any call. */
export interface Surroundings {
  /** Database that outlives the process. */
  readonly outside: Database;
  readonly storage?: MemoryStorage;
  readonly shared: ServiceOptions;
}

export interface Acted {
  readonly process: ProcessModel;
  /** The service that goes on: the same service behind a failed call, and another one where it stopped or its clock is wrong. */
  next(open: () => Promise<TestService>): Promise<TestService>;
}

/** A service acts in a process of its own, until it is done, the process stops, or somebody hears of the failed call. */
export async function actUntil(
  point: Point | undefined,
  { outside, storage, shared }: Surroundings,
  act: (victim: TestService) => Promise<unknown>,
): Promise<Acted> {
  const process = processModel(point);
  const plugins = storage && [memoryPlugin(process.scheme(storage))];
  const victim = await openService({
    ...shared,
    database: process.database(outside),
    ...(plugins && { plugins }),
    ...(shared.clock && { clock: process.clock(shared.clock) }),
    ...(shared.wire && { wire: process.wire(shared.wire) }),
    start: false,
  });
  let isClosed = false;
  const acting = (async () => {
    await victim.service.start();
    process.begin();
    await act(victim);
    // Writes beside requests are calls like any other: no run ends before them.
    if (!process.failed) await victim.service.close();
    isClosed = true;
  })();
  await Promise.race([acting, process.end]).catch((error) => {
    if (!process.failed) throw error;
  });
  return {
    process,
    async next(open) {
      if (!process.failed || isClosed) return open();
      if (jumpOf((point as Fail).how) === 0) return victim;
      await victim.service.close();
      return open();
    },
  };
}

/** The only job of a database. */
export async function jobIn({ database }: { readonly database: Database }) {
  const [row] = await database.read('SELECT id, status FROM job');
  return row && { id: String(row[0]), status: String(row[1]) };
}

/** Lets work go on for so many rounds, with time between. */
export async function work(
  { opened, clock }: { readonly opened: TestService; readonly clock: TestClock },
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await opened.service.tick();
    await clock.advance(20_000);
  }
}
