import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { UntilCommit, VersionCache } from '../../core/store/until-commit.ts';
import { contextsByStrength, type Grant, nearest } from './contexts-sql.ts';
import { type AccessTarget, type Guarded, type Level, levels, rankOf } from './levels.ts';
import type { Principals } from './precedence.ts';
import { accessTo } from './reading.ts';
import { type AccessRevision, accessRevision } from './reading-sql.ts';

/** Access contexts and single items that a user may read, grouped by level, as JSON arrays for SQL. */
export class Contexts {
  readonly #contexts: ReadonlyMap<number, string>;
  readonly #items: ReadonlyMap<number, string>;
  readonly #unreadable: Unreadable;
  /** Whether entries on libraries apply: items come and go there without a change of access. */
  readonly ofLibraries: boolean;

  constructor(
    contexts: ReadonlyMap<number, string>,
    items: ReadonlyMap<number, string>,
    ofLibraries: boolean,
    unreadable: Unreadable = {},
  ) {
    this.#contexts = contexts;
    this.#items = items;
    this.#unreadable = unreadable;
    this.ofLibraries = ofLibraries;
  }

  /** Size in characters, for the cache. */
  get size(): number {
    const texts = [this.#contexts, this.#items].flatMap((each) => [...each.values()]);
    return [...texts, ...Object.values(this.#unreadable)].reduce((sum, text) => sum + (text?.length ?? 0), 0);
  }

  /** Contexts in which the user has the level. */
  having(level: Level): string {
    return joined(this.#contexts, level);
  }

  /** Contexts of a kind that the user may not read. Undefined: they are many, or more than contexts decides. */
  unreadable(kind: Guarded): string | undefined {
    return kind === 'library' || this.#items.size > 0 ? undefined : this.#unreadable[kind];
  }

  /**
   * Items of libraries outside of contexts: all of them, and those on which the user has the level. Undefined: none.
   */
  alone(level: Level): { readonly all: string; readonly having: string } | undefined {
    if (this.#items.size === 0) return undefined;
    const all = [...this.#items.values()].map((each) => each.slice(1, -1));
    return { all: `[${all.join(',')}]`, having: joined(this.#items, level) };
  }
}

type Unreadable = Readonly<Partial<Record<'item' | 'collection', string | undefined>>>;

function joined(byStrength: ReadonlyMap<number, string>, level: Level): string {
  const parts = levels.slice(rankOf(level)).flatMap((each) => byStrength.get(rankOf(each))?.slice(1, -1) || []);
  return `[${parts.join(',')}]`;
}

/** Limits of caches: viewers, and characters for one viewer with its groups. */
const [maxKept, maxKeptLength] = [1000, 20_000];

interface OfViewer {
  readonly size: number;
  readonly ofLibraries: boolean;
}

/**
 * Cache of what follows from access, by user and groups, until a change of access. Where libraries play a part, until
 * the next commit.
 */
export class ViewerCache<T extends OfViewer> {
  readonly #byRevision: VersionCache<T>;
  readonly #untilCommit: UntilCommit<T>;

  constructor() {
    const isSmall = ({ length }: string, { size }: T) => length + size <= maxKeptLength;
    this.#byRevision = new VersionCache(maxKept, isSmall);
    this.#untilCommit = new UntilCommit(maxKept, isSmall);
  }

  /** `now`: revision of access, where it was read before. */
  get(reader: Reader, principals: string, read: () => Promise<T>, now?: AccessRevision): Maybe<T> {
    return after(now ?? accessRevision(reader), ({ revision, newest }) =>
      after(this.#byRevision.get(reader, revision, `${newest} ${principals}`, read), (value) =>
        value.ofLibraries ? this.#untilCommit.get(reader, principals, read) : value,
      ),
    );
  }
}

const contextsByUser = new ViewerCache<Contexts>();

/** Cost grows with the contexts and collections that entries of the user reach, not with items. */
export function contextsOf(reader: Reader, user: Principals, now?: AccessRevision): Maybe<Contexts> {
  const principals = principalsText(user);
  return contextsByUser.get(reader, principals, () => contextsFor(reader, principals), now);
}

/** Principals are kept by user, and lists ask for their text each time. */
const texts = new WeakMap<Principals, string>();

/** User and groups with their nearness, as a JSON parameter of SQL. */
export function principalsText(user: Principals): string {
  let text = texts.get(user);
  if (text === undefined) {
    const above = [...user.groups].map(([id, distance]) => ['g:', id, nearest - 1 - Math.min(distance, nearest - 1)]);
    text = JSON.stringify([['u:', user.userId, nearest], ...above]);
    texts.set(user, text);
  }
  return text;
}

async function contextsFor(reader: Reader, principals: string): Promise<Contexts> {
  const contextsWith = (grantIds: readonly string[]) => contextsByStrength(reader, { principals, held: grantIds });
  const first = await contextsWith([]);
  // Second query only for grants that depend on other entries, which few users have.
  const others = first.find(({ kind }) => kind === 'grant');
  const rows = others
    ? await contextsWith(await heldGrants(reader, JSON.parse(others.ids!) as readonly Grant[]))
    : first;
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ strength, ids }) => [strength, ids!]));
  const unreadable = (kind: Guarded) => rows.find((row) => row.kind === `unreadable ${kind}`)?.ids ?? undefined;
  return new Contexts(
    of('context'),
    of('item'),
    rows.some(({ kind }) => kind === 'library'),
    { item: unreadable('item'), collection: unreadable('collection') },
  );
}

/** Ids of the active grants among those whose grantor depends on other entries. */
export async function heldGrants(reader: Reader, grants: readonly Grant[]): Promise<readonly string[]> {
  const places = new Map<string, AccessTarget>();
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
