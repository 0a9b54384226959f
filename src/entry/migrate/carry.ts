import type { Clock } from '../../core/lib/clock.ts';
import type { Random } from '../../core/lib/random.ts';
import type { ExternalIdentifierListDocument } from '../../types.ts';
import { type Api, Refused, reasonOf, saysNone, Unanswered } from './calls.ts';
import type { Digests, Journal, StateFolder } from './journal.ts';
import { many, type Original } from './original.ts';
import { at, BadName, nameIn, type Path } from './places.ts';
import type { Outcome, Report } from './report.ts';

/** All that the stages of a migration share. */
export interface Migration {
  readonly original: Original;
  readonly target: Api;
  readonly journal: Journal;
  readonly report: Report;
  readonly folder: StateFolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly options: MigrationOptions;
  /** Short digest of a text, the same in all runs. */
  digest(text: string): string;
  newHasher(): { update(bytes: Uint8Array): void; hex(): string };
}

export interface MigrationOptions {
  /** Entities that are carried at a time. */
  readonly lanes: number;
  /** Parts that stay away. */
  readonly without: ReadonlySet<string>;
  /** True: the original rests. Storages are written to, as they were there. */
  readonly isFinal: boolean;
  /** True: items and collections that the original has no more are deleted. */
  readonly deletes: boolean;
  /** Address of the web page that login links lead to. Undefined: users get no links. */
  readonly page: string | undefined;
  /** Lines of the table of storages, by the ids of the original. */
  readonly storages: ReadonlyMap<string, StorageLine>;
}

export interface StorageLine {
  /** Address of the new storage, or id of one that is there. Empty: none. */
  readonly to: string;
  readonly copies: boolean;
}

/** Parts of an entity, by keys that stay the same between runs. */
export type Parts = Readonly<Record<string, unknown>>;

/** The original does not tell the parts whose keys begin with this one. What came of them stays as it is. */
export const notTold = Symbol('not told');

/** Differences of an entity since it came over. */
export interface Difference {
  /** All parts as they are now. */
  readonly parts: Parts;
  /** Id at the target, if the journal has it. */
  readonly id: string | undefined;
  /** Keys of parts that are new or other. All, if the last state is not known. */
  readonly changed: ReadonlySet<string>;
  /** Keys of parts that were sent and are gone. */
  readonly gone: ReadonlySet<string>;
  /** Whether the last state is known. Otherwise the entity may be there, in any state. */
  readonly isKnown: boolean;
}

interface Kind<T> {
  readonly kind: string;
  readonly entries: AsyncIterable<T> | Iterable<T>;
  readonly lanes?: number;
  /** True: an entry without parts is nothing, unless it had some. */
  readonly isOptional?: boolean;
  idOf(entry: T): string;
  partsOf(entry: T): Promise<Parts> | Parts;
  /** Makes the entity at the target, or changes it. Repeatable: it finds what a killed run has made. Gives its id. */
  put(entry: T, difference: Difference): Promise<string>;
}

const maxAttempts = 3;
/** Milliseconds before another attempt: doubled each time. */
const firstPause = 5_000;
/** Entities one after the other for which a side gave no answer: it is gone, and a later run goes on. */
const maxUnanswered = 5;

/** Carries the entities of a kind that are new or have changed. */
export async function carry<T>(migration: Migration, kind: Kind<T>): Promise<void> {
  await inLanes(kind.entries, kind.lanes ?? 1, migration.signal, (entry) => carryOne(migration, kind, entry));
}

async function carryOne<T>(migration: Migration, kind: Kind<T>, entry: T): Promise<void> {
  const { journal, report, signal, clock } = migration;
  const old = kind.idOf(entry);
  // A run that was killed does not read again what it has brought.
  if (journal.isFresh(kind.kind, old)) return report.count(kind.kind, 'same');
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const outcome = await bring(migration, kind, entry, old);
        report.unanswered = 0;
        return report.count(kind.kind, outcome);
      } catch (error) {
        signal.throwIfAborted();
        // The next attempt finds what this one has made.
        const isUnsure = error instanceof Unanswered || (error instanceof Refused && error.status >= 500);
        if (!isUnsure || attempt === maxAttempts) throw error;
        await clock.sleep(firstPause * 2 ** (attempt - 1), signal);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const isGone = error instanceof Unanswered && ++report.unanswered >= maxUnanswered;
    // Without its login, all else would fail, too.
    if (isGone || (error instanceof Refused && error.status === 401)) throw error;
    report.fail(kind.kind, old, reasonOf(error));
  }
}

/** Brings what has changed of an entity. Undefined: it is nothing, and was nothing. */
async function bring<T>(
  migration: Migration,
  { kind, isOptional, partsOf, put }: Kind<T>,
  entry: T,
  old: string,
): Promise<Outcome | undefined> {
  const { journal, report } = migration;
  const [all, read] = await report.collect(() => partsOf(entry));
  const silent = Object.keys(all).filter((key) => all[key] === notTold);
  const parts = Object.fromEntries(Object.entries(all).filter(([key]) => !silent.includes(key)));
  const noted = journal.find(kind, old);
  if (isOptional && !noted && Object.keys(parts).length + read.length === 0) return undefined;
  const startsWithOne = (key: string, begins: readonly string[]) => begins.some((begin) => key.startsWith(begin));
  let last = noted && silent.length > 0 ? await journal.lastOf(kind, old) : undefined;
  const silentDigests = Object.entries(last?.parts ?? {}).filter(([key]) => startsWithOne(key, silent));
  const now = Object.keys(parts).map((key) => [key, digestOf(migration, parts[key])] as const);
  const digests: Digests = Object.fromEntries([...now, ...silentDigests]);
  const texts = read.map(({ text, id }) => ['remark', text, id]);
  const hash = digestOf(migration, [...Object.entries(digests).toSorted(byKey), ...texts]);
  if (noted?.hash === hash) return 'same';
  last ??= noted && (await journal.lastOf(kind, old));
  const { changed, gone, isKnown } = differenceOf(last?.parts, digests);
  const isOther = !isKnown || changed.size + gone.size > 0;
  const difference = { parts, id: noted?.id || undefined, changed, gone, isKnown };
  const [id, raised] = isOther ? await report.collect(() => put(entry, difference)) : [noted!.id, []];
  // A remark on a part holds until the part is brought again.
  const isBrought = (part: string) => [...changed, ...gone].some((key) => key.startsWith(part));
  const before = (last?.remarks ?? []).filter(
    ({ isRead, part }) => !isRead && (!isOther || (part !== undefined && !isBrought(part))),
  );
  const remarks = [...read.map((remark) => ({ ...remark, isRead: true as const })), ...raised, ...before];
  await journal.note({ kind, old, id, hash, parts: digests, ...(remarks.length > 0 && { remarks }) });
  return !last ? 'made' : isOther ? 'changed' : 'same';
}

/**
 * Result of `read`, if the login and the release of the original have it. Undefined: they do not, which says nothing
 * about what is there. A refusal is a remark.
 */
export async function ifTold<T>(
  { report }: Pick<Migration, 'report'>,
  what: string,
  id: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error;
    const isMissing = [404, 405, 501].includes(error.status);
    if (!isMissing && error.status >= 500) throw error;
    if (!isMissing) report.remark(`The original refuses to tell ${what}: ${error.status}. What came before stays`, id);
    return undefined;
  }
}

/** The entries of a list that is read at once. Undefined: the original does not tell it. */
export const listIfTold = <T>(
  migration: Pick<Migration, 'original' | 'report'>,
  what: string,
  id: string,
  path: Path,
  name: string,
): Promise<readonly T[] | undefined> =>
  ifTold(migration, what, id, async () => {
    try {
      return (await migration.original.list<T>(path, name)).entries;
    } catch (error) {
      if (saysNone(error)) return [];
      throw error;
    }
  });

/** The entries of pages, up to the one that the original does not tell. */
export async function* entriesIfTold<T>(
  migration: Pick<Migration, 'report'>,
  what: string,
  entries: AsyncGenerator<T>,
): AsyncGenerator<T> {
  for (;;) {
    const next = await ifTold(migration, what, what, () => entries.next());
    if (!next || next.done) return;
    yield next.value;
  }
}

/** Names or ids in a list of addresses. One of another place than the original does not come. */
export const namesIn = (
  { original, report }: Pick<Migration, 'original' | 'report'>,
  kind: string,
  uris: readonly string[],
): readonly string[] =>
  uris.flatMap((uri) => {
    const name = nameIn(uri, original.address);
    if (name === undefined) report.fail(kind, uri, 'Expected an address of the original');
    return name ?? [];
  });

/** Makes entities that others may name before they come themselves. One that is refused fails when it comes. */
export async function makeEmpty(
  { journal, target }: Migration,
  kind: string,
  names: readonly string[],
  pathOf: (name: string) => Path,
): Promise<void> {
  for (const name of names) {
    if (journal.find(kind, name)) continue;
    try {
      await target.write('PUT', pathOf(name));
    } catch (error) {
      const isItsOwn = error instanceof BadName || (error instanceof Refused && error.status < 500);
      if (!isItsOwn || (error instanceof Refused && error.status === 401)) throw error;
    }
  }
}

const byKey = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);

/** Texts of values that are equal but for the order of their properties are equal. */
export const digestOf = ({ digest }: Pick<Migration, 'digest'>, value: unknown): string =>
  digest(JSON.stringify(value, sorted) ?? '');

const sorted = (_key: string, value: unknown): unknown => {
  if (Array.isArray(value)) {
    // Pairs have no order: the original may list them in any.
    const isPairs = value.every((each) => typeof Object(each).key === 'string');
    return isPairs ? value.toSorted((a: Pair, b: Pair) => (a.key < b.key ? -1 : 1)) : value;
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
};

interface Pair {
  readonly key: string;
}

function differenceOf(last: Digests | undefined, now: Digests): Pick<Difference, 'changed' | 'gone' | 'isKnown'> {
  const changed = Object.keys(now).filter((key) => !last || !Object.hasOwn(last, key) || last[key] !== now[key]);
  const gone = Object.keys(last ?? {}).filter((key) => !Object.hasOwn(now, key));
  return { changed: new Set(changed), gone: new Set(gone), isKnown: last !== undefined };
}

/** Runs work on all entries, on so many at a time. The first error ends it when what runs has ended. */
async function inLanes<T>(
  entries: AsyncIterable<T> | Iterable<T>,
  lanes: number,
  signal: AbortSignal,
  work: (entry: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  for await (const entry of entries) {
    const one = work(entry)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= lanes) await Promise.race(running);
    if (errors.length > 0 || signal.aborted) break;
  }
  await Promise.all(running);
  signal.throwIfAborted();
  if (errors.length > 0) throw errors[0];
}

/** Sets and removes key-value metadata of an entity here, whose parts have the keys behind a prefix. */
export async function putPairs(
  { target }: Migration,
  path: Path,
  prefix: string,
  { parts, changed, gone }: Pick<Difference, 'parts' | 'changed' | 'gone'>,
): Promise<void> {
  const own = (keys: ReadonlySet<string>) => [...keys].filter((key) => key.startsWith(prefix));
  const field = own(changed).map((key) => ({ key: key.slice(prefix.length), value: parts[key] }));
  if (field.length > 0) await target.write('PUT', at`${path}/metadata`, { field });
  for (const key of own(gone)) {
    const pair = at`${path}/metadata/${key.slice(prefix.length)}`;
    if (await target.find(pair)) await target.write('DELETE', pair);
  }
}

/** Id of the entity here that has an old id. */
export async function hereByOldId(
  { target }: Pick<Migration, 'target'>,
  path: Path,
  old: string,
): Promise<string | undefined> {
  const ids = await target.find<ExternalIdentifierListDocument>(at`${path}/${old}/external-id`);
  return many(ids?.id).find(({ externalId }) => externalId === old)?.entityId;
}

/**
 * Gives the id of an entity with the old id as external id. `make` makes one where there is none. A run that was killed
 * in between has left one without its old id: `alike` finds it.
 */
export async function withOldId(
  { target }: Pick<Migration, 'target'>,
  path: Path,
  old: string,
  { make, alike }: { make(): Promise<string>; alike(): Promise<string | undefined> },
): Promise<string> {
  const id = await hereByOldId({ target }, path, old);
  if (id !== undefined) return id;
  const newId = (await alike()) ?? (await make());
  await target.write('PUT', at`${path}/${newId}/external-id/${old}`);
  return newId;
}
