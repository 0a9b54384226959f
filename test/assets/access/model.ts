/** Access rules as they are told, over a whole small world in memory: slow, and without SQL. */

export interface ModelEntry {
  readonly id: string;
  readonly type: string;
  readonly entity: string;
  readonly user?: string;
  readonly group?: string;
  readonly permission: string;
  readonly priority: number;
  /** Undefined: the entity and all below it. */
  readonly appliesTo?: readonly { readonly word: string; readonly recursive: boolean }[];
  readonly operation?: string;
  readonly extradata?: string;
  /** Undefined: the service, or an administrator. */
  readonly grantor?: string;
}

export interface ModelWorld {
  readonly users: readonly { readonly id: string; readonly enabled: boolean; readonly groups: readonly string[] }[];
  /** Groups, each with those directly above it. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Entities, each with the collections directly above it. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly entries: readonly ModelEntry[];
}

const strengths = ['NONE', 'READ', 'WRITE', 'ALL', 'OWNER'];

/** How many steps something is above, by the shortest way; Infinity: it is not. */
function stepsUp(above: ReadonlyMap<string, readonly string[]>, from: string, to: string): number {
  let [here, steps] = [new Set([from]), 0];
  for (; here.size > 0 && steps < 50; steps++) {
    if (here.has(to)) return steps;
    here = new Set([...here].flatMap((each) => above.get(each) ?? []));
  }
  return Infinity;
}

/** `item VX-1` and so on. */
const nameOf = (type: string, id: string): string => `${type} ${id}`;

const isLibrary = (name: string): boolean => name.startsWith('library ');

/** The shortest way up, and the shortest of those on which no library is passed. */
function waysUp(world: ModelWorld, entry: ModelEntry, type: string, id: string): readonly number[] {
  const [from, to] = [nameOf(type, id), nameOf(entry.type, entry.entity)];
  const direct = new Map([...world.parents].map(([name, above]) => [name, above.filter((each) => !isLibrary(each))]));
  return [stepsUp(world.parents, from, to), stepsUp(direct, from, to)];
}

/** How far above an entry stands, by the shortest way on which it reaches the entity. */
function distanceOf(world: ModelWorld, entry: ModelEntry, type: string, id: string): number | undefined {
  const [shortest, direct] = waysUp(world, entry, type, id) as [number, number];
  // Items that a library finds do not belong to those who made it: only administrators give rights in it.
  const isGiven = entry.grantor === undefined && entry.permission !== 'OWNER';
  const distance = isGiven ? shortest : direct;
  if (distance === Infinity) return undefined;
  const isMeant = (word: string, recursive: boolean): boolean => {
    if (distance === 0) return word === 'self' || word === 'all';
    return (word === type || word === 'all') && (recursive || distance === 1);
  };
  const words = entry.appliesTo ?? [{ word: 'all', recursive: true }];
  return words.some(({ word, recursive }) => isMeant(word, recursive)) ? distance : undefined;
}

function nearnessOf(world: ModelWorld, entry: ModelEntry, user: ModelWorld['users'][number]): number | undefined {
  if (entry.user !== undefined) return entry.user === user.id ? -1 : undefined;
  const steps = Math.min(...user.groups.map((group) => stepsUp(world.groups, group, entry.group!)));
  return steps === Infinity ? undefined : steps;
}

/** The entries for a user on an entity, the deciding one first. */
function ordered(world: ModelWorld, userId: string, type: string, id: string, asked: string, extradata?: string) {
  const user = world.users.find((each) => each.id === userId);
  if (!user) return [];
  const found: { readonly entry: ModelEntry; readonly order: readonly number[] }[] = [];
  for (const entry of world.entries) {
    const distance = distanceOf(world, entry, type, id);
    const near = nearnessOf(world, entry, user);
    if (distance === undefined || near === undefined) continue;
    if (entry.operation !== undefined && entry.operation !== asked) continue;
    if (entry.extradata !== undefined && entry.extradata !== extradata) continue;
    const owns = entry.permission === 'OWNER' && distance === 0 && entry.user !== undefined;
    const detail = entry.operation === undefined ? 0 : entry.extradata === undefined ? 1 : 2;
    const strength = entry.permission === 'NONE' ? 9 : strengths.indexOf(entry.permission);
    found.push({ entry, order: [owns ? 0 : 1, -entry.priority, distance, near, -detail, -strength] });
  }
  found.sort((one, other) => {
    const index = one.order.findIndex((number, at) => number !== other.order[at]);
    return index < 0 ? 0 : one.order[index]! - other.order[index]!;
  });
  return found.map(({ entry }) => entry);
}

const isAll = (entry: ModelEntry): boolean => strengths.indexOf(entry.permission) >= 3;

/** Entries that are on for certain, given the possible takers. Repeats over all entries until nothing more comes. */
function closure(world: ModelWorld, takers: ReadonlySet<ModelEntry>): Set<ModelEntry> {
  const on = new Set(world.entries.filter(({ grantor }) => grantor === undefined));
  for (let before = -1; before !== on.size; ) {
    before = on.size;
    for (const entry of world.entries) {
      const grantor = world.users.find(({ id }) => id === entry.grantor);
      if (on.has(entry) || !grantor?.enabled) continue;
      for (const each of ordered(world, grantor.id, entry.type, entry.entity, 'GENERIC')) {
        if (isAll(each) ? !on.has(each) : !takers.has(each)) continue;
        if (isAll(each)) on.add(entry);
        break;
      }
    }
  }
  return on;
}

/** Entries that count. */
export function entriesOn(world: ModelWorld): ReadonlySet<ModelEntry> {
  let certain = closure(world, new Set(world.entries));
  for (;;) {
    const next = closure(world, closure(world, certain));
    if (next.size === certain.size) return certain;
    certain = next;
  }
}

/** The entry that decides. */
export function modelDecision(
  world: ModelWorld,
  on: ReadonlySet<ModelEntry>,
  { user, type, id, operation = 'GENERIC', extradata }: ModelQuestion,
): ModelEntry | undefined {
  return ordered(world, user, type, id, operation, extradata).find((entry) => on.has(entry));
}

export interface ModelQuestion {
  readonly user: string;
  readonly type: string;
  readonly id: string;
  readonly operation?: string;
  readonly extradata?: string | undefined;
}
