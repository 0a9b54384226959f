import { useState } from 'preact/hooks';
import { Button, IconButton } from './button.tsx';
import { FormDialog } from './form-dialog.tsx';
import type { IconName } from './icon.tsx';

interface AskButtonProps {
  /** Text of the button, and of the one that says yes. */
  readonly action: string;
  readonly question: string;
  /** An icon in the place of the text. */
  readonly icon?: IconName;
  readonly kind?: 'danger';
  readonly onYes: () => unknown;
}

/** A button whose work is asked about first. */
export function AskButton({ action, question, icon, kind, onYes }: AskButtonProps) {
  const [isOpen, open] = useState(false);
  return (
    <>
      {icon ? (
        <IconButton icon={icon} label={action} onClick={() => open(true)} />
      ) : (
        <Button kind={kind} onClick={() => open(true)}>
          {action}
        </Button>
      )}
      {isOpen && (
        <FormDialog title={action} kind={kind} onClose={() => open(false)} work={async () => onYes()}>
          <p>{question}</p>
        </FormDialog>
      )}
    </>
  );
}
