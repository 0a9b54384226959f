import { t } from '../texts/index.ts';
import { Button, IconButton } from './button.tsx';
import { toast } from './toast.ts';

interface CopyProps {
  readonly text: string | (() => string);
  /** Left out: a button with a symbol alone. */
  readonly label?: string | undefined;
}

/** Copies a text, and tells whether that worked. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('word.copied'));
  } catch {
    toast(t('word.notCopied'));
  }
}

export function Copy({ text, label }: CopyProps) {
  const own = () => void copy(typeof text === 'string' ? text : text());
  return label === undefined ? (
    <IconButton icon="copy" label={t('word.copy')} onClick={own} />
  ) : (
    <Button icon="copy" kind="quiet" onClick={own}>
      {label}
    </Button>
  );
}
