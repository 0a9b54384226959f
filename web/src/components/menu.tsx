import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
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
  return (
    <div class="menu" ref={whole}>
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
        <MenuList
          {...{ id, label, items, at }}
          within={whole}
          onClose={(isLeft) => {
            setOpen(false);
            if (!isLeft) whole.current?.querySelector<HTMLElement>('button')?.focus();
          }}
        />
      )}
    </div>
  );
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'items' | 'at'> {
  readonly id?: string;
  /** Element at which the menu stands, and whose focus and presses leave it open. Left out: the menu itself. */
  readonly within?: { readonly current: HTMLElement | null };
  /** Place of the menu in the window, where it does not stand at its button. */
  readonly place?: { readonly x: number; readonly y: number };
  /** `isLeft`: the person is elsewhere already, so the focus stays there. */
  readonly onClose: (isLeft: boolean) => void;
}

const gap = 4;
const margin = 8;

/** The open menu, within the window and over all of it. Arrows and first letters move in it. */
export function MenuList({ id, label, items, at, within, place, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  const shade = useRef<HTMLDivElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return undefined;
    current.showPopover();
    const put = () => {
      const { offsetWidth, offsetHeight, style } = current;
      const box = within?.current?.getBoundingClientRect();
      const isLeft = (at === 'start') !== (document.dir === 'rtl');
      const x = box ? (isLeft ? box.left : box.right - offsetWidth) : (place?.x ?? 0);
      // Above the button where there is no room below.
      const isAbove = box && box.bottom + gap + offsetHeight + margin > innerHeight && box.top > offsetHeight;
      const y = box ? (isAbove ? box.top - gap - offsetHeight : box.bottom + gap) : (place?.y ?? 0);
      style.left = `${Math.max(margin, Math.min(x, innerWidth - offsetWidth - margin))}px`;
      style.top = `${Math.max(margin, Math.min(y, innerHeight - offsetHeight - margin))}px`;
    };
    put();
    document.addEventListener('scroll', put, true);
    addEventListener('resize', put);
    return () => {
      document.removeEventListener('scroll', put, true);
      removeEventListener('resize', put);
    };
  }, []);
  useEffect(() => {
    buttons()[0]?.focus({ preventScroll: true });
    const leave = (event: Event) => {
      const isInside = (within ?? list).current?.contains(event.target as Node) || event.target === shade.current;
      if (!isInside) close.current(true);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);

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
    if (event.key === 'Escape') onClose(false);
    else if (named) named.focus();
    else if (next[event.key] !== undefined) all[next[event.key]!]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <div class="menu-shade" ref={shade} onClick={() => onClose(false)} />
      <div ref={list} class="menu-list" popover="manual" role="menu" id={id} aria-label={label} onKeyDown={move}>
        {items.map(({ text, icon, danger, onChoose }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={danger ? 'danger' : undefined}
            onClick={() => {
              onClose(false);
              onChoose();
            }}
          >
            {icon && <Icon name={icon} />}
            {text}
          </button>
        ))}
      </div>
    </>
  );
}
