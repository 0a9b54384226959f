import { useEffect } from 'preact/hooks';
import { useKeys } from '../../keys.ts';
import { lastList, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { type ListAsked, lastResults, Results, type Tile } from '../library/results.ts';

/** Where an item stands in the list that it was opened from. */
interface Neighbours {
  /** From 0. */
  readonly at: number;
  readonly count: number;
  /** Goes to the item so many places on. Undefined: there is none, or it is not read yet. */
  readonly goTo: (step: 1 | -1) => (() => void) | undefined;
}

/** A list in the history, with the place of the item. */
interface Kept extends ListAsked {
  readonly at: number;
  /** Address of the list. */
  readonly back: string;
}

const listOfEntry = (): Kept | undefined => history.state?.list;

/** Asks again for the list of the item, where the page was loaded anew. */
function takeKept(): void {
  const list = listOfEntry();
  if (!list || lastResults.peek()) return;
  lastList.value = list.back;
  new Results(list.place).run(list.search, list.facets, list.columns);
}

/** The neighbours of an item in the list that was shown last. Undefined: it is not in it. */
export function useNeighbours(id: string): Neighbours | undefined {
  useEffect(takeKept, []);
  const results = lastResults.value;
  // The version is read so that neighbours that come are drawn.
  const version = results?.version.value;
  const list = results?.list.value;
  // Uploads of the person stand before the list.
  const own = [...(results?.own.value.values() ?? [])];
  const entries: readonly (readonly [number, Tile])[] = list
    ? [...own.entries(), ...Array.from(list.loadedEntries(), ([index, tile]) => [own.length + index, tile] as const)]
    : [];
  const at = entries.find(([, tile]) => tile.id === id)?.[0];
  useEffect(() => {
    const place = (at ?? listOfEntry()?.at ?? Number.NaN) - own.length;
    if (list && place > -2) results?.want(Math.max(0, place - 1), place + 2);
    if (at !== undefined && results?.asked) {
      const list: Kept = { ...results.asked, at, back: lastList.peek() };
      history.replaceState({ list }, '');
    }
  }, [results, list, at, id, version === undefined]);
  const goTo = (step: 1 | -1) => {
    const next = at === undefined ? undefined : entries.find(([index]) => index === at + step)?.[1].id;
    // The way back is the list, not the items between.
    return next === undefined ? undefined : () => navigate(`/item/${next}`, { replace: true });
  };
  useKeys(
    { 'Shift+PageUp': () => goTo(-1)?.(), 'Shift+PageDown': () => goTo(1)?.() },
    { 'Shift+PageUp Shift+PageDown': t('item.keyNeighbours') },
  );
  const count = own.length + (list?.count ?? 0);
  return list && at !== undefined && count > 1 ? { at, count: count - Number(list.isOpen), goTo } : undefined;
}
