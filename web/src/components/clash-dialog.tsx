import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { personName } from './person.tsx';
import { Time } from './values.tsx';

/** A value that two persons have changed. */
export interface Clash {
  readonly name: string;
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  readonly user?: string | undefined;
  readonly at?: string | undefined;
}

export interface ClashDialogProps {
  readonly clashes: readonly Clash[];
  /** Names whose values of others stay. */
  readonly onChoose: (theirs: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Values that somebody else has written meanwhile, beside those that were typed. */
export function ClashDialog({ clashes, onChoose, onClose }: ClashDialogProps) {
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const choose = (name: string, isTheirs: boolean) =>
    setTheirs([...theirs.filter((each) => each !== name), ...(isTheirs ? [name] : [])]);
  return (
    <Dialog title={t('clash.title')} wide onClose={onClose}>
      <p>{t('clash.note')}</p>
      {clashes.map(({ name, label, mine, theirs: other, user, at }) => (
        <fieldset class="clash" key={name}>
          <legend>{label}</legend>
          <label class="check">
            <input type="radio" name={name} checked={!theirs.includes(name)} onChange={() => choose(name, false)} />
            <span>
              <strong>{t('clash.mine')}</strong> {mine || '–'}
            </span>
          </label>
          <label class="check">
            <input type="radio" name={name} checked={theirs.includes(name)} onChange={() => choose(name, true)} />
            <span>
              <strong>
                {t('clash.theirs', { user: user === undefined ? t('clash.somebody') : personName(user) })}
              </strong>{' '}
              {other || '–'}{' '}
              {at !== undefined && (
                <span class="muted small">
                  <Time at={at} />
                </span>
              )}
            </span>
          </label>
        </fieldset>
      ))}
      <footer class="row end">
        <Button onClick={onClose}>{t('word.cancel')}</Button>
        <Button onClick={() => onChoose(clashes.map(({ name }) => name))}>{t('clash.takeTheirs')}</Button>
        <Button kind="main" onClick={() => onChoose(theirs)}>
          {theirs.length === 0 ? t('clash.keepMine') : t('clash.saveChoice')}
        </Button>
      </footer>
    </Dialog>
  );
}
