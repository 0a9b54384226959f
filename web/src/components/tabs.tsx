import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly text: string; readonly count?: number | undefined }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  /** Beside the tabs. */
  readonly after?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Scrolls a row until the chosen part is in its middle. `scrollIntoView` would move the page, too. */
export function centre(row: Element | null, chosen: string): void {
  const part = row?.querySelector(chosen);
  if (!row || !part) return;
  const [box, own] = [row, part].map((each) => each.getBoundingClientRect());
  row.scrollBy(
    (own!.left + own!.right - box!.left - box!.right) / 2,
    (own!.top + own!.bottom - box!.top - box!.bottom) / 2,
  );
}

/** Tabs with a single tab stop: arrow keys move within it. */
export function Tabs({ label, tabs, chosen, onChoose, after, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => centre(list.current, '[aria-selected=true]'), [chosen]);
  const move = (event: KeyboardEvent) => {
    const rtl = document.dir === 'rtl' ? -1 : 1;
    const now = tabs.findIndex((tab) => tab.id === chosen);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: now + rtl,
      ArrowLeft: now - rtl,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const at = (next + tabs.length) % tabs.length;
    onChoose(tabs[at]!.id);
    (list.current?.children[at] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabbed">
      <div class="row tab-row">
        <div class="tabs grow" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === chosen ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.text}
              {tab.count ? <span class="count"> {tab.count}</span> : null}
            </button>
          ))}
        </div>
        {after}
      </div>
      <div class="tabpanel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
