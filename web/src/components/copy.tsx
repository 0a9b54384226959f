import { t } from '../texts/index.ts';
import { Button, IconButton } from './button.tsx';
import { toast } from './toast.tsx';

interface CopyProps {
  readonly text: string | (() => string);
  /** Left out: a button with a symbol alone. */
  readonly label?: string | undefined;
}

export function Copy({ text, label }: CopyProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      toast(t('word.copied'));
    } catch {
      toast(t('word.notCopied'));
    }
  };
  return label === undefined ? (
    <IconButton icon="copy" label={t('word.copy')} onClick={copy} />
  ) : (
    <Button icon="copy" kind="quiet" onClick={copy}>
      {label}
    </Button>
  );
}
