import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { columnsOf, type Rows, rowsAhead, rowsOf, targetIndex, topFor, windowOf } from './grid-rows.ts';

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
  /** A key moves the active entry. */
  readonly onMove: (index: number, event: KeyboardEvent) => void;
  readonly onClick: (index: number, event: MouseEvent) => void;
  /** A finger rests on an entry. */
  readonly onHold: (index: number) => void;
  /** Keys that do not move. True: the key is used. */
  readonly onKey: (event: KeyboardEvent, index: number) => boolean;
  readonly onOpen: (index: number) => void;
  /** Entries that are drawn, for what has to be loaded. */
  readonly onWindow: (first: number, last: number) => void;
  /** Attributes of the cell, or of the row of a table. */
  readonly attributes: (index: number) => HTMLAttributes<HTMLDivElement>;
  /** Content of the cell, or the cells of the row of a table. */
  readonly children: (index: number) => ComponentChildren;
  readonly head?: ComponentChildren;
  readonly headColumns?: number;
  readonly dim?: boolean;
  /** Scroll position to begin with, and what is told of a new one. */
  readonly top?: number;
  readonly onScroll?: (top: number) => void;
  /** Whether the active entry takes the focus as the grid comes. */
  readonly isFocused?: boolean;
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

/** A finger that rests so long on an entry holds it, unless it moves. */
const holdMs = 400;
const holdPx = 10;

/** Handlers that tell of entries which a finger holds. */
function useHold(onHold: (event: Event) => void) {
  const touch = useRef<{ readonly x: number; readonly y: number; readonly timer: ReturnType<typeof setTimeout> }>(
    undefined,
  );
  const isHeld = useRef(false);
  const end = () => {
    clearTimeout(touch.current?.timer);
    touch.current = undefined;
  };
  useEffect(() => end, []);
  return {
    onPointerDown(event: PointerEvent) {
      end();
      isHeld.current = false;
      if (event.pointerType === 'mouse' || !event.isPrimary) return;
      const timer = setTimeout(() => {
        isHeld.current = true;
        onHold(event);
      }, holdMs);
      touch.current = { x: event.clientX, y: event.clientY, timer };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (touch.current && Math.hypot(clientX - touch.current.x, clientY - touch.current.y) > holdPx) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The browser would open its menu of the link, or drag it.
    onContextMenu: (event: Event) => (touch.current || isHeld.current) && event.preventDefault(),
    onDragStartCapture: (event: Event) => {
      if (!touch.current && !isHeld.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClickCapture(event: Event) {
      if (!isHeld.current) return;
      isHeld.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** A grid or table of any length that draws only the rows in view. Its one tab stop is the active cell. */
export function VirtualGrid(props: VirtualGridProps) {
  const { count, tile, gap, active, dim = false } = props;
  const ref = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(ref);
  const [{ top, ahead }, setPlace] = useState({ top: props.top ?? 0, ahead: 0 });
  const isTable = tile === 0;
  // On a phone two tiles stand side by side, and one of the largest.
  const least = width < narrow && tile < width * 0.7 ? Math.min(tile, (width - 3 * gap) / 2) : tile;
  const columns = isTable ? 1 : columnsOf(width - 2 * gap, least, gap);
  const cellWidth = (width - gap * (columns + 1)) / columns;
  const rows: Rows = { count, columns, rowHeight: Math.max(1, Math.round(props.rowHeight(cellWidth))) };
  const headHeight = props.head ? rows.rowHeight : 0;
  const inner = Math.max(0, height - headHeight);
  const { first, last } = height === 0 ? { first: 0, last: 0 } : windowOf(rows, top, inner, ahead);

  useEffect(() => {
    if (last > first) props.onWindow(first * columns, Math.min(count, last * columns));
  }, [first, last, columns, count]);

  useLayoutEffect(() => {
    if (ref.current && props.top) ref.current.scrollTop = props.top;
  }, [height > 0]);

  const shape = useRef({ ...rows, top: 0, height });
  // The active row, or else the first one in view, stays at its height when rows get another shape.
  useLayoutEffect(() => {
    const before = shape.current;
    shape.current = { ...rows, top: ref.current!.scrollTop, height };
    if (before.height === 0 || (before.columns === columns && before.rowHeight === rows.rowHeight)) return;
    const offsetOf = (index: number) => Math.floor(index / before.columns) * before.rowHeight - before.top;
    const isSeen = offsetOf(active) > -before.rowHeight && offsetOf(active) < inner;
    const anchor = isSeen ? active : Math.round(before.top / before.rowHeight) * before.columns;
    ref.current!.scrollTop = Math.floor(anchor / columns) * rows.rowHeight - offsetOf(anchor);
    shape.current.top = ref.current!.scrollTop;
  }, [columns, rows.rowHeight, height]);

  const frame = useRef(0);
  const seen = useRef({ top, at: 0 });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  function scrolled(): void {
    shape.current.top = ref.current!.scrollTop;
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame((at) => {
      frame.current = 0;
      const now = ref.current?.scrollTop ?? 0;
      props.onScroll?.(now);
      const next = rowsAhead((now - seen.current.top) / (at - seen.current.at), rows.rowHeight, inner);
      seen.current = { top: now, at };
      // Within one row nothing new is drawn, so nothing is rendered.
      const rowAt = (pixels: number) => Math.floor(pixels / rows.rowHeight);
      setPlace((before) => (rowAt(before.top) === rowAt(now) ? before : { top: now, ahead: next }));
    });
  }

  function show(index: number): void {
    const element = ref.current;
    if (!element) return;
    // Bars and notices lie over the foot.
    const covered = Number.parseFloat(getComputedStyle(element).scrollPaddingBlockEnd) || 0;
    element.scrollTop = topFor(Math.floor(index / columns), rows.rowHeight, element.scrollTop, inner - covered);
  }

  function pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = targetIndex(event.key, active, rows, Math.floor(inner / rows.rowHeight));
    if (to !== undefined) {
      props.onMove(to, event);
      show(to);
    } else if (event.key === 'Enter') props.onOpen(active);
    else if (!props.onKey(event, active)) return;
    event.preventDefault();
  }

  const current = useRef(pressed);
  current.current = pressed;
  // Keys that open and move are for the list until something else has the focus.
  useEffect(() => {
    const reading = new AbortController();
    const unfocused = (event: KeyboardEvent) => {
      const isLost = event.target === document.body || (event.target as Element).id === 'main';
      if (!isLost || event.repeat || !(event.key === 'Enter' || event.key.startsWith('Arrow'))) return;
      ref.current?.focus({ preventScroll: true });
      current.current(event);
    };
    document.addEventListener('keydown', unfocused, { signal: reading.signal });
    return () => reading.abort();
  }, []);

  function indexOf(event: Event): number | undefined {
    const cell = (event.target as Element).closest<HTMLElement>('[data-index]');
    return cell ? Number(cell.dataset['index']) : undefined;
  }

  const hold = useHold((event) => {
    const index = indexOf(event);
    if (index !== undefined) props.onHold(index);
  });
  const drawn: number[] = [];
  for (let row = first; row < last; row += 1) drawn.push(row);
  // The active cell is drawn wherever it is: the focus would be lost with it.
  const activeRow = Math.floor(active / columns);
  if (height > 0 && active < count && !drawn.includes(activeRow)) drawn.push(activeRow);
  const hasCome = useRef(false);
  const { current: comesFocused } = useRef(props.isFocused);
  const takeFocus = () => document.getElementById(`entry-${active}`)?.focus({ preventScroll: true });
  useLayoutEffect(() => {
    if (ref.current?.contains(document.activeElement) || (comesFocused && height > 0 && !hasCome.current)) takeFocus();
    hasCome.current = height > 0;
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
        if (index !== undefined) props.onClick(index, event);
      }}
      {...hold}
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
