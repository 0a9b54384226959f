import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { columnsOf, type Rows, rowsOf, targetIndex, topFor, windowOf } from './grid-rows.ts';

/** Rows above and below those in view: one is enough for a turn of the wheel between two frames. */
const over = 1;
const narrow = 480;

interface VirtualGridProps {
  readonly label: string;
  readonly count: number;
  /** Least width of a tile, or 0 for a table: one row for each entry, which brings its own cells. */
  readonly tile: number;
  readonly gap: number;
  /** Height of a row for a width of a cell. */
  readonly rowHeight: (cellWidth: number) => number;
  readonly active: number;
  readonly onActive: (index: number, event: KeyboardEvent | MouseEvent) => void;
  /** Keys that do not move. True: the key is used. */
  readonly onKey: (event: KeyboardEvent, index: number) => boolean;
  readonly onOpen: (index: number) => void;
  /** Entries that are drawn, for what has to be loaded. */
  readonly onWindow: (first: number, last: number) => void;
  /** Attributes of the cell, or of the row of a table. */
  readonly attributes: (index: number) => HTMLAttributes<HTMLDivElement>;
  /** What is in the cell, or the cells of the row of a table. */
  readonly children: (index: number) => ComponentChildren;
  readonly head?: ComponentChildren;
  readonly headColumns?: number;
  readonly dim?: boolean;
  /** Scroll position to begin with, and what is told of a new one. */
  readonly top?: number;
  readonly onScroll?: (top: number) => void;
}

function useSize(ref: { current: HTMLDivElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** A grid or table of any length that draws only the rows in view. Its one tab stop is the active cell. */
export function VirtualGrid(props: VirtualGridProps) {
  const { count, tile, gap, active, dim = false } = props;
  const ref = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(ref);
  const [top, setTop] = useState(props.top ?? 0);
  const isTable = tile === 0;
  // On a telephone two tiles stand side by side, whatever size is chosen.
  const least = width < narrow ? Math.min(tile, (width - 3 * gap) / 2) : tile;
  const columns = isTable ? 1 : columnsOf(width - 2 * gap, least, gap);
  const cellWidth = (width - gap * (columns + 1)) / columns;
  const rows: Rows = { count, columns, rowHeight: Math.max(1, Math.round(props.rowHeight(cellWidth))) };
  const headHeight = props.head ? rows.rowHeight : 0;
  const inner = Math.max(0, height - headHeight);
  const { first, last } = height === 0 ? { first: 0, last: 0 } : windowOf(rows, top, inner, over);

  useEffect(() => {
    if (last > first) props.onWindow(first * columns, Math.min(count, last * columns));
  }, [first, last, columns, count]);

  useLayoutEffect(() => {
    if (ref.current && props.top) ref.current.scrollTop = props.top;
  }, [height > 0]);

  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  function scrolled(): void {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      const now = ref.current?.scrollTop ?? 0;
      props.onScroll?.(now);
      // Within one row nothing new is drawn, so nothing is rendered.
      setTop((before) => (Math.floor(before / rows.rowHeight) === Math.floor(now / rows.rowHeight) ? before : now));
    });
  }

  function show(index: number): void {
    const element = ref.current;
    if (!element) return;
    element.scrollTop = topFor(Math.floor(index / columns), rows.rowHeight, element.scrollTop, inner);
  }

  function pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = targetIndex(event.key, active, rows, Math.floor(inner / rows.rowHeight));
    if (to !== undefined) {
      props.onActive(to, event);
      show(to);
    } else if (event.key === 'Enter') props.onOpen(active);
    else if (!props.onKey(event, active)) return;
    event.preventDefault();
  }

  function indexOf(event: Event): number | undefined {
    const cell = (event.target as Element).closest<HTMLElement>('[data-index]');
    return cell ? Number(cell.dataset['index']) : undefined;
  }

  const drawn: number[] = [];
  for (let row = first; row < last; row += 1) drawn.push(row);
  // The active cell is drawn wherever it is: the focus would be lost with it.
  const activeRow = Math.floor(active / columns);
  if (height > 0 && active < count && !drawn.includes(activeRow)) drawn.push(activeRow);
  const takeFocus = () => document.getElementById(`entry-${active}`)?.focus({ preventScroll: true });
  useLayoutEffect(() => {
    if (ref.current?.contains(document.activeElement)) takeFocus();
  }, [active, height > 0]);
  /** Attributes that make the active cell the tab stop. */
  const stop = (index: number) => ({
    id: `entry-${index}`,
    tabIndex: index === active ? 0 : -1,
    'data-index': index,
    'data-active': index === active || undefined,
  });
  return (
    <div
      ref={ref}
      class={isTable ? 'virtual table' : 'virtual tiles'}
      data-dim={dim || undefined}
      role="grid"
      tabIndex={-1}
      aria-label={props.label}
      aria-busy={dim}
      aria-multiselectable
      aria-rowcount={rowsOf(rows) + (props.head ? 1 : 0)}
      aria-colcount={isTable ? (props.headColumns ?? 1) : columns}
      onScroll={scrolled}
      onKeyDown={pressed}
      onFocus={({ target }) => target === ref.current && takeFocus()}
      onClick={(event) => {
        const index = indexOf(event);
        if (index !== undefined) props.onActive(index, event);
      }}
      onDblClick={(event) => {
        const index = indexOf(event);
        if (index !== undefined) props.onOpen(index);
      }}
    >
      {props.head}
      <div class="space" role="presentation" style={{ height: `${rowsOf(rows) * rows.rowHeight}px` }}>
        {drawn.map((row) => {
          const place = { transform: `translateY(${row * rows.rowHeight}px)`, height: `${rows.rowHeight}px` };
          if (isTable) {
            return (
              <div
                key={row}
                class="strip"
                role="row"
                aria-rowindex={row + (props.head ? 2 : 1)}
                {...stop(row)}
                style={place}
                {...props.attributes(row)}
              >
                {props.children(row)}
              </div>
            );
          }
          const indexes = Array.from(
            { length: Math.min(columns, count - row * columns) },
            (_, at) => row * columns + at,
          );
          return (
            <div
              key={row}
              class="strip"
              role="row"
              aria-rowindex={row + 1}
              style={{ ...place, '--columns': String(columns) }}
            >
              {indexes.map((index, at) => (
                <div
                  key={index}
                  class="cell"
                  role="gridcell"
                  aria-colindex={at + 1}
                  {...stop(index)}
                  {...props.attributes(index)}
                >
                  {props.children(index)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
