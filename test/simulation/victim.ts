import type { Database } from '../../src/core/store/contract.ts';
import type { MemoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import type { TestClock } from '../support/clock.ts';
import { memoryPlugin, openService, type TestService } from '../support/service.ts';
import { processModel, type Stop } from './process.ts';

/** Where a process works that may stop at any call. */
export interface Surroundings {
  /** Database that outlives the process. */
  readonly outside: Database;
  readonly storage?: MemoryStorage;
  readonly shared: Parameters<typeof openService>[0];
}

/** A service acts in a process of its own, until it is done or the process stops. */
export async function actUntil(
  stop: Stop,
  { outside, storage, shared }: Surroundings,
  act: (victim: TestService) => Promise<unknown>,
) {
  const process = processModel(stop);
  const plugins = storage && [memoryPlugin(process.scheme(storage))];
  const victim = await openService({
    ...shared,
    database: process.database(outside),
    ...(plugins && { plugins }),
    start: false,
  });
  const acting = (async () => {
    await victim.service.start();
    process.begin();
    await act(victim);
    await victim.service.close();
  })();
  await Promise.race([acting, process.end]);
  return process;
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
