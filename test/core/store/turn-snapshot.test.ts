import { expect, it } from 'vitest';
import { TurnSnapshot } from '../../../src/core/store/local/main-thread-reads.ts';
import { type NativeConnection, StatementCache } from '../../../src/core/store/local/native.ts';

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
