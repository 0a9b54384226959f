import { nextTurn } from '../../../lib/turn.ts';
import { lookupsOf, type Reader } from '../../../store/statement.ts';
import type { ChangeSet, Deletions } from '../merge/replay.ts';
import type { State } from '../merge/state.ts';
import { fieldNamesIn, fieldNamesOf, takeOut } from '../merge/take-out.ts';
import type { Wish } from '../merge/wish.ts';
import { deletionsNamed } from './store.ts';

/**
 * Values of a deleted field stay where they are stored, and nobody sees them: to take them out of a million entities is
 * no work for a request. Each deletion has a number. States and change sets keep the newest number that their writer
 * saw, their epoch: what has the name of a later deletion is hidden, also after the name is defined again.
 */

const none: ReadonlySet<string> = new Set();

/** Names whose deletions are remembered. */
const most = 20_000;

/** By name, the numbers of its deletions. They hold up to the newest one that was there. */
interface Memory {
  readonly newest: number;
  readonly numbers: Map<string, readonly number[]>;
}

const memories = new WeakMap<object, Memory>();

/** When fields of these names were deleted, as far as the reader has seen that there were deletions. */
export async function deletionsOf(reader: Reader, names: Iterable<string>, newest: number): Promise<Deletions> {
  if (newest === 0) return { newest, between: () => none };
  const wanted = new Set(names);
  const numbers = await numbersOf(reader, wanted, newest);
  const deleted = Array.from(wanted, (name) => [name, numbers.get(name)!] as const).filter(([, ids]) => ids.length > 0);
  const between = (from: number, to: number): ReadonlySet<string> => {
    if (from >= to || deleted.length === 0) return none;
    return new Set(deleted.filter(([, ids]) => ids.some((id) => id > from && id <= to)).map(([name]) => name));
  };
  return { newest, between };
}

async function numbersOf(
  reader: Reader,
  names: ReadonlySet<string>,
  newest: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const of = reader.origin ?? reader;
  const known = memories.get(of);
  const memory = known !== undefined && known.newest >= newest ? known : { newest, numbers: new Map() };
  // What is remembered may be forgotten while the database is asked.
  const numbers = new Map<string, readonly number[]>();
  const found = new Map<string, number[]>();
  for (const name of names) {
    const ids = memory.numbers.get(name);
    if (ids) numbers.set(name, ids);
    else found.set(name, []);
  }
  if (found.size === 0) return numbers;
  const rows = await deletionsNamed(lookupsOf(reader), { names: JSON.stringify([...found.keys()]) });
  for (const { id, name } of rows) found.get(name)!.push(id);
  // A reader that has seen less may have missed the newest ones.
  if (memory.newest === newest) {
    if (memory.numbers.size + found.size > most) memory.numbers.clear();
    for (const [name, ids] of found) memory.numbers.set(name, ids);
    memories.set(of, memory);
  }
  return new Map([...numbers, ...found]);
}

/** A state as it was written, and the newest deletion when it was read. */
export interface Written {
  readonly state: State;
  readonly epoch: number;
  readonly newestDeletion: number;
}

/** Takes what was deleted since out of states that nobody else has. */
export async function hideGone(reader: Reader, states: readonly Written[]): Promise<void> {
  const behind = states.filter(({ epoch, newestDeletion }) => epoch < newestDeletion);
  if (behind.length === 0) return;
  const newest = Math.max(...behind.map(({ newestDeletion }) => newestDeletion));
  const names = new Set<string>();
  for (const { state } of behind) for (const name of fieldNamesIn(state)) names.add(name);
  const deletions = await deletionsOf(reader, names, newest);
  for (const { state, epoch } of behind) takeOut(state, deletions.between(epoch, newest));
}

/** Change sets whose names are collected in one turn of the loop. */
const inOneTurn = 100;

/** For a log that is played: when the fields went that its change sets name. */
export async function deletionsIn(
  reader: Reader,
  sets: readonly ChangeSet[],
  more: readonly Wish[] = [],
): Promise<Deletions> {
  const newest = sets.reduce((most, { newestDeletion }) => Math.max(most, newestDeletion), 0);
  const names = new Set<string>();
  if (sets.every(({ epoch }) => epoch === newest)) return deletionsOf(reader, names, newest);
  const wishes = [...sets.map(({ wish }) => wish), ...more];
  for (let at = 0; at < wishes.length; at += inOneTurn) {
    if (at > 0) await nextTurn();
    for (const name of fieldNamesOf(wishes.slice(at, at + inOneTurn))) names.add(name);
  }
  return deletionsOf(reader, names, newest);
}
