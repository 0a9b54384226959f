import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface MenuItem {
  readonly text: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly onChoose: () => void;
}

interface MenuProps {
  /** Name for screen readers. */
  readonly label: string;
  /** The content of the button that opens the menu. */
  readonly children?: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly kind?: 'quiet' | 'main' | undefined;
  readonly at?: 'start' | 'end';
}

export function Menu({ label, children, items, kind, at = 'end' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const id = useId();
  const buttons = () => [...(whole.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  useEffect(() => {
    if (!open) return undefined;
    buttons()[0]?.focus();
    const leave = (event: Event) => {
      if (!whole.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [open]);

  const close = () => {
    setOpen(false);
    whole.current?.querySelector<HTMLElement>('button')?.focus();
  };

  const move = (event: KeyboardEvent) => {
    const all = buttons();
    const now = all.indexOf(document.activeElement as HTMLElement);
    const next: Readonly<Record<string, number>> = {
      ArrowDown: (now + 1) % all.length,
      ArrowUp: (now + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const letter = event.key.toLocaleLowerCase();
    const named = [...all.slice(now + 1), ...all.slice(0, now + 1)].find(
      ({ textContent }) => letter.length === 1 && textContent?.toLocaleLowerCase().startsWith(letter),
    );
    if (event.key === 'Escape') close();
    else if (named) named.focus();
    else if (next[event.key] !== undefined) all[next[event.key]!]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="menu" ref={whole} onKeyDown={open ? move : undefined}>
      <button
        type="button"
        class={`button ${kind ?? ''}`}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {children ?? <Icon name="more" />}
      </button>
      {open && (
        <div class={at === 'start' ? 'menu-list start' : 'menu-list'} role="menu" id={id} aria-label={label}>
          {items.map(({ text, icon, danger, onChoose }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={danger ? 'danger' : undefined}
              onClick={() => {
                close();
                onChoose();
              }}
            >
              {icon && <Icon name={icon} />}
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
