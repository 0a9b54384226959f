import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { changes } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { uploads } from '../../api/uploads.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { idsBetween } from './actions.ts';
import { approvalField, type Facet, facetsOf, usageField } from './facets.ts';
import { useFields } from './fields.ts';
import { useOwnUploads } from './own-uploads.ts';
import { readView, view } from './preferences.ts';
import { type Place, Results } from './results.ts';
import { isEmptySearch, readSearch } from './search.ts';

interface ListProps {
  readonly place: Place;
  readonly base: string;
  readonly collection?: string | undefined;
  readonly renewed?: number;
}

/** Results of the search of the address in a place, kept up to date. `hasFacets`: values of facets are counted. */
export function useList({ place, base, collection, renewed }: ListProps, hasFacets: boolean) {
  const address = location.search.slice(1);
  const search = useMemo(() => readSearch(new URLSearchParams(address)), [address]);
  const fields = useFields(!isEmptySearch(search));
  const facets = useMemo<readonly Facet[]>(
    () =>
      facetsOf(fields ?? [], [
        { field: 'mediaType', label: t('library.fieldKind'), kind: 'values' },
        ...(may('approval.read')
          ? [{ field: approvalField, label: t('library.fieldState'), kind: 'values' as const }]
          : []),
        { field: usageField, label: t('usage.title'), kind: 'values' },
        { field: 'user', label: t('library.fieldUser'), kind: 'values' },
        { field: 'created', label: t('library.fieldCreated'), kind: 'date' },
      ]).toSorted((one, other) => Number(other.field === 'created') - Number(one.field === 'created')),
    [fields],
  );
  const results = useMemo(() => new Results(place), [place.path, place.query?.['library']]);
  const own = useOwnUploads(results, base, collection, search);
  const { columns } = view.value;
  // Filters go by the types of fields. All items are read beside the fields.
  const canRun = fields !== undefined || isEmptySearch(search);
  const facetKey = facets.map(({ field, kind }) => `${field} ${kind}`).join();

  useEffect(() => void readView(), []);
  const runItems = () => {
    own.end();
    results.run(search, facets, columns);
  };
  const list = results.list.value;
  // The first items go before the counts of facets.
  const countsFacets = list !== undefined && fields !== undefined && hasFacets;
  const runFacets = () => countsFacets && results.count(search, facets);
  // The request leaves before the first paint.
  useLayoutEffect(() => {
    if (canRun) runItems();
  }, [results, search, canRun, columns.join()]);
  const drawn = useRef(renewed);
  // An upload of the person changes a collection, and stays where it is.
  useEffect(() => {
    if (drawn.current !== renewed && own.entries.length === 0) runItems();
    drawn.current = renewed;
  }, [renewed]);
  useEffect(() => void runFacets(), [results, search, countsFacets, facetKey, renewed]);
  const ended = uploads.value.filter(({ importing }) => typeof importing === 'string').length;
  const counted = useRef({ ended, changed: changes.value });
  // Changes of the person, and files that come one after another, are counted together.
  useEffect(() => {
    if (counted.current.ended === ended && counted.current.changed === changes.value) return undefined;
    const timer = setTimeout(() => {
      counted.current = { ended, changed: changes.value };
      runFacets();
    }, 1000);
    return () => clearTimeout(timer);
  }, [ended, changes.value]);
  useEffect(() => () => results.stop(), [results]);
  useEffect(
    () =>
      onEvent(['metadata/modify', 'shape/*', 'item/*', 'usage/*'], ({ name, entityType, entityId }) => {
        if (entityType !== 'item') return;
        if (name === 'item/create') results.created(entityId);
        else results.changed(entityId);
      }),
    [results],
  );

  const refuse = (refusal: unknown) => {
    results.failure.value = refusal;
  };
  const before = own.entries.length;
  const isOpen = list?.isOpen === true;
  const items = (list?.count ?? 0) - Number(isOpen) + own.entries.filter(({ tile }) => !tile.isFile).length;
  const total = {
    ...{ isOpen, before },
    /** Entries that are shown. */
    count: (list?.count ?? 0) + before,
    /** Items that the search finds. */
    hits: items,
    itemsText: t(isOpen ? 'library.itemsMore' : 'library.items', { count: items }),
    foundText: t(isOpen ? 'library.foundMore' : 'library.found', { count: items }),
    /** Counts an open list to its end, for a choice of all of it. */
    countWhole(then: () => void): void {
      results.countWhole().then(then, refuse);
    },
  };
  const tileAt = (index: number) => (index < before ? own.entries[index]?.tile : list?.at(index - before));
  /** The id of an entry that is an item. */
  const idAt = (index: number): string | undefined => {
    const tile = tileAt(index);
    return tile?.isFile ? undefined : tile?.id;
  };
  return {
    ...{ address, search, fields, facets, results, list, own, refuse, tileAt, idAt, total },
    /** Calls back with the ids of entries, and reads those that are not in memory. Undefined: it is the whole list. */
    idsIn(from: number, end: number, then: (ids: readonly string[] | undefined) => void): void {
      const indexes = Array.from({ length: end - from }, (_, at) => from + at);
      const ids = indexes.flatMap((index) => idAt(index) ?? []);
      if (!list || indexes.every(tileAt)) then(ids);
      else if (indexes.length === total.count && !isOpen) then(undefined);
      else
        idsBetween({ place, search, facets }, list, [Math.max(0, from - before), end - before]).then(
          (read) => then([...ids, ...read]),
          refuse,
        );
    },
    run() {
      runItems();
      runFacets();
    },
  };
}
