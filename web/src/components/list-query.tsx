import type { Query } from '../match.ts';
import { query, setQuery } from '../router.tsx';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
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

/** Pages of a list, which the address keeps. Nothing where all fits on one. */
export function Pager({ page, size, hits }: { page: number; size: number; hits: number }) {
  const pages = Math.ceil(hits / size);
  if (pages <= 1) return null;
  const to = (next: number) => setQuery({ page: next <= 1 ? undefined : String(next) }, { replace: false });
  return (
    <nav class="pager" aria-label={t('pager.title')}>
      <Button disabled={page <= 1} onClick={() => to(page - 1)}>
        {t('pager.before')}
      </Button>
      <span>{t('pager.where', { page, pages, hits })}</span>
      <Button disabled={page >= pages} onClick={() => to(page + 1)}>
        {t('pager.after')}
      </Button>
    </nav>
  );
}

interface QueryField {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly options?: readonly (readonly [value: string, text: string])[];
}

interface QueryFormProps {
  readonly label: string;
  readonly query: Query;
  readonly fields: readonly QueryField[];
  readonly button: string;
}

/** A form whose fields are parameters of the address. A new question begins on the first page. */
export function QueryForm({ label, query, fields, button }: QueryFormProps) {
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const values = fields.map(({ name }) => [name, String(data.get(name) ?? '').trim() || undefined]);
    setQuery({ ...Object.fromEntries(values), page: undefined });
  };
  return (
    <form class="query-form" aria-label={label} onSubmit={ask}>
      {fields.map(({ name, ...field }) => (
        // Typed text stays while another part of the address changes.
        <Field
          key={`${name} ${query[name]}`}
          {...field}
          name={name}
          defaultValue={query[name] ?? field.options?.[0]?.[0] ?? ''}
        />
      ))}
      <Button type="submit">{button}</Button>
    </form>
  );
}
