import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/core/lib/log.ts';
import type { Committing } from '../../../src/core/store/contract.ts';
import { createWork } from '../../../src/core/work/work.ts';
import { type Piece, steps, type WorkHost, type WorkKind, workKind } from '../../../src/core/work/work-kind.ts';
import { settle, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { withService } from '../../support/service.ts';
import { alwaysDue } from '../../support/work.ts';

function opened(
  kinds: (world: { clock: ReturnType<typeof testClock> }) => readonly WorkKind[],
  host: WorkHost = 'loop',
  callsLeft?: () => number,
) {
  const clock = testClock();
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), clock, 'debug');
  const work = createWork({ clock, log, host, dueTimes: alwaysDue, poll: 1_000, grace: 5_000, callsLeft });
  work.join(kinds({ clock }));
  onTestFinished(async () => {
    const closing = work.close();
    await clock.advance(5_000);
    await closing;
  });
  const tallyOf = (name: string) => work.workings.find(({ kind }) => kind.name === name)!.tally;
  return { work, clock, lines, tallyOf };
}

interface Given {
  readonly name: string;
  readonly queue: string[];
  readonly perform: (key: string, signal: AbortSignal) => Promise<void>;
  readonly concurrency?: number;
  readonly more?: Partial<WorkKind>;
}

/** A kind whose pieces wait in an array. */
const queued = ({ name, queue, perform, concurrency = 2, more = {} }: Given): WorkKind =>
  workKind<Piece>({
    name,
    says: 'Test',
    hosts: ['loop', 'edge'],
    priority: 50,
    concurrency,
    wokenBy: ['event'],
    dueHere: () => (queue.length > 0 ? 0 : Number.POSITIVE_INFINITY),
    claim: async (max) => queue.splice(0, max).map((key) => ({ key })),
    async do({ key }, held) {
      await perform(key, held.signal);
      held.done();
    },
    ...more,
  });

const forEver = () => new Promise<never>(() => undefined);

it('ten thousand pieces of one kind hold up no piece of another', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `hash-${index}`);
  const few = ['delivery'];
  let doneBefore: number | undefined;
  const { work, clock, tallyOf } = opened((world) => [
    queued({ name: 'hashes', queue: many, perform: () => world.clock.sleep(10), more: { priority: 1 } }),
    queued({
      name: 'deliveries',
      queue: few,
      perform: async () => {
        doneBefore ??= tallyOf('hashes').done;
      },
    }),
  ]);
  void work.run();
  await settle();
  await clock.advance(1_000);
  expect(doneBefore).toBe(0);
  few.push('another');
  const seen = tallyOf('hashes').done;
  for (const { committed } of work.participants()) committed!({} as Committing);
  await settle();
  expect([tallyOf('deliveries').done, tallyOf('hashes').done - seen]).toEqual([2, 0]);
  // The many go on meanwhile, two at a time.
  expect(seen).toBeGreaterThan(150);
  expect(many.length).toBeGreaterThan(9_000);
});

it('a kind that gathers looks once for many commits that wake it, and no later without one', async () => {
  const looks: number[] = [];
  const { work, clock } = opened(({ clock }) => [
    workKind<Piece>({
      ...queued({ name: 'gathers', queue: [], perform: forEver }),
      gathers: 200,
      dueHere: () => 0,
      async claim() {
        looks.push(clock.now());
        return [];
      },
    }),
  ]);
  const began = clock.now();
  void work.run();
  await settle();
  for (let count = 0; count < 5; count++) {
    for (const { committed } of work.participants()) committed!({} as Committing);
    await settle();
    await clock.advance(30);
  }
  await clock.advance(60);
  // Work that is due and cannot be taken is looked at once a second.
  await clock.advance(1_000);
  expect(looks.map((at) => at - began)).toEqual([200, 1_200]);
});

it('a tick of ten seconds gives each kind its turn, also beside one whose work never ends', async () => {
  const told: string[] = [];
  const { work, clock } = opened(
    ({ clock }) => [
      workKind<Piece>({
        ...queued({ name: 'endless', queue: [], perform: () => clock.sleep(100) }),
        priority: 1,
        dueHere: () => 0,
        claim: async (_most, now) => [{ key: String(now) }],
        concurrency: 1,
      }),
      queued({ name: 'other', queue: ['a', 'b', 'c'], perform: async (key) => void told.push(key) }),
    ],
    'edge',
  );
  let next: number | undefined;
  const began = clock.now();
  const ticking = work.tick(10_000).then((due) => (next = due));
  await settle();
  expect(told).toEqual(['a', 'b', 'c']);
  await clock.advance(11_000);
  await ticking;
  // The endless kind is still due at once.
  expect(next).toBe(0);
  expect(clock.now() - began).toBe(11_000);
});

it('a kind whose claim or whose piece throws is logged, counted and tried again, beside the others', async () => {
  let breaks = true;
  const good: string[] = [];
  const queue = ['x'];
  const { work, clock, lines, tallyOf } = opened(() => [
    queued({
      name: 'halts',
      queue: [],
      perform: forEver,
      more: {
        dueHere: () => 0,
        async claim() {
          if (breaks) throw new Error('The test refuses this claim');
          return [];
        },
      },
    }),
    queued({
      name: 'fails',
      queue,
      perform: async () => {
        throw new Error('The test refuses this piece');
      },
    }),
    queued({ name: 'good', queue: ['a'], perform: async (key) => void good.push(key) }),
  ]);
  void work.run();
  await settle();
  expect(good).toEqual(['a']);
  expect(tallyOf('fails')).toMatchObject({ done: 0, failed: 1 });
  expect(tallyOf('fails').lastFailure).toEqual({ at: clock.now(), says: 'The test refuses this piece' });
  const halted = () => lines.filter((line) => line.includes('work-halted')).length;
  expect(halted()).toBe(1);
  await clock.advance(2_500);
  expect(halted()).toBe(3);
  breaks = false;
  await clock.advance(5_000);
  expect(halted()).toBe(3);
});

it('a piece that hangs fails after its longest time, and its hand does other pieces', async () => {
  const told: string[] = [];
  const aborted: string[] = [];
  const { work, clock, tallyOf } = opened(() => [
    queued({
      name: 'hangs',
      queue: ['stuck', 'next'],
      concurrency: 1,
      more: { longest: 3_000 },
      perform: async (key, signal) => {
        told.push(key);
        signal.addEventListener('abort', () => aborted.push(key));
        if (key === 'stuck') await forEver();
      },
    }),
  ]);
  void work.run();
  await settle();
  expect(told).toEqual(['stuck']);
  await clock.advance(3_000);
  expect([told, aborted]).toEqual([['stuck', 'next'], ['stuck']]);
  expect(tallyOf('hangs')).toMatchObject({ done: 1, failed: 1 });
});

it('a commit wakes the kinds that it may concern, and no other', async () => {
  const looks = { woken: 0, timed: 0 };
  const { work, clock } = opened(({ clock }) => [
    queued({
      name: 'woken',
      queue: [],
      perform: forEver,
      more: {
        dueHere: () => 0,
        claim: async () => {
          looks.woken++;
          return [];
        },
      },
    }),
    steps({
      name: 'timed',
      says: 'Test',
      hosts: ['loop'],
      priority: 1,
      clock,
      rest: 60_000,
      step: async () => {
        looks.timed++;
        return false;
      },
    }),
  ]);
  void work.run();
  await settle();
  expect(looks).toEqual({ woken: 1, timed: 1 });
  for (const { committed } of work.participants()) committed!({} as Committing);
  await settle();
  expect(looks).toEqual({ woken: 2, timed: 1 });
  await clock.advance(60_000);
  expect(looks.timed).toBe(2);
});

it('what is due and cannot be taken is looked at once a second', async () => {
  const looks: number[] = [];
  const { work, clock } = opened((world) => [
    queued({
      name: 'scans',
      queue: [],
      perform: forEver,
      more: {
        wokenBy: [],
        dueHere: () => 0,
        claim: async () => {
          looks.push(world.clock.now());
          return [];
        },
      },
    }),
  ]);
  void work.run();
  await settle();
  await clock.advance(1_000);
  await clock.advance(1_000);
  expect(looks.map((at) => at - looks[0]!)).toEqual([0, 1_000, 2_000]);
});

it('what one kind does makes work for another within the same tick', async () => {
  const second: string[] = [];
  const told: string[] = [];
  const { work } = opened(({ clock }) => [
    queued({ name: 'second', queue: second, perform: async (key) => void told.push(key), more: { priority: 1 } }),
    queued({
      name: 'first',
      queue: ['a'],
      perform: async (key) => {
        await Promise.resolve(clock);
        await settle();
        second.push(`after ${key}`);
      },
    }),
  ]);
  await work.tick();
  expect(told).toEqual(['after a']);
});

it('an edge does only the kinds that it can, and behind a read only those that ask for it', async () => {
  const told: string[] = [];
  const kind = (name: string, more: Partial<WorkKind>) =>
    queued({ name, queue: [name, name], concurrency: 1, perform: async () => void told.push(name), more });
  const kinds = () => [
    kind('server', { hosts: ['loop'] }),
    kind('both', { priority: 2 }),
    kind('reads', { afterReads: true, priority: 1 }),
  ];
  const { work } = opened(kinds, 'edge');
  await work.afterAnswer(false, 10_000);
  expect([...new Set(told)]).toEqual(['reads']);
  await work.afterAnswer(true, 10_000);
  expect([...new Set(told)]).toEqual(['reads', 'both']);
});

it('a stop claims nothing more, lets pieces end, and ends those that take longer than the grace', async () => {
  const queue = ['slow', 'never'];
  const reasons: string[] = [];
  const { work, clock, tallyOf } = opened((world) => [
    queued({
      name: 'kind',
      queue,
      concurrency: 1,
      perform: (_key, signal) =>
        world.clock.sleep(60_000, signal).catch((error: Error) => {
          reasons.push(error.message);
        }),
    }),
  ]);
  const running = work.run();
  await settle();
  const closing = work.close();
  await clock.advance(4_000);
  expect(reasons).toEqual([]);
  await clock.advance(1_000);
  await Promise.all([running, closing]);
  expect(reasons).toEqual(['The service stops']);
  expect([queue, tallyOf('kind').running.size]).toEqual([['never'], 0]);
});

it('a stop while a kind gathers ends it, too', async () => {
  const { work, clock } = opened(() => [
    queued({ name: 'gathers', queue: [], perform: forEver, more: { gathers: 60_000 } }),
  ]);
  const running = work.run();
  await settle();
  for (const { committed } of work.participants()) committed!({} as Committing);
  await settle();
  await work.close();
  await running;
  expect(clock.sleepers).toBe(0);
});

it('an idle server reads once a second, claims nothing and writes nothing', async () => {
  const database = await migratedDatabase();
  const asked = { reads: 0, writes: 0 };
  const { service, clock, lines } = await withService({
    database: {
      ...outliving(database),
      close: () => database.close(),
      read(...given) {
        asked.reads++;
        return database.read(...given);
      },
      write(...given) {
        asked.writes++;
        return database.write(...given);
      },
    },
  });
  const claims: string[] = [];
  for (const kind of service.kinds) {
    const { claim } = kind;
    kind.claim = (...given) => {
      claims.push(kind.name);
      return claim(...given);
    };
  }
  void service.work();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await clock.advance(1_000);
  };
  // Wait until the one-time work of a new instance is done.
  await pass(20);
  claims.length = 0;
  Object.assign(asked, { reads: 0, writes: 0 });
  await pass(60);
  expect(lines.filter(({ event }) => event === 'work-halted')).toEqual([]);
  expect(claims).toEqual([]);
  expect(asked).toEqual({ reads: 60, writes: 0 });
});
