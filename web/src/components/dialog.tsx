import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Left out: the dialog has no other way out than its own buttons. */
  readonly onClose?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** A dialog over the page. The browser keeps the focus within, and gives it back. */
export function Dialog({ title, wide, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
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
