import { TooLarge } from '../answer-text.ts';
import { type Api, Refused, Unanswered } from './calls.ts';
import { at, type Path, withMatrix, withQuery } from './places.ts';

/** Values of an element that may be absent, or alone where a list is expected. */
export const many = <T>(value: T | readonly T[] | null | undefined): readonly T[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value as T];

/** Place of a page in a list. */
type Place = { readonly first: number } | { readonly cursor: string };

export interface Page<T> {
  /** Entries in the whole list. Undefined: the answer does not say. */
  readonly hits?: number | undefined;
  readonly nextCursor?: string | undefined;
  readonly entries: readonly T[];
}

interface Listing<T> {
  /** Entries of a page. */
  readonly size: number;
  readonly hasCursors?: boolean;
  read(page: Place & { readonly number: number }): Promise<Page<T>>;
  idOf(entry: T): string;
  /** Ids that were given, for callers who ask what is gone. */
  readonly seen?: Set<string>;
  /** Told of an entry that the original cannot answer. `position`: from 1. */
  broken(position: number, error: unknown): void;
  /** Told of a list that says more entries than it has. */
  short(expected: number, found: number): void;
}

/** Members of a document with a list, besides the list. */
const frame = new Set(['hits', 'count', 'facet', 'suggestion', 'autocomplete', 'nextCursor', 'library', 'loc', 'tag']);

/**
 * The entries of a list. Empty lists may be left out, and single entries may stand alone. A document that has something
 * else in the place of the list is none of its kind, and says nothing about its entries.
 */
export function pageIn<T>(document: object, name: string, path: Path): Page<T> {
  const { [name]: list, hits, count, nextCursor } = document as Readonly<Record<string, unknown>>;
  const isText = name === 'uri';
  const entries = many(list) as readonly T[];
  const isList =
    list != null ||
    Number(hits ?? count ?? 1) === 0 ||
    Object.entries(document).every(([member, value]) => value == null || frame.has(member));
  const isGood = entries.every((entry) => (isText ? typeof entry === 'string' : typeof entry === 'object' && entry));
  if (!isList || !isGood) {
    const members = Object.keys(document).slice(0, 5).join(', ');
    throw new Unanswered(`Expected a list of "${name}" from ${path.text.split(/[?;]/)[0]}: found ${members}`);
  }
  const total = hits ?? count;
  return {
    hits: total === undefined || total === null ? undefined : Number(total),
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    entries,
  };
}

/** Looks at a list again while entries are missing, since others add and remove some meanwhile. */
const maxPasses = 3;

/**
 * All entries of a list, each once. Answers may repeat entries and have fewer than asked for. A page that the original
 * cannot answer is asked for in halves, down to the entry that breaks it.
 */
export async function* entriesOf<T>(listing: Listing<T>): AsyncGenerator<T> {
  const seen = listing.seen ?? new Set<string>();
  for (let pass = 0; pass < maxPasses; pass++) {
    const before = seen.size;
    const { total, hasShrunk } = yield* onePass(listing, seen, pass === 0);
    const isWhole = total === undefined || seen.size >= total;
    if ((isWhole || (pass > 0 && seen.size === before)) && !hasShrunk) {
      if (!isWhole) listing.short(total, seen.size);
      return;
    }
  }
}

interface Passed {
  /** Number of entries that should be there. */
  readonly total: number | undefined;
  /** Whether entries went away meanwhile: others have taken their places, and may be behind this pass. */
  readonly hasShrunk: boolean;
}

async function* onePass<T>(
  { size, idOf, broken, read, hasCursors }: Listing<T>,
  seen: Set<string>,
  isFirst: boolean,
): AsyncGenerator<T, Passed> {
  let place: Place = isFirst && hasCursors ? { cursor: '*' } : { first: 1 };
  let number = size;
  let received = 0;
  let lost = 0;
  let total: number | undefined;
  let hasShrunk = false;
  const passed = (): Passed => ({ total: total === undefined ? undefined : total - lost, hasShrunk });
  for (;;) {
    let page: Page<T>;
    try {
      page = await read({ ...place, number });
    } catch (error) {
      const status = error instanceof Refused ? error.status : error instanceof TooLarge ? 500 : 0;
      // Cursors came with later releases, and do not pass an entry that cannot be answered.
      const refusesCursor = 'cursor' in place && status === 400;
      if (!refusesCursor && status < 500) throw error;
      if (number > 1 && !refusesCursor) number = Math.ceil(number / 4);
      else if ('cursor' in place) place = { first: received + lost + 1 };
      else {
        broken(place.first, error);
        lost++;
        place = { first: place.first + 1 };
        if (total === undefined || place.first > total) return passed();
      }
      continue;
    }
    hasShrunk ||= (page.hits ?? Number.POSITIVE_INFINITY) < (total ?? 0);
    total = page.hits ?? total;
    received += page.entries.length;
    let added = 0;
    for (const entry of page.entries) {
      const id = idOf(entry);
      if (seen.has(id)) continue;
      seen.add(id);
      added++;
      yield entry;
    }
    // A list without a total that says nothing new has ended, or knows no pages.
    if (page.entries.length === 0 || (page.hits === undefined && added === 0)) break;
    if ('cursor' in place) {
      if (page.nextCursor === undefined || page.nextCursor === place.cursor) break;
      place = { cursor: page.nextCursor };
    } else {
      // A page that repeats entries has fewer places than entries.
      const places = isFirst && added > 0 ? added : new Set(page.entries.map(idOf)).size;
      place = { first: place.first + places };
      if (total !== undefined && place.first > total) break;
    }
    number = size;
  }
  return passed();
}

/** Server that is migrated, as its public API shows it. */
export interface Original {
  readonly api: Api;
  /** Address of the API. */
  readonly address: string;
  readonly version: string;
  /** Path with parameters that releases before 5 read as matrix parameters only. */
  pathWith(path: Path, parameters: Readonly<Record<string, string | number>>): Path;
  /** Path of a page. */
  pagePath(path: Path, page: Place & { readonly number: number }, query?: string): Path;
  readonly hasCursors: boolean;
  /** A list that is read at once, or a page of one. */
  list<T>(path: Path, name: string, body?: object): Promise<Page<T>>;
}

interface VersionDocument {
  readonly component?: readonly { readonly name?: string; readonly version?: string }[];
}

export async function openOriginal(api: Api, address: string): Promise<Original> {
  const { component } = await api.read<VersionDocument>(at`/version`);
  const all = many(component);
  const version = (all.find(({ name }) => name === 'API') ?? all[0])?.version ?? '';
  const [major = 99, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  // A number below 4 is that of another product, such as Portico, which knows the newest calls.
  const isOld = major === 4;
  const pathWith: Original['pathWith'] = (path, parameters) => {
    const pairs = Object.entries(parameters);
    const base = isOld ? pairs.reduce((before, [name, value]) => withMatrix(before, name, value), path) : path;
    return withQuery(base, pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'));
  };
  return {
    api,
    address,
    version,
    hasCursors: !isOld || minor >= 16,
    list: async (path, name, body) => pageIn(await api.read<object>(path, body), name, path),
    pathWith,
    pagePath: (path, page, query = '') => withQuery(pathWith(path, { ...page }), query),
  };
}

/** Number of entries in a list. Undefined: the original does not tell. */
export async function hitsOf(original: Original, path: Path, query = '', body?: object): Promise<number | undefined> {
  const first = path.text.includes('/file') ? 0 : 1;
  const document = await original.api.read<{ hits?: number; count?: number }>(
    original.pagePath(path, { first, number: 1 }, query),
    body,
  );
  // Locks have a count.
  return document.hits ?? document.count;
}
