import { query, setQuery } from '../router.tsx';
import { t } from '../texts/index.ts';
import { Field } from './field.tsx';

let timer: ReturnType<typeof setTimeout> | undefined;

/** A search within a list. The address keeps it. */
export function Find() {
  return (
    <Field
      label={t('word.find')}
      type="search"
      defaultValue={query.peek()['q'] ?? ''}
      onInput={({ currentTarget: { value } }) => {
        clearTimeout(timer);
        timer = setTimeout(() => setQuery({ q: value, page: undefined }), 180);
      }}
    />
  );
}

/** Page of a list in the address, from 1. */
export const pageIn = ({ page }: Readonly<Record<string, string>>): number => Math.max(1, Number(page) || 1);
