import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { columnsIn, moved, rowsInView, scrollFor } from './virtual.ts';

interface VirtualGridProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** Least width of a cell. Left out: one column. */
  readonly cellWidth?: number | undefined;
  /** Index of the cell that keys move. */
  readonly chosen: number;
  readonly onChoose: (index: number, event?: KeyboardEvent) => void;
  /** Called for keys that do not move: Enter, Space, letters. */
  readonly onKey?: ((event: KeyboardEvent, index: number) => void) | undefined;
  /** Called when the last rows come near. */
  readonly onNearEnd?: (() => void) | undefined;
  readonly isSelected?: ((index: number) => boolean) | undefined;
  readonly cell: (index: number) => ComponentChildren;
  readonly class?: string;
}

/** Cells of one height, of which those in sight are drawn. One tab stop; keys move within. */
export function VirtualGrid(props: VirtualGridProps) {
  const { label, count, rowHeight, cellWidth, chosen, onChoose, onKey, onNearEnd, isSelected, cell } = props;
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0, width: 0 });
  const columns = cellWidth === undefined ? 1 : columnsIn(view.width, cellWidth);
  const extent = { count, columns, rowHeight };
  const rows = Math.ceil(count / columns);
  const { from, to } = rowsInView(extent, view.top, view.height);

  useLayoutEffect(() => {
    const grid = element.current!;
    const measure = () => setView({ top: grid.scrollTop, height: grid.clientHeight, width: grid.clientWidth });
    const observer = new ResizeObserver(measure);
    observer.observe(grid);
    grid.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      grid.removeEventListener('scroll', measure);
    };
  }, []);

  useEffect(() => {
    if (to > 0 && to >= rows - 3) onNearEnd?.();
  }, [to, rows]);

  useEffect(() => {
    const grid = element.current!;
    if (chosen >= 0)
      grid.scrollTop = scrollFor(Math.floor(chosen / columns), extent, grid.scrollTop, grid.clientHeight);
  }, [chosen, columns]);

  const press = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const next = isPlain ? moved(event.key, chosen, extent, view.height, document.dir === 'rtl') : undefined;
    if (next === undefined) return onKey?.(event, chosen);
    event.preventDefault();
    onChoose(next, event);
    return undefined;
  };

  const drawn = Array.from({ length: Math.max(0, to - from) }, (_row, n) => from + n);
  return (
    <div
      ref={element}
      class={`grid ${props.class ?? ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={rows}
      aria-colcount={columns}
      aria-multiselectable={isSelected ? true : undefined}
      aria-activedescendant={chosen >= 0 && chosen < count ? `cell-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <svg width="1" height={rows * rowHeight} aria-hidden="true" />
      {drawn.map((row) => (
        <div
          key={row}
          class="grid-row"
          role="row"
          aria-rowindex={row + 1}
          style={{
            insetBlockStart: `${row * rowHeight}px`,
            blockSize: `${rowHeight}px`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {Array.from({ length: Math.min(columns, count - row * columns) }, (_cell, n) => {
            const index = row * columns + n;
            return (
              <div
                key={index}
                id={`cell-${index}`}
                class="grid-cell"
                role="gridcell"
                aria-colindex={n + 1}
                aria-selected={isSelected ? isSelected(index) : index === chosen}
              >
                {cell(index)}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
