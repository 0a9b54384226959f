import type { ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { spanOf } from './grid-rows.ts';

/** Pixels above and below the window that have entries, too. */
const over = 600;
/** Entries that are drawn wherever they are: browsers find their words, and screen readers count them. */
const few = 40;
/** Entries that are drawn before anything is measured. */
const begin = 20;

interface LongListProps<Entry> {
  readonly entries: readonly Entry[];
  readonly idOf: (entry: Entry) => string;
  /** Height of an entry that was not drawn yet. */
  readonly guess: number;
  /** Entries that are drawn wherever they are, such as one that is to be scrolled to. */
  readonly kept: ReadonlySet<string | undefined>;
  /** An `li` with the attributes. */
  readonly children: (entry: Entry, attributes: { readonly 'data-id': string }) => ComponentChild;
}

/** A list of any length, with entries of any height. Of many it draws those near the window. Whatever holds it scrolls. */
export function LongList<Entry>({ entries, idOf, guess, kept, children }: LongListProps<Entry>) {
  const ref = useRef<HTMLUListElement>(null);
  const [{ first, last }, setSpan] = useState({ first: 0, last: begin });
  const heights = useRef(new Map<string, number>()).current;
  const measure = () => {
    const list = ref.current!;
    const box = list.getBoundingClientRect();
    // A list that is not shown has no height.
    if (box.width === 0) return;
    for (const each of list.querySelectorAll<HTMLElement>(':scope > [data-id]'))
      heights.set(each.dataset['id']!, each.offsetHeight);
    const all = entries.map((entry) => heights.get(idOf(entry)) ?? guess);
    const next = spanOf(all, -box.top - over, innerHeight - box.top + over);
    setSpan((span) => (span.first === next.first && span.last === next.last ? span : next));
  };
  const current = useRef(measure);
  current.current = measure;
  useLayoutEffect(measure, [entries]);
  useEffect(() => {
    let frame = 0;
    const soon = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (ref.current) current.current();
      });
    };
    const observer = new ResizeObserver(soon);
    observer.observe(ref.current!);
    document.addEventListener('scroll', soon, { capture: true, passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('scroll', soon, { capture: true });
      removeEventListener('resize', soon);
    };
  }, []);
  // The focus would be lost with its entry.
  const active = document.activeElement;
  const focused = ref.current?.contains(active) ? active?.closest<HTMLElement>('[data-id]')?.dataset['id'] : undefined;
  const drawn: ComponentChild[] = [];
  let space = 0;
  const endSpace = (key: string) => {
    if (space > 0) drawn.push(<li key={key} class="space" aria-hidden="true" style={{ blockSize: `${space}px` }} />);
    space = 0;
  };
  for (const [index, entry] of entries.entries()) {
    const id = idOf(entry);
    if (entries.length <= few || (index >= first && index < last) || kept.has(id) || id === focused) {
      endSpace(`before ${id}`);
      drawn.push(children(entry, { 'data-id': id }));
    } else space += heights.get(id) ?? guess;
  }
  endSpace('end');
  return (
    <ul class="plain" ref={ref}>
      {drawn}
    </ul>
  );
}
