import { t } from '../texts/index.ts';
import type { OpenShare } from './guest.ts';

interface SignatureProps {
  readonly share: OpenShare;
  /** The name is whole. */
  readonly onChange?: () => void;
}

/** Takes the name of a guest who came in without one. It is told with what the guest sends next. */
export function Signature({ share: { name, typedName }, onChange }: SignatureProps) {
  if (name.value !== '') return null;
  return (
    <input
      class="input"
      aria-label={t('guest.sign')}
      placeholder={t('guest.sign')}
      autocomplete="name"
      maxLength={100}
      value={typedName.value}
      onChange={onChange}
      onInput={({ currentTarget }) => {
        typedName.value = currentTarget.value;
      }}
    />
  );
}
