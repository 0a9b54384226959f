import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Time } from '../../../kit/values.tsx';
import { t } from '../../../texts/index.ts';
import type { Clash, Value, Values } from './model.ts';

interface ClashDialogProps {
  readonly clashes: readonly Clash[];
  readonly mine: Values;
  readonly label: (name: string) => string;
  /** Names whose values of others stay. */
  readonly onChoose: (theirs: readonly string[]) => void;
  readonly onClose: () => void;
}

const said = (values: readonly Value[] = []): string => values.map(({ text }) => text).join(', ') || '–';

/** What somebody else has written meanwhile, beside what was typed. */
export function ClashDialog({ clashes, mine, label, onChoose, onClose }: ClashDialogProps) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(theirs);
    if (isTheirs) next.add(name);
    else next.delete(name);
    setTheirs(next);
  };
  return (
    <Dialog title={t('form.clashTitle')} wide onClose={onClose}>
      <p>{t('form.clashNote')}</p>
      {clashes.map(({ name, theirs: values, user, at }) => (
        <fieldset class="clash" key={name}>
          <legend>{label(name)}</legend>
          <label class="check">
            <input type="radio" name={name} checked={!theirs.has(name)} onChange={() => choose(name, false)} />
            <span>
              <strong>{t('form.mine')}</strong> {said(mine[name])}
            </span>
          </label>
          <label class="check">
            <input type="radio" name={name} checked={theirs.has(name)} onChange={() => choose(name, true)} />
            <span>
              <strong>{t('form.theirs', { user: user ?? '?' })}</strong> {said(values)}{' '}
              <span class="muted small">
                <Time at={at} />
              </span>
            </span>
          </label>
        </fieldset>
      ))}
      <footer class="row end">
        <Button onClick={onClose}>{t('word.cancel')}</Button>
        <Button onClick={() => onChoose(clashes.map(({ name }) => name))}>{t('form.takeTheirs')}</Button>
        <Button kind="main" onClick={() => onChoose([...theirs])}>
          {theirs.size === 0 ? t('form.keepMine') : t('form.saveChoice')}
        </Button>
      </footer>
    </Dialog>
  );
}
