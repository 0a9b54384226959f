import { expect, it } from 'vitest';
import { KeyedQueue, Turns } from '../../../src/core/lib/turn.ts';
import { settle } from '../../support/clock.ts';

it('tasks with one key go one after the other, also behind one that fails; others wait for nothing', async () => {
  const turns = new KeyedQueue();
  const told: string[] = [];
  const ends: Record<string, () => void> = {};
  const task = (name: string) => (waited: boolean) => {
    told.push(`${name} ${waited}`);
    return new Promise<string>((resolve, reject) => {
      ends[name] = name.startsWith('bad') ? () => reject(new Error(name)) : () => resolve(name);
    });
  };
  const first = turns.take('a', task('bad'));
  const second = turns.take('a', task('next'));
  const other = turns.take('b', task('other'));
  expect(told).toEqual(['bad false', 'other false']);
  ends['bad']!();
  await expect(first).rejects.toThrow('bad');
  await settle();
  expect(told).toEqual(['bad false', 'other false', 'next true']);
  ends['next']!();
  ends['other']!();
  expect(await Promise.all([second, other])).toEqual(['next', 'other']);
  const last = turns.take('a', task('last'));
  expect(told.at(-1)).toBe('last false');
  ends['last']!();
  expect(await last).toBe('last');
});

/** A loop whose turns the test takes, and a clock that work moves. */
function loop() {
  let [now, due] = [0, [] as (() => void)[]];
  const turns = new Turns(
    (run) => due.push(run),
    () => now,
  );
  const told: string[] = [];
  return {
    turns,
    told,
    work(name: string, milliseconds: number) {
      told.push(name);
      now += milliseconds;
    },
    /** Runs all that is ready for one turn, each with all of its continuations. */
    async turn(): Promise<string[]> {
      const from = told.length;
      for (const run of due.splice(0)) {
        run();
        await settle();
      }
      return told.slice(from);
    },
  };
}

it('attack: sixty answers of one account that are ready together are no single turn, and another account alternates', async () => {
  const { turns, work, turn } = loop();
  const each = async (account: string, name: string) => {
    await turns.enter(account);
    await turns.yield();
    work(name, 11);
  };
  for (let at = 0; at < 60; at++) void each('flood', `flood ${at}`);
  await settle();
  void each('other', 'other 0');
  void each('other', 'other 1');
  await settle();
  const seen: string[][] = [];
  for (let at = 0; at < 400; at++) seen.push(await turn());
  const busy = seen.filter(({ length }) => length > 0);
  expect(busy.flat()).toHaveLength(62);
  expect(Math.max(...busy.map(({ length }) => length))).toBe(1);
  expect(busy.slice(0, 5).flat()).toEqual(['flood 0', 'other 0', 'flood 1', 'other 1', 'flood 2']);
});

it('small work shares a turn, and waits for no other one', async () => {
  const { turns, work, turn, told } = loop();
  expect(turns.enter('a')).toBeUndefined();
  for (let at = 0; at < 20; at++) void turns.yield().then(() => work(`${at}`, 0.1));
  await turn();
  expect(told).toHaveLength(20);
  work('long', 50);
  const late = turns.enter('b');
  expect(late).toBeInstanceOf(Promise);
  void Promise.resolve(late).then(() => work('late', 1));
  expect(told.at(-1)).toBe('long');
  expect(await turn()).toEqual(['late']);
});
