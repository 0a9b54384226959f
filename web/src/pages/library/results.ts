import { signal } from '@preact/signals';
import type { FacetType, ItemListDocument, ItemSearchType, ItemType } from 'portico/types';
import { send } from '../../api/client.ts';
import { Paged } from '../../components/paged.ts';
import type { Facet } from './facets.ts';
import { documentOf, type Search } from './search.ts';

/** Pages of 100 are what the API answers at once in the time of a frame or two; 30 of them are held. */
const pageSize = 100;
const heldPages = 30;

export interface Tile {
  readonly id: string;
  readonly title: string;
  /** The title with marks around hits, if words of it are searched. */
  readonly marked: string;
  /** Another field that has a hit: its name, and its text with marks. */
  readonly hit: readonly [string, string] | undefined;
  readonly kind: string;
  readonly seconds: number | undefined;
  readonly created: string;
  /** Path of the picture on this origin. */
  readonly picture: string | undefined;
  readonly values: Readonly<Record<string, readonly string[]>>;
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

/** Addresses in answers may name another host, such as that of a proxy: the page asks its own origin. */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  return pathname + search;
}

function tileOf(item: ItemType): Tile {
  const values = valuesOf(item);
  const hits = (item.timespan ?? []).flatMap(({ field = [] }) => field);
  const textOf = (name: string) => hits.find((hit) => hit.name === name)?.value?.[0];
  const other = hits.find(({ name, value }) => name !== 'title' && value?.[0]);
  const pictures = item.thumbnails?.uri ?? [];
  const picture = pictures[Math.floor(pictures.length / 2)];
  const title = values['title']?.[0] ?? values['originalFilename']?.[0] ?? item.id ?? '';
  const seconds = Number(values['durationSeconds']?.[0]);
  return {
    id: item.id ?? '',
    title,
    marked: textOf('title') ?? title,
    hit: other?.name && other.value?.[0] ? [other.name, other.value[0]] : undefined,
    kind: values['mediaType']?.[0] ?? 'none',
    seconds: seconds > 0 ? seconds : undefined,
    created: values['created']?.[0] ?? '',
    picture: picture === undefined ? undefined : ownPath(picture),
    values,
    isStale: false,
  };
}

/** Where results come from: all items, or those of a collection or library. */
export interface Place {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

export const allItems: Place = { path: '/item' };

/** What a search found. The old list stays, dimmed, until the new one has its first page. */
export class Results {
  readonly list = signal<Paged<Tile> | undefined>(undefined);
  /** Grows whenever the list has changed. */
  readonly version = signal(0);
  readonly counts = signal<ReadonlyMap<string, FacetType>>(new Map());
  readonly isPending = signal(true);
  readonly failure = signal<unknown>(undefined);
  readonly newer = signal(0);
  readonly place: Place;
  #next: Paged<Tile> | undefined;
  #search: Search | undefined;
  #counting: AbortController | undefined;
  /** Set while facets have no counts, because the service refused. */
  #recount: (() => void) | undefined;
  #columns: readonly string[] = [];
  #stale = new Set<string>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #seen: readonly [number, number] = [0, 0];

  constructor(place: Place) {
    this.place = place;
  }

  get search(): Search | undefined {
    return this.#search;
  }

  run(search: Search, facets: readonly Facet[], columns: readonly string[]): void {
    this.#next?.stop();
    this.#search = search;
    this.#columns = columns;
    this.isPending.value = true;
    this.newer.value = 0;
    const marked = ['title', ...columns];
    const list = new Paged<Tile>({
      size: pageSize,
      keep: heldPages,
      changed: () => this.#arrived(list),
      load: async (ask, signal) => {
        const body = documentOf(search, { facets, counts: false, marked });
        const answer = await this.#ask(body, ask.cursor, ask.first, ask.number, ask.count, signal);
        return { entries: (answer.item ?? []).map(tileOf), hits: answer.hits, nextCursor: answer.nextCursor };
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
    const body = documentOf(search, { facets, counts: true, marked: [] });
    const query = { ...this.place.query, number: '0', count: 'false' };
    send<ItemListDocument>('PUT', this.place.path, body, { query, signal }).then(
      ({ facet = [] }) => {
        if (!signal.aborted) this.counts.value = new Map(facet.map((each) => [each.name ?? each.field ?? '', each]));
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
  }

  /** The list, and only it, is told what is in view. */
  want(first: number, last: number): void {
    this.#seen = [first, last];
    if (this.list.value === this.#next) this.#next?.want(first, last);
  }

  again(): void {
    this.isPending.value = true;
    this.failure.value = undefined;
    this.#next?.again();
    this.#recount?.();
  }

  /** Marks tiles as old, and reads those in view again: at most once in two seconds, with one request. */
  changed(id: string): void {
    const list = this.list.value;
    if (!list) return;
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
    if (places.size === 0) return;
    const value = [...places.keys()].map((each) => ({ value: each }));
    const answer = await this.#ask({ field: [{ name: 'itemId', value }] }, undefined, 1, 1000, false).catch(
      () => undefined,
    );
    for (const item of answer?.item ?? []) {
      const index = places.get(item.id ?? '');
      if (index !== undefined) list.replace(index, tileOf(item));
      this.#stale.delete(item.id ?? '');
    }
    this.version.value += 1;
  }

  #ask(
    body: ItemSearchType,
    cursor: string | undefined,
    first: number,
    number: number,
    count: boolean,
    signal?: AbortSignal,
  ) {
    const fields = new Set(['title', 'mediaType', 'durationSeconds', 'created', 'originalFilename', ...this.#columns]);
    const query = {
      ...this.place.query,
      content: 'metadata,thumbnail',
      terse: 'true',
      'noauth-url': 'true',
      interval: 'generic',
      field: [...fields].join(','),
      number: String(number),
      ...(cursor === undefined ? { first: String(first) } : { cursor }),
      count: String(count),
    };
    return send<ItemListDocument>('PUT', this.place.path, body, { query, ...(signal ? { signal } : {}) });
  }

  #arrived(list: Paged<Tile>): void {
    this.failure.value = list.failure;
    if (list.count !== undefined) this.list.value = list;
    this.isPending.value = false;
    this.version.value += 1;
  }
}
