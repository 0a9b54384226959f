import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RefusalNote } from './refusal.tsx';

/** Value of a control of the form by its name. */
export type ReadField = (name: string) => string;

interface FormDialogProps {
  readonly title: string;
  /** Text of the button. Left out: the title. */
  readonly action?: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly work: (readField: ReadField) => Promise<unknown>;
  readonly children?: ComponentChildren;
}

/** A form over the page. It closes when its work is done. A refusal stands in it, and what was typed stays. */
export function FormDialog({ title, action = title, wide = false, onClose, work, children }: FormDialogProps) {
  const [refusal, setRefusal] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await work((name) => String(data.get(name) ?? ''));
      onClose();
    } catch (error) {
      setRefusal(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {children}
        {refusal !== undefined && <RefusalNote error={refusal} />}
        <div class="actions">
          <Button onClick={onClose}>{t('word.cancel')}</Button>
          <Button kind="main" type="submit" disabled={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
