import type { Reader } from '../../store/statement.ts';
import { UntilCommit } from '../../store/until-commit.ts';
import { contextsByStrength, type Grant, nearest } from './contexts/store.ts';
import { type Level, levels, type Place, rankOf } from './levels.ts';
import type { Principals } from './precedence.ts';
import { accessTo } from './reading.ts';

/** What a user may read, as SQL takes it: JSON arrays by the strength of the entries that decide. */
export class Contexts {
  readonly #contexts: ReadonlyMap<number, string>;
  readonly #items: ReadonlyMap<number, string>;

  constructor(contexts: ReadonlyMap<number, string>, items: ReadonlyMap<number, string>) {
    this.#contexts = contexts;
    this.#items = items;
  }

  /** Characters of it. */
  get size(): number {
    return [...this.#contexts.values(), ...this.#items.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The contexts in which the user has a level or more. */
  having(level: Level): string {
    return joined(this.#contexts, level);
  }

  /** Items of libraries that stand alone: all of them, and those on which the user has the level. Undefined: none do. */
  alone(level: Level): { readonly all: string; readonly having: string } | undefined {
    if (this.#items.size === 0) return undefined;
    const all = [...this.#items.values()].map((each) => each.slice(1, -1));
    return { all: `[${all.join(',')}]`, having: joined(this.#items, level) };
  }
}

function joined(byStrength: ReadonlyMap<number, string>, level: Level): string {
  const parts = levels.slice(rankOf(level)).flatMap((each) => byStrength.get(rankOf(each))?.slice(1, -1) || []);
  return `[${parts.join(',')}]`;
}

/** Viewers of whom it is kept what they may read, and characters of one with its groups. */
const [mostKept, longestKept] = [1000, 20_000];
/** By principals. */
const kept = new UntilCommit<Contexts>(mostKept, ({ length }, { size }) => length + size <= longestKept);

/** The work grows with the contexts and collections that entries of the user reach, not with items. */
export async function contextsOf(reader: Reader, user: Principals): Promise<Contexts> {
  const principals = principalsText(user);
  return kept.get(reader, principals, () => contextsFor(reader, principals));
}

/** A user and its groups, with how near each is, as SQL takes them. */
export function principalsText({ userId, groups }: Principals): string {
  const above = [...groups].map(([id, distance]) => ['g:', id, nearest - 1 - Math.min(distance, nearest - 1)]);
  return JSON.stringify([['u:', userId, nearest], ...above]);
}

async function contextsFor(reader: Reader, principals: string): Promise<Contexts> {
  const asked = (held: readonly string[]) => contextsByStrength(reader, { principals, held: JSON.stringify(held) });
  const first = await asked([]);
  // Few users have such grants. Without them one statement says all.
  const others = first.find(({ kind }) => kind === 'grant');
  const rows = others ? await asked(await heldGrants(reader, JSON.parse(others.ids) as readonly Grant[])) : first;
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ strength, ids }) => [strength, ids]));
  return new Contexts(of('context'), of('item'));
}

/** Of the grants that rest on other entries, those that are on. */
export async function heldGrants(reader: Reader, grants: readonly Grant[]): Promise<readonly string[]> {
  const places = new Map<string, Place>();
  for (const [, type, id] of grants) if (id !== null) places.set(`${type} ${id}`, { type, id });
  const access = await accessTo(
    reader,
    [...places.values()],
    grants.map(([, , , grantorId]) => grantorId),
  );
  return grants.flatMap(([grant, type, id, grantorId]) =>
    id !== null && access.grants.holds({ type, id }, grantorId) ? [grant] : [],
  );
}
