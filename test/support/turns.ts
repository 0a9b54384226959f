import { openSync, readSync } from 'node:fs';

/**
 * The longest turn of the loop while something goes on, in milliseconds of the processor. What the thread waits for a
 * core, because other processes have them all, is no part of it.
 */
export async function turnOf<T>(work: () => Promise<T>): Promise<{ readonly turn: number; readonly result: T }> {
  await yieldTurn();
  let turn = 0;
  let isDone = false;
  let last = now();
  const look = () => {
    const next = now();
    turn = Math.max(turn, between(last, next));
    last = next;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  const result = await work().finally(() => {
    isDone = true;
  });
  await yieldTurn();
  look();
  return { turn, result };
}

/** The least of several runs, because neighbours share the cores. No further run is made once one was short enough. */
export async function maxTurnLength(runs: number, enough: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = runs; left > 0 && least >= enough; left--) least = Math.min(least, (await turnOf(run)).turn);
  // A bound in milliseconds is about one machine: on a slower one it is as many times longer.
  return least < enough ? least : least / slowness();
}

/** The least of several runs of work that gives nothing back in between, in milliseconds of its thread. */
export function quickest(runs: number, enough: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let left = runs; left > 0 && least >= enough; left--) {
    const before = now();
    work();
    const after = now();
    least = Math.min(least, between(before, after));
  }
  return least;
}

/** Milliseconds that `reference` takes on the machine on which the bounds of turns were set. */
const defaultValue = 14;

/** Work like that of requests: objects with texts, a map, JSON. */
function reference(): number {
  const map = new Map<string, object>();
  for (let index = 0; index < 20_000; index++) map.set(`key ${index}`, { index, text: `text of ${index}` });
  return (JSON.parse(JSON.stringify([...map])) as unknown[]).length;
}

/**
 * Milliseconds of processor time that this process has used. A difference of two is what work costs, with its threads
 * and without what other processes take meanwhile.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Processor time since a moment of `cpuTime`, as the machine of the bounds would have taken it. */
export const costSince = (began: number): number => (cpuTime() - began) / slowness();

/** How many times longer work takes here just now than on the machine of the bounds; 1 where it does not. */
export const slowness = (): number => Math.max(1, quickest(10, defaultValue, reference) / defaultValue);

const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Moment of a thread, in milliseconds: on the wall, on a core, and ready without a core. */
interface Moment {
  readonly wall: number;
  readonly ran: number;
  readonly waited: number;
}

/** Milliseconds of a tick, at which Linux counts what a thread has run. */
const tick = 4;

/** Milliseconds on a core between two moments, or a little more. Linux counts them; elsewhere the wall does. */
function between(last: Moment, next: Moment): number {
  const awake = next.wall - last.wall - (next.waited - last.waited);
  return Math.min(awake, next.ran - last.ran + tick);
}

const now = (): Moment => ({ wall: performance.now(), ...counted() });

const counted: () => Omit<Moment, 'wall'> = process.platform === 'linux' ? countedByLinux : countedByNobody;

function countedByNobody() {
  return { ran: performance.now(), waited: 0 };
}

let counts: number | undefined;
const buffer = Buffer.alloc(64);

function countedByLinux() {
  counts ??= openSync('/proc/thread-self/schedstat', 'r');
  const length = readSync(counts, buffer, 0, buffer.length, 0);
  const [ran, waited] = buffer.toString('latin1', 0, length).split(' ');
  return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
}

/** The least that the same small piece of work ever took: what this machine does when nothing disturbs it. */
let undisturbed = Number.POSITIVE_INFINITY;

/** Whether the core runs at its own pace just now. A piece of work that takes twice its least says no. */
export function isCalm(): boolean {
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < 2_000_000; index++) sum = (sum + index * 7) | 0;
  const took = performance.now() - start + (sum === 1 ? 1 : 0);
  undisturbed = Math.min(undisturbed, took);
  return took <= undisturbed * 2;
}
