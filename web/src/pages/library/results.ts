import { signal } from '@preact/signals';
import type {
  FacetType,
  ItemListDocument,
  ItemSearchType,
  ItemType,
  SearchFilterType,
  UsageStateType,
} from 'portico/types';
import { send } from '../../api/client.ts';
import { type Ask, Paged } from '../../components/paged.ts';
import { itemName } from '../../components/words.ts';
import { type Facet, isOfPage } from './facets.ts';
import { view } from './preferences.ts';
import { documentOf, emptySearch, isEmptySearch, oneOf, type Search } from './search.ts';

/** Pages of 100 are what the API answers at once in the time of a frame or two; 30 of them are held. */
const pageSize = 100;
const heldPages = 30;
/** Newer items that are counted, and how long after they came. */
const maxNewer = 1000;
const newerMs = 1000;

export interface Tile {
  readonly id: string;
  readonly title: string;
  /** The title with marks around hits, if words of it are searched. */
  readonly marked: string;
  /** Another field that has a hit: its name, and its text with marks. */
  readonly hit: readonly [string, string] | undefined;
  readonly kind: string;
  /** Extension of the file that came, in capitals: "PDF". */
  readonly ending: string | undefined;
  readonly seconds: number | undefined;
  readonly created: string;
  /** Path of the picture on this origin. */
  readonly picture: string | undefined;
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Rights of use. Undefined: nothing bounds them. */
  readonly usage: UsageStateType | undefined;
  /** Whether it is a file that is not an item yet. */
  readonly isFile: boolean;
  /** Whether something has changed since it was read. */
  readonly isStale: boolean;
}

export function valuesOf(item: ItemType): Record<string, readonly string[]> {
  const entries = Object.entries(item.terse ?? {}).map(([name, values]) => [
    name,
    (values ?? []).flatMap(({ value }) => (value === undefined ? [] : [String(value)])),
  ]);
  return Object.fromEntries(entries);
}

/** Name of an item by its short metadata. */
export const nameIn = ({ __name, mediaType, created }: ReturnType<typeof valuesOf>): string =>
  itemName(__name?.[0], mediaType?.[0], created?.[0]);

/** Addresses in answers may name another host, such as that of a proxy: the page asks its own origin. */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  return pathname + search;
}

const endingOf = (name = ''): string | undefined => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase();

/** The tile of a file that is not an item yet. */
export const tileOfFile = (id: string, name: string): Tile => ({
  id,
  title: name,
  marked: name,
  hit: undefined,
  kind: 'none',
  ending: endingOf(name),
  seconds: undefined,
  created: '',
  picture: undefined,
  values: {},
  usage: undefined,
  isFile: true,
  isStale: false,
});

function tileOf(item: ItemType): Tile {
  const values = valuesOf(item);
  const hits = (item.timespan ?? []).flatMap(({ field = [] }) => field);
  const textOf = (name: string) => hits.find((hit) => hit.name === name)?.value?.[0];
  const other = hits.find(({ name, value }) => name !== '__name' && value?.[0]);
  const pictures = item.thumbnails?.uri ?? [];
  const picture = pictures[Math.floor(pictures.length / 2)];
  const title = nameIn(values);
  const seconds = Number(values['durationSeconds']?.[0]);
  return {
    id: item.id ?? '',
    title,
    marked: textOf('__name') ?? title,
    hit: other?.name && other.value?.[0] ? [other.name, other.value[0]] : undefined,
    kind: values['mediaType']?.[0] ?? 'none',
    ending: endingOf(values['originalFilename']?.[0]),
    seconds: seconds > 0 ? seconds : undefined,
    created: values['created']?.[0] ?? '',
    picture: picture === undefined ? undefined : ownPath(picture),
    values,
    usage: item.usage,
    isFile: false,
    isStale: false,
  };
}

/** Where results come from: all items, or those of a collection or library. */
export interface Place {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Condition that all of its items meet. */
  readonly within?: SearchFilterType;
}

export const allItems: Place = { path: '/item' };

type PageAsked = Omit<Ask, 'page'>;

function askItems(
  { path, query: ofPlace }: Place,
  { body = {}, columns, page, signal }: AskOptions,
): Promise<ItemListDocument> {
  const { cursor, first, number, count } = page;
  const fields = new Set([
    '__name',
    'mediaType',
    'mimeType',
    'durationSeconds',
    'created',
    'originalFilename',
    ...columns,
  ]);
  const query = {
    ...ofPlace,
    content: 'metadata,thumbnail,usage',
    terse: 'true',
    'noauth-url': 'true',
    interval: 'generic',
    field: [...fields].join(','),
    number: String(number),
    ...(cursor === undefined ? { first: String(first) } : { cursor }),
    count: count ? 'bounded' : 'false',
  };
  return send<ItemListDocument>('PUT', path, body, { query, ...(signal ? { signal } : {}) });
}

interface AskOptions {
  readonly body?: ItemSearchType;
  readonly columns: readonly string[];
  readonly page: PageAsked;
  readonly signal?: AbortSignal | undefined;
}

let ahead: { readonly columns: readonly string[]; readonly answer: Promise<ItemListDocument> } | undefined;

/** Asks for the first page of all items before it is known who asks: pictures come one answer earlier. */
export function askAhead(): void {
  if (location.search !== '') return;
  const page = { cursor: '*', first: 1, number: pageSize, count: true };
  const { columns } = view.peek();
  const answer = askItems(allItems, { columns, page });
  answer.catch(() => undefined);
  ahead = { columns, answer };
}

/** By what a list is asked for. Nothing but values: an entry of the history keeps it. */
export interface ListAsked {
  readonly place: Place;
  readonly search: Search;
  readonly facets: readonly Facet[];
  readonly columns: readonly string[];
}

/** The list that was shown last, in which an item has its neighbours. */
export const lastResults = signal<Results | undefined>(undefined);

/** Results of a search. The old list stays, dimmed, until the new one has its first page. */
export class Results {
  readonly list = signal<Paged<Tile> | undefined>(undefined);
  /** Grows whenever the list has changed. */
  readonly version = signal(0);
  readonly counts = signal<ReadonlyMap<string, FacetType>>(new Map());
  readonly isPending = signal(true);
  readonly failure = signal<unknown>(undefined);
  /** How many items that came after the list its search would find, too. */
  readonly newer = signal(0);
  /** Items that stand before the list: uploads of the person. */
  readonly own = signal<ReadonlyMap<string, Tile>>(new Map());
  readonly place: Place;
  /** By what the list was asked for last. */
  asked: ListAsked | undefined;
  #next: Paged<Tile> | undefined;
  #counting: AbortController | undefined;
  /** Set while facets have no counts, because the service refused. */
  #recount: (() => void) | undefined;
  #created = new Set<string>();
  #ownIds: ReadonlySet<string> = new Set();
  #counter: ReturnType<typeof setTimeout> | undefined;
  #stale = new Set<string>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #seen: readonly [number, number] = [0, 0];

  constructor(place: Place) {
    this.place = place;
  }

  run(search: Search, facets: readonly Facet[], columns: readonly string[]): void {
    this.#next?.stop();
    lastResults.value = this;
    this.asked = { place: this.place, search, facets, columns };
    this.isPending.value = true;
    this.newer.value = 0;
    this.#created.clear();
    const worded = facets.flatMap(({ field, kind, isStars }) =>
      kind === 'values' && !isStars && !isOfPage(field) ? [field] : [],
    );
    const marked = [...new Set(['__name', ...columns, ...worded])];
    const isAsked = this.place === allItems && isEmptySearch(search) && columns === ahead?.columns;
    const body = documentOf(search, { facets, counts: false, marked, within: this.place.within });
    let early = isAsked ? ahead?.answer : undefined;
    ahead = undefined;
    const list = new Paged<Tile>({
      size: pageSize,
      keep: heldPages,
      changed: () => this.#arrived(list),
      load: async (ask, signal) => {
        const load = () => askItems(this.place, { body, columns, page: ask, signal });
        const answer = await (early?.catch(load) ?? load());
        early = undefined;
        const { item = [], hits, moreHits, nextCursor } = answer;
        return { entries: item.map(tileOf), hits, moreHits, nextCursor };
      },
    });
    this.#next = list;
    list.want(0, pageSize);
  }

  /** Counts the values of facets. Items are shown meanwhile: among many, counting takes longer than finding the first. */
  count(search: Search, facets: readonly Facet[]): void {
    this.#counting?.abort();
    this.#counting = new AbortController();
    this.#recount = undefined;
    const { signal } = this.#counting;
    const body = documentOf(search, { facets, counts: true, marked: [], within: this.place.within });
    const query = { ...this.place.query, number: '0', count: 'false' };
    send<ItemListDocument>('PUT', this.place.path, body, { query, signal }).then(
      ({ facet = [] }) => {
        if (signal.aborted) return;
        const counted = facet.map((each) => [each.name ?? each.field ?? '', each] as const);
        this.counts.value = new Map([...this.counts.value, ...counted]);
      },
      // A search that fails tells it in place of the items.
      () => {
        if (!signal.aborted) this.#recount = () => this.count(search, facets);
      },
    );
  }

  stop(): void {
    this.#next?.stop();
    this.#counting?.abort();
    clearTimeout(this.#refreshing);
    clearTimeout(this.#counter);
  }

  /** Counts, by the search of the list, the items that came after it. */
  created(id: string): void {
    if (this.#created.size >= maxNewer || this.#ownIds.has(id)) return;
    this.#created.add(id);
    this.#countSoon();
  }

  #countSoon(): void {
    this.#counter ??= setTimeout(async () => {
      this.#counter = undefined;
      const ids = [...this.#created];
      const { list } = this;
      const shown = list.value;
      const hits = ids.length === 0 ? 0 : await this.#countOf(ids).catch(() => undefined);
      // An item that has turned out to be an own one is counted without, soon.
      const isCurrent = list.value === shown && ids.every((id) => this.#created.has(id));
      if (hits !== undefined && isCurrent) this.newer.value = hits;
    }, newerMs);
  }

  async #countOf(ids?: readonly string[]): Promise<number> {
    const { search = emptySearch, facets = [] } = this.asked ?? {};
    const body = documentOf(search, { facets, counts: false, marked: [], within: this.place.within });
    const field = ids && { field: [oneOf(ids)] };
    const query = { ...this.place.query, number: '0' };
    return (await send<ItemListDocument>('PUT', this.place.path, { ...body, ...field }, { query })).hits ?? 0;
  }

  /** Counts the list to its end, for a choice of all of it. */
  async countWhole(): Promise<void> {
    const list = this.list.peek();
    if (list?.isOpen) list.close(await this.#countOf());
  }

  /** Reads the items that stand before the list. Those that are there stay until they change. */
  async wantOwn(ids: readonly string[]): Promise<void> {
    const tiles = this.own.value;
    this.own.value = new Map(ids.flatMap((id) => (tiles.has(id) ? [[id, tiles.get(id)!]] : [])));
    const missing = ids.filter((id) => !tiles.has(id));
    // Items that are shown are no news.
    this.#ownIds = new Set(ids);
    if (ids.filter((id) => this.#created.delete(id)).length > 0) this.#countSoon();
    for (const tile of await this.#tilesOf(missing)) this.own.value = new Map(this.own.value).set(tile.id, tile);
  }

  async #tilesOf(ids: readonly string[]): Promise<readonly Tile[]> {
    if (ids.length === 0) return [];
    const body = { field: [oneOf(ids)] };
    // In a collection or library the items may not be, or not yet.
    const page = { cursor: undefined, first: 1, number: 1000, count: false };
    const answer = await askItems(allItems, { body, columns: this.asked?.columns ?? [], page }).catch(() => undefined);
    return (answer?.item ?? []).map(tileOf);
  }

  /** Called by the list with the entries that it draws. Reads the next page in the direction of scrolling, too. */
  want(first: number, last: number): void {
    const moved = first - this.#seen[0];
    this.#seen = [first, last];
    if (this.list.value !== this.#next) return;
    const isNear = Math.abs(moved) < pageSize;
    this.#next?.want(
      Math.max(0, isNear && moved < 0 ? first - pageSize : first),
      isNear && moved > 0 ? last + pageSize : last,
    );
  }

  again(): void {
    this.isPending.value = true;
    this.failure.value = undefined;
    this.#next?.again();
    this.#recount?.();
  }

  /** Marks tiles as old, and reads those in view again: at most once in two seconds, with one request. */
  changed(id: string): void {
    if (this.#created.has(id)) this.#countSoon();
    const list = this.list.value;
    if (!list) return;
    if (this.own.value.has(id)) this.#stale.add(id);
    for (const [index, tile] of list.loadedEntries()) {
      if (tile.id === id && !tile.isStale) {
        list.replace(index, { ...tile, isStale: true });
        this.#stale.add(id);
      }
    }
    if (this.#stale.size === 0) return;
    this.version.value += 1;
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      void this.#refresh();
    }, 2000);
  }

  async #refresh(): Promise<void> {
    const list = this.list.value;
    if (!list) return;
    const [first, last] = this.#seen;
    const places = new Map<string, number>();
    for (const [index, tile] of list.loadedEntries())
      if (tile.isStale && index >= first && index < last) places.set(tile.id, index);
    const own = [...this.#stale].filter((id) => this.own.value.has(id));
    if (places.size + own.length === 0) return;
    for (const tile of await this.#tilesOf([...places.keys(), ...own])) {
      const index = places.get(tile.id);
      if (index !== undefined) list.replace(index, tile);
      if (this.own.value.has(tile.id)) this.own.value = new Map(this.own.value).set(tile.id, tile);
      this.#stale.delete(tile.id);
    }
    this.version.value += 1;
  }

  #arrived(list: Paged<Tile>): void {
    this.failure.value = list.failure;
    if (list.count !== undefined) this.list.value = list;
    this.isPending.value = false;
    this.version.value += 1;
  }
}
