import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RefusalNote } from './refusal.tsx';

/** Value of a control of the form by its name. */
export type ReadField = (name: string) => string;

interface WorkFormProps {
  /** Text of the button. */
  readonly action: string;
  readonly kind?: 'main' | 'danger' | undefined;
  readonly disabled?: boolean | undefined;
  readonly class?: string;
  readonly label?: string;
  /** Called when its work is done. With it the form has a button that cancels. */
  readonly onClose?: (() => void) | undefined;
  /** Gives false where the form is to stay. */
  readonly work: (readField: ReadField, onProgress: (done: number) => void) => Promise<unknown>;
  /** Number of things that the work is on, for its progress. */
  readonly size?: number;
  readonly children?: ComponentChildren;
}

interface Going {
  readonly isBusy: boolean;
  readonly done?: number;
  readonly refusal?: unknown;
}

/** A form whose button does some work. A refusal stands in it, and what was typed stays. */
export function WorkForm({ action, kind, disabled, label, onClose, work, size, ...more }: WorkFormProps) {
  const [{ isBusy, done, refusal }, setGoing] = useState<Going>({ isBusy: false });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setGoing({ isBusy: true });
    try {
      const outcome = await work(
        (name) => String(data.get(name) ?? ''),
        (count) => setGoing({ isBusy: true, done: count }),
      );
      setGoing({ isBusy: false });
      if (outcome !== false) onClose?.();
    } catch (error) {
      setGoing({ isBusy: false, refusal: error });
    }
  };
  return (
    <form
      class={more.class ?? 'stack'}
      aria-label={label}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (!isBusy && !disabled) event.currentTarget.requestSubmit();
      }}
    >
      {more.children}
      {refusal !== undefined && <RefusalNote error={refusal} />}
      {isBusy && size !== undefined && (
        <p role="status">
          <progress value={done} max={size} />{' '}
          {done === undefined ? t('word.working') : t('word.doneOf', { done, size })}
        </p>
      )}
      <div class={onClose ? 'actions' : 'row'}>
        {onClose && <Button onClick={onClose}>{t('word.cancel')}</Button>}
        <Button kind={kind ?? (onClose && 'main')} type="submit" disabled={isBusy || disabled}>
          {action}
        </Button>
      </div>
    </form>
  );
}

interface FormDialogProps extends Omit<WorkFormProps, 'action' | 'label'> {
  readonly title: string;
  /** Left out: the title. */
  readonly action?: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
}

/** A form over the page. It closes when its work is done. */
export const FormDialog = ({ title, action = title, wide = false, ...form }: FormDialogProps) => (
  <Dialog title={title} wide={wide} onClose={form.onClose}>
    <WorkForm {...form} action={action} />
  </Dialog>
);
