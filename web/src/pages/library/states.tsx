import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { t } from '../../texts/index.ts';
import { isEmptySearch, type Search } from './search.ts';

const skeletonMs = 150;

/** Keys of the grid, for the list that `?` opens. */
export function keysOf(adds: boolean, edits: boolean, orders: boolean): Record<string, string> {
  return {
    x: t('library.keyChoose'),
    'Shift Arrow': t('library.keyWiden'),
    Space: t('library.keyPlay'),
    Enter: t('library.open'),
    ...(adds && { c: t('library.addTo') }),
    ...(edits && { e: t('library.keyEdit') }),
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

export function Waiting({ size, isTable }: { size: number; isTable: boolean }) {
  return (
    <div class={isTable ? 'waiting-rows' : 'waiting-tiles'} style={{ '--tile': `${size}px` }} aria-hidden="true">
      {Array.from({ length: 12 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

interface NothingProps {
  readonly search: Search;
  readonly dim: boolean;
  readonly onClear: () => void;
  /** What a place without items says. */
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
