import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { endFirstView } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Chips } from '../../components/chips.tsx';
import { Empty } from '../../components/empty.tsx';
import type { Paged } from '../../components/paged.ts';
import { t } from '../../texts/index.ts';
import type { Selection } from './actions.ts';
import type { Facet } from './facets.ts';
import { chipsOf } from './narrowed.ts';
import type { Results, Tile } from './results.ts';
import { emptySearch, isEmptySearch, type Search } from './search.ts';

const skeletonMs = 150;

/** Name of the only chosen item. */
export const nameOf = (
  { ids }: Selection,
  own: readonly { readonly tile: Tile }[],
  list: Paged<Tile> | undefined,
): string | undefined =>
  [...own.map(({ tile }) => tile), ...Array.from(list?.loadedEntries() ?? [], ([, tile]) => tile)].find(({ id }) =>
    ids.has(id),
  )?.title;

/** States under review of the items of a list, and how many items have each where facets are counted. */
export function useReviewStates(
  later: typeof import('./later.ts') | undefined,
  results: Results,
  search: Search,
  facets: readonly Facet[],
  isCounting: boolean,
): void {
  const list = results.list.value;
  useEffect(() => {
    if (later && list) void later.readStates(Array.from(list.loadedEntries(), ([, { id }]) => id));
  }, [later, list, results.version.value]);
  useEffect(() => {
    if (later && list && isCounting) later.countStates(results, search, facets).catch(() => undefined);
  }, [later, list, search, isCounting]);
}

/** Keys of the grid, for the list that `?` opens. */
export function keysOf(adds: boolean, edits: boolean, orders: boolean): Record<string, string> {
  return {
    x: t('library.keyChoose'),
    'Shift Arrow': t('library.keyWiden'),
    'Ctrl+A': t('library.chooseEvery'),
    i: t('library.panel'),
    'Shift F10': t('nav.menu'),
    Space: t('library.keyPlay'),
    Enter: t('library.open'),
    ...(adds && { c: t('library.addTo'), s: t('library.star') }),
    ...(edits && { e: t('library.edit') }),
    ...(orders && { '< >': t('library.keyOrder') }),
  };
}

/** Whether something is awaited for longer than a moment. What comes at once shows no skeleton. */
export function useLater(isPending: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!isPending) return undefined;
    const timer = setTimeout(() => setLate(true), skeletonMs);
    return () => clearTimeout(timer);
  }, [isPending]);
  return isLate && isPending;
}

/** Tells when the first picture of a list is there, or none comes. Gives the ref of the element around the list. */
export function useFirstPicture(list: Paged<Tile> | undefined, failure: unknown) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Events of pictures do not bubble. Those of symbols come earlier.
    const look = ({ target }: Event) => target instanceof HTMLImageElement && endFirstView();
    for (const name of ['load', 'error']) root.current!.addEventListener(name, look, { capture: true });
  }, []);
  const hasNone = list !== undefined && ![...list.loadedEntries()].some(([, { picture }]) => picture !== undefined);
  useEffect(() => {
    if (hasNone || failure !== undefined) endFirstView();
  }, [hasNone, failure]);
  return root;
}

export function Waiting({ size, isTable }: { size: number; isTable: boolean }) {
  return (
    <div class={isTable ? 'waiting-rows' : 'waiting-tiles'} style={{ '--tile': `${size}px` }} aria-hidden="true">
      {Array.from({ length: 12 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

interface NarrowedProps {
  readonly search: Search;
  readonly labelOf: (field: string) => string;
  readonly onSearch: (search: Search) => void;
}

/** Filters of the list. */
export function Narrowed({ search, labelOf, onSearch }: NarrowedProps) {
  const chips = chipsOf(search, labelOf);
  return chips.length === 0 ? null : (
    <div class="narrowed">
      <Chips
        label={t('library.narrowedBy')}
        chips={chips.map(({ key: id, text, without }) => ({ id, text, onRemove: () => onSearch(without) }))}
      />
      <button
        type="button"
        class="link"
        onClick={() => onSearch({ ...emptySearch, text: search.text, sort: search.sort })}
      >
        {t('library.clearAll')}
      </button>
    </div>
  );
}

interface NothingProps {
  readonly search: Search;
  readonly dim: boolean;
  readonly onClear: () => void;
  /** Content for a place without items. */
  readonly children: ComponentChildren;
}

/** Why there is nothing, and what to do about it. */
export function Nothing({ search, dim, onClear, children }: NothingProps) {
  const text = search.text.trim();
  return (
    <div class="nothing" data-dim={dim || undefined}>
      {isEmptySearch(search) ? (
        children
      ) : (
        <Empty icon="search" text={text === '' ? t('library.nothing') : t('library.nothingFor', { text })}>
          <Button kind="main" onClick={onClear}>
            {t('library.clearSearch')}
          </Button>
        </Empty>
      )}
    </div>
  );
}
