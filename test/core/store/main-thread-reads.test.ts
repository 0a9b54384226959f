import { expect, it } from 'vitest';
import { MainThreadReads, TurnSnapshot } from '../../../src/core/store/local/main-thread-reads.ts';
import { type NativeConnection, StatementCache } from '../../../src/core/store/local/native.ts';
import { testClock } from '../../support/clock.ts';

it('a read that waited for a disk sends those behind it to the threads for a second', async () => {
  const clock = testClock();
  let now = 0;
  let takes = 0;
  const lent = { ...clock, now: () => now };
  const reads = new MainThreadReads(lent, () => {
    now += takes;
    return [[takes]];
  });
  expect(reads.read('', [])).toEqual([[0]]);
  takes = 4;
  expect(reads.read('', [])).toEqual([[4]]);
  expect(reads.read('', [])).toEqual([[4]]);
  takes = 5;
  expect(reads.read('', [])).toEqual([[5]]);
  expect(reads.read('', [])).toBeUndefined();
  now += 999;
  expect(reads.read('', [])).toBeUndefined();
  now += 1;
  expect(reads.read('', [])).toEqual([[5]]);
});

it('pages are taken for those of memory when sixteen reads one after the other waited for nothing', () => {
  let now = 0;
  let takes = 1;
  const reads = new MainThreadReads({ ...testClock(), now: () => now }, () => {
    now += takes;
    return [[takes]];
  });
  const warmAfter = (count: number) => {
    for (let time = 0; time < count; time++) reads.read('', []);
    return reads.isWarm();
  };
  expect([warmAfter(15), warmAfter(1)]).toEqual([false, true]);
  takes = 2;
  expect(warmAfter(1)).toBe(false);
  takes = 0;
  expect([warmAfter(15), warmAfter(1)]).toEqual([false, true]);
});

it('a read that is tried again while the file is locked counts as a slow one', async () => {
  let now = 0;
  const reads = new MainThreadReads({ ...testClock(), now: () => now }, async () => {
    now += 20;
    return [[1]];
  });
  expect(await reads.read('', [])).toEqual([[1]]);
  expect(reads.read('', [])).toBeUndefined();
});

it('what else has arrived goes ahead of a read', async () => {
  const order: string[] = [];
  const turns: (() => void)[] = [];
  const read = () => {
    order.push('read');
    return [[1]];
  };
  const reads = new MainThreadReads(testClock(), read, () => new Promise<void>((go) => void turns.push(go)));
  const rows = reads.read('', []);
  order.push('other');
  turns[0]!();
  expect(await rows).toEqual([[1]]);
  expect(order).toEqual(['other', 'read']);
});

const lookup = 'SELECT enabled FROM user WHERE name = ?';

/** A database of one value, that writes down which statements run. */
function opened() {
  const ran: string[] = [];
  const ends: (() => void)[] = [];
  const state = { enabled: 1 };
  const connection: NativeConnection = {
    inTransaction: false,
    close: () => undefined,
    prepare: (sql) => ({
      run: () => void ran.push(sql),
      all: () => [],
      first: ([name]) => {
        ran.push(`${sql} ${name}`);
        return [[state.enabled]];
      },
    }),
  };
  const snapshot = new TurnSnapshot(new StatementCache(connection), (run) => void ends.push(run));
  const endTurn = () => {
    for (const end of ends.splice(0)) end();
  };
  return { ran, state, snapshot, endTurn };
}

it('reads once in a turn what its requests look up by the same text', () => {
  const { ran, snapshot, endTurn } = opened();
  expect([snapshot.first(lookup, 'ann'), snapshot.first(lookup, 'ann')]).toEqual([[[1]], [[1]]]);
  snapshot.first(lookup, 'bob');
  snapshot.first(lookup, 'ann');
  snapshot.first(lookup, 'eve');
  endTurn();
  expect(ran).toEqual([`${lookup} ann`, 'BEGIN', `${lookup} bob`, `${lookup} eve`, 'COMMIT']);
});

it('takes no snapshot in turns of one read', () => {
  const { ran, snapshot, endTurn } = opened();
  for (const name of ['ann', 'bob']) {
    snapshot.first(lookup, name);
    endTurn();
  }
  expect(ran).toEqual([`${lookup} ann`, `${lookup} bob`]);
});

it('keeps nothing beyond the turn', () => {
  const { state, snapshot, endTurn } = opened();
  snapshot.first(lookup, 'ann');
  state.enabled = 0;
  endTurn();
  expect(snapshot.first(lookup, 'ann')).toEqual([[0]]);
});

it('keeps nothing beyond a commit of this process, within the turn', () => {
  const { state, snapshot } = opened();
  snapshot.first(lookup, 'ann');
  state.enabled = 0;
  snapshot.end();
  expect(snapshot.first(lookup, 'ann')).toEqual([[0]]);
});
