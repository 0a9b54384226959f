import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Check, Field } from './field.tsx';

/** Characters that the service asks of passwords of administrators, and the page of all new ones. */
export const minPassword = 8;

/** A field for a password that is chosen here. It can be shown. */
export function NewPassword(props: ComponentProps<typeof Field>) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Field
        hint={t('word.passwordLeast', { least: minPassword })}
        {...props}
        type={isShown ? 'text' : 'password'}
        autocomplete="new-password"
        spellcheck={false}
        minLength={minPassword}
      />
      <Check
        label={t('word.passwordShow')}
        checked={isShown}
        onChange={({ currentTarget }) => setShown(currentTarget.checked)}
      />
    </>
  );
}
