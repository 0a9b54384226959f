import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly text: string }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly children?: ComponentChildren;
}

/** One tab stop; arrows move within. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
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
    <div>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
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
          </button>
        ))}
      </div>
      <div class="tabpanel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
