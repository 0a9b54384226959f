import type { Query } from '../match.ts';
import { setQuery } from '../router.tsx';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

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
        <Field key={name} {...field} name={name} value={query[name] ?? field.options?.[0]?.[0] ?? ''} />
      ))}
      <Button type="submit">{button}</Button>
    </form>
  );
}
