import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/core/lib/log.ts';
import { createWork } from '../../../src/core/work/work.ts';
import { type Piece, type WorkKind, workKind } from '../../../src/core/work/work-kind.ts';
import { testClock } from '../../support/clock.ts';
import { alwaysDue } from '../../support/work.ts';

/** A plan with so many calls in an invocation, and kinds whose parts take some of them. */
function planOf(limit: number) {
  const clock = testClock();
  const log = createLog(() => undefined, clock, 'error');
  let made = 0;
  const told: string[] = [];
  const work = createWork({
    clock,
    log,
    host: 'edge',
    dueTimes: alwaysDue,
    callsLeft: () => limit - made,
    poll: 1_000,
    grace: 5_000,
  });
  onTestFinished(() => work.close());
  /** Pieces of so many parts. A part takes all calls that its kind tells, in several turns. */
  const kindOf = (name: string, priority: number, calls: number, pieces: { key: string; parts: number }[]): WorkKind =>
    workKind<Piece & { parts: number }>({
      name,
      says: 'Test',
      hosts: ['edge'],
      priority,
      calls,
      concurrency: 10,
      wokenBy: [],
      dueHere: () => (pieces.length > 0 ? 0 : Number.POSITIVE_INFINITY),
      claim: async (max) => pieces.splice(0, max),
      async do(piece, held) {
        while (piece.parts > 0) {
          if (!held.mayGoOn()) {
            told.push(`${piece.key} released`);
            pieces.push(piece);
            return;
          }
          for (let call = 0; call < calls; call++) {
            await Promise.resolve();
            made++;
          }
          piece.parts--;
          told.push(piece.key);
        }
      },
    });
  return {
    work,
    told,
    kindOf,
    made: () => made,
    async tick() {
      made = 0;
      told.length = 0;
      await work.tick();
    },
  };
}

it('work begins nothing that the calls of an invocation do not suffice for, and goes on in the next one', async () => {
  const { work, told, kindOf, made, tick } = planOf(40);
  work.join([kindOf('jobs', 40, 12, [{ key: 'job', parts: 7 }])]);
  const ticks: [readonly string[], number][] = [];
  for (let round = 0; round < 3; round++) {
    await tick();
    ticks.push([[...told], made()]);
  }
  expect(ticks).toEqual([
    [['job', 'job', 'job', 'job released'], 36],
    [['job', 'job', 'job', 'job released'], 36],
    [['job'], 12],
  ]);
});

it('many pieces at once never take more than there is', async () => {
  for (const limit of [20, 40, 41, 100]) {
    const pieces = Array.from({ length: 30 }, (_, index) => ({ key: `piece-${index}`, parts: 3 }));
    const { work, kindOf, made, tick } = planOf(limit);
    work.join([kindOf('deliveries', 10, 7, pieces)]);
    for (let round = 0; pieces.length > 0; round++) {
      expect(round).toBeLessThan(100);
      await tick();
      expect(made()).toBeLessThanOrEqual(limit);
      expect(made()).toBeGreaterThan(0);
    }
  }
});

it('the first kinds get the calls that do not suffice for all', async () => {
  const { work, told, kindOf, tick } = planOf(20);
  const late = [{ key: 'late', parts: 1 }];
  work.join([kindOf('late', 90, 12, late), kindOf('early', 10, 12, [{ key: 'early', parts: 1 }])]);
  await tick();
  expect(told).toEqual(['early']);
  await tick();
  expect(told).toEqual(['late']);
});

it('a piece that takes more calls than its kind tells is put down at the limit, and ends its lease', async () => {
  const limit = 40;
  let made = 0;
  let asks = (): void => undefined;
  const clock = testClock();
  const lines: string[] = [];
  const work = createWork({
    clock,
    log: createLog((line) => lines.push(line), clock, 'warn'),
    host: 'edge',
    dueTimes: alwaysDue,
    callsLeft: () => limit - made,
    asking(ask, run) {
      asks = ask;
      return run();
    },
    poll: 1_000,
    grace: 5_000,
  });
  onTestFinished(() => work.close());
  const call = async () => {
    asks();
    made++;
  };
  const pieces: Piece[] = [{ key: 'greedy' }];
  let isPutDown = false;
  work.join([
    workKind({
      name: 'greedy',
      says: 'Test',
      hosts: ['edge'],
      priority: 1,
      concurrency: 1,
      wokenBy: [],
      dueHere: () => (pieces.length > 0 ? 0 : Number.POSITIVE_INFINITY),
      claim: async () => pieces.splice(0),
      async do(_piece, { signal }) {
        try {
          for (;;) await call();
        } catch (error) {
          expect(signal.reason).toBe(error);
          await call();
          isPutDown = true;
          throw error;
        }
      },
    }),
  ]);
  await work.tick();
  expect([made, isPutDown, lines]).toEqual([limit + 1, true, []]);
  // Without an end of its own, a piece does not get far.
  pieces.push({ key: 'greedy' });
  made = 0;
  await work.tick();
  expect(made).toBe(limit + 1);
});
