import type { Settings } from '../../src/composition/settings.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { requestOf } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { admin, openService, type TestService } from '../support/service.ts';
import { type Acknowledged, check } from './invariants.ts';
import { type CallKind, isFail, type Point } from './process.ts';
import { receivers, type Script } from './receivers.ts';
import { actUntil } from './victim.ts';

/** Actions of a process in one scenario, and the receivers of its notifications. */
export interface Plot {
  readonly name: string;
  /** Registered before, at /group/notification: the `http` elements. */
  readonly notifications: readonly object[];
  readonly script?: Script;
  readonly settings?: Partial<Settings>;
  act(stage: Stage): Promise<void>;
  /** Deliveries that receivers see when nothing stops: host, action, group and attempt number, sorted. */
  readonly told: readonly string[];
}

/** Operations of a scenario. A promise may never settle, because the process has stopped. */
export interface Stage {
  /** A request by `admin`, whose status is remembered. */
  send(request: string): Promise<number>;
  /** Delivers what is due. */
  tick(): Promise<number | undefined>;
  /** Delivers, and lets time pass until the next delivery is due, until nothing waits. */
  settle(): Promise<void>;
  /** The ids of the notifications, in their order. */
  readonly ids: readonly string[];
}

/** Much longer than a lease, and than any pause between attempts. */
const lease = 20_000;
const patience = 3 * 3_600_000;

export const settings: Partial<Settings> = {
  logLevel: 'error',
  deliveryLease: lease / 1_000,
  deliveryRetries: 2,
  pauseAfterFailures: 4,
};

const isAsked = (http: object): boolean => 'synchronous' in http && http.synchronous === true;

async function settle({ service, clock }: TestService): Promise<void> {
  const end = clock.now() + patience;
  for (;;) {
    const next = await service.tick();
    if (next === undefined || next > end) return;
    await clock.advance(next - clock.now());
  }
}

export interface Played {
  readonly calls: readonly CallKind[];
  readonly stopped: boolean;
  readonly failed: boolean;
  readonly told: readonly string[];
}

/** Runs a plot: the process stops, or a call fails, at `point`. Invariants are checked at once and in the end. */
export async function play(plot: Plot, point?: Point): Promise<Played> {
  const clock: TestClock = testClock();
  const database = await migratedDatabase();
  const net = receivers(plot.script ?? {}, clock);
  const shared = { clock, settings: { ...settings, ...plot.settings }, wire: net.wire };
  const keep = {
    ...database,
    close: async () => undefined,
    read: database.read.bind(database),
    write: database.write.bind(database),
    guardGroups: database.guardGroups.bind(database),
  };
  const outside = { ...keep, kind: database.kind, grouped: database.grouped, pending: 0 };
  try {
    const before = await openService({ ...shared, database: outside });
    const ids: string[] = [];
    for (const http of plot.notifications) {
      ids.push(await register(before, http));
      await clock.advance(1);
    }
    await before.service.close();

    const acknowledged: Acknowledged[] = [];
    const stageOf = (victim: TestService): Stage => ({
      ids,
      tick: () => victim.service.tick(),
      settle: () => settle(victim),
      async send(request) {
        const { status } = await victim.service.fetch(requestOf('http://portico.test', { as: admin, request }));
        acknowledged.push({ request, status });
        return status;
      },
    });
    const { process, next } = await actUntil(point, { outside, shared }, (victim) => plot.act(stageOf(victim)));
    const { calls, stopped, failed } = process;
    const world = {
      database: outside,
      ids: ids.filter((_, index) => !isAsked(plot.notifications[index]!)),
      acknowledged,
      seen: net.seen,
      failure: isFail(point) ? point.how : undefined,
    };
    await check(world, 'at once');

    // The next instance finds the leases over.
    await clock.advance(lease + 1);
    const after = await next(() => openService({ ...shared, database: outside }));
    await settle(after);
    await check(world, 'in the end');
    await after.service.close();
    return {
      calls,
      stopped,
      failed,
      told: net.seen.map(({ host, action, group, attempt }) => `${host} ${action} ${group} ${attempt}`),
    };
  } finally {
    await database.close();
  }
}

async function register(world: TestService, http: object): Promise<string> {
  const action = { http: { contentType: 'application/json', ...http } };
  const trigger = { group: { create: '', modify: '', delete: '' } };
  const sent = {
    as: admin,
    request: 'POST /API/group/notification',
    headers: { accept: 'text/plain' },
    body: { action, trigger },
  };
  const response = await world.service.fetch(requestOf('http://portico.test', sent));
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.text()).trim();
}
