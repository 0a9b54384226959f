import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useDialogKeys } from '../keys.ts';
import { t } from '../texts/index.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Left out: the dialog has no other way out than its own buttons. */
  readonly onClose?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** Where a dialog begins, the best first: the way out of what deletes, a field, the main button, any other. */
const starts = [
  '.actions:has(.danger):not(:has(.main)) .button:not(.danger)',
  ':is(input, textarea, select):not([readonly], :disabled)',
  '.button.main:not(:disabled)',
  '.actions .button:not(:disabled)',
];

/** A touch on a field opens the keyboard, which would hide what the dialog says. */
const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches;

function startOf(dialog: HTMLElement): HTMLElement | undefined {
  const isShown = (each: HTMLElement) => each.getClientRects().length > 0 && !(isTouched() && each.matches(starts[1]!));
  return starts.flatMap((start) => [...dialog.querySelectorAll<HTMLElement>(`.body ${start}`)]).find(isShown);
}

/** A dialog over the page. The browser keeps the focus within, and gives it back. */
export function Dialog({ title, wide, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useDialogKeys();
  useEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    if (!dialog.lastElementChild!.contains(document.activeElement)) dialog.focus();
    // Contents may come later than the dialog. A focus that has moved meanwhile stays.
    const begin = () => {
      if (document.activeElement === dialog) startOf(dialog)?.focus({ preventScroll: true });
      if (document.activeElement !== dialog) watcher.disconnect();
    };
    const watcher = new MutationObserver(begin);
    watcher.observe(dialog, { childList: true, subtree: true });
    begin();
    return () => {
      watcher.disconnect();
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // The browser would close it at the second press, even if the page keeps it open.
        event.preventDefault();
        onClose?.();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose?.();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && <IconButton icon="x" label={t('word.close')} onClick={onClose} />}
      </header>
      <div class="body stack">{children}</div>
    </dialog>
  );
}
