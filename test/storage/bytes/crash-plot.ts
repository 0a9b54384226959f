import { type MemoryFolder, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf, type Sent } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, memoryPlugin, openService, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import { type Acknowledged, checkBytes, type Moment } from './crash-invariants.ts';

/** Requests of clients while the process lives, and those that they repeat when another one has taken over. */
export interface Plot {
  readonly name: string;
  /** Before the process that stops: with a process that does not. */
  given?(stage: Stage): Promise<unknown>;
  act(stage: Stage): Promise<unknown>;
  /** Clients that did not hear an answer send the same again. */
  again(stage: Stage): Promise<unknown>;
  /** Content of the storage when all is done, by path. */
  readonly lies: Readonly<Record<string, string>>;
}

export interface Stage {
  readonly service: TestService;
  readonly place: MemoryFolder;
  readonly clock: TestClock;
  /** By `admin`. Gives the status, and what the answer says. */
  send(sent: Pick<Sent, 'request' | 'body' | 'headers'>): Promise<Told>;
  tick(): Promise<unknown>;
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const hour = 3_600_000;

/** The successor is the only server on the database, or another instance that has to wait for leases. */
export type Successor = 'the only server' | 'another instance';

/** Plays a run: the process stops, or a call fails, at the point. Who goes on is checked by the invariants each time. */
export async function play(plot: Plot, successor: Successor, point?: Point): Promise<ProcessModel> {
  const clock = testClock();
  const database = await migratedDatabase();
  const outside = outliving(database);
  const storage = memoryStorage(() => clock.now());
  const place = storage.place('memory:///in/');
  const acknowledged: Acknowledged[] = [];
  const shared = { clock, settings: { logLevel: 'error' as const, transferIdleHours: 24 } };

  const stageOf = (service: TestService): Stage => ({
    service,
    place,
    clock,
    async send(sent) {
      const headers = { accept: 'application/json', ...sent.headers };
      const response = await service.service.fetch(requestOf('http://portico.test', { as: admin, ...sent, headers }));
      const body = await response.text();
      if (response.status === 200 && body.includes('"CLOSED"')) acknowledged.push(JSON.parse(body) as Acknowledged);
      return { status: response.status, headers: response.headers, body };
    },
    tick: () => service.service.tick(),
  });
  const look = (moment: Moment) => checkBytes({ database: outside, place, acknowledged, lies: plot.lies }, moment);

  try {
    const before = await openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] });
    await storageRows(before);
    await plot.given?.(stageOf(before));
    await before.service.close();

    const { process, next } = await actUntil(point, { outside, storage, shared }, (victim) =>
      plot.act(stageOf(victim)),
    );
    await look('at once');

    if (successor === 'another instance') await clock.advance(1.1 * hour);
    const alone = successor === 'the only server' ? ({ isOnlyServer: true } as const) : {};
    const after = await next(() =>
      openService({ ...shared, ...alone, database: outside, plugins: [memoryPlugin(storage)] }),
    );
    await after.service.tick();
    await look('after a start');
    await plot.again(stageOf(after));
    await after.service.tick();
    await look('in the end');
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}
