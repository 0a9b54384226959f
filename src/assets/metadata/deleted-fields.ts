import { yieldTurn } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { ChangeSet, Deletions } from './merge/replay.ts';
import type { MetadataRequest } from './merge/request.ts';
import type { MetadataState } from './merge/state.ts';
import { fieldNamesIn, fieldNamesOf, takeOut } from './merge/take-out.ts';
import { deletionsNamed } from './store.ts';

/**
 * Values of a deleted field stay stored but hidden: a request cannot remove them from a million entities. Each deletion
 * has a number. States and change sets store the newest number at the time of writing, their epoch. Names with a later
 * deletion are hidden, also after the name is defined again.
 */

const none: ReadonlySet<string> = new Set();

/** Limit of cached names. */
const max = 20_000;

/** Cached numbers of deletions by name, complete up to `newest`. */
interface Memory {
  readonly newest: number;
  readonly numbers: Map<string, readonly number[]>;
}

const memories = new WeakMap<object, Memory>();

/** Deletions of fields with these names, up to the newest that the reader has seen. */
async function deletionsOf(reader: Reader, names: Iterable<string>, newest: number): Promise<Deletions> {
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
  const cached = memories.get(of);
  const memory = cached !== undefined && cached.newest >= newest ? cached : { newest, numbers: new Map() };
  // Copied, since the cache may be cleared during the query.
  const numbers = new Map<string, readonly number[]>();
  const numbersByName = new Map<string, number[]>();
  for (const name of names) {
    const ids = memory.numbers.get(name);
    if (ids) numbers.set(name, ids);
    else numbersByName.set(name, []);
  }
  if (numbersByName.size === 0) return numbers;
  const rows = await deletionsNamed(reader, { names: [...numbersByName.keys()] });
  for (const { id, name } of rows) numbersByName.get(name)!.push(id);
  // An older snapshot may lack the newest deletions, so its rows are not cached.
  if (memory.newest === newest) {
    if (memory.numbers.size + numbersByName.size > max) memory.numbers.clear();
    for (const [name, ids] of numbersByName) memory.numbers.set(name, ids);
    memories.set(of, memory);
  }
  return new Map([...numbers, ...numbersByName]);
}

/** A state with the newest deletion at the time of reading. */
interface Written {
  readonly state: MetadataState;
  readonly epoch: number;
  readonly newestDeletion: number;
}

/** Removes values of fields deleted later. Changes the states in place. */
export async function hideGone(reader: Reader, states: readonly Written[]): Promise<void> {
  const behind = states.filter(({ epoch, newestDeletion }) => epoch < newestDeletion);
  if (behind.length === 0) return;
  const newest = Math.max(...behind.map(({ newestDeletion }) => newestDeletion));
  const names = new Set<string>();
  for (const { state } of behind) for (const name of fieldNamesIn(state)) names.add(name);
  const deletions = await deletionsOf(reader, names, newest);
  for (const { state, epoch } of behind) takeOut(state, deletions.between(epoch, newest));
}

/** Change sets per tick of the event loop. */
const inOneTurn = 100;

/** Deletions of all fields that the change sets of a log name. */
export async function deletionsIn(
  reader: Reader,
  sets: readonly ChangeSet[],
  more: readonly MetadataRequest[] = [],
): Promise<Deletions> {
  const newest = sets.reduce((max, { newestDeletion }) => Math.max(max, newestDeletion), 0);
  const names = new Set<string>();
  if (sets.every(({ epoch }) => epoch === newest)) return deletionsOf(reader, names, newest);
  const requests = [...sets.map(({ request }) => request), ...more];
  for (let at = 0; at < requests.length; at += inOneTurn) {
    if (at > 0) await yieldTurn();
    for (const name of fieldNamesOf(requests.slice(at, at + inOneTurn))) names.add(name);
  }
  return deletionsOf(reader, names, newest);
}
