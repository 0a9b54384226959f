import { t } from '../../texts/index.ts';
import { type FieldInfo, isSortable } from './facets.ts';
import { fieldOf } from './fields.ts';
import type { Search } from './search.ts';

/** Falls after it rises, then the order of the place again. */
function nextSort(name: string, sort: string): string {
  return sort === name ? `-${name}` : sort === `-${name}` ? '' : name;
}

/** Names of the columns. A press sorts; with the keyboard the field "Sort" does the same. */
export function Head({
  columns,
  search,
  onSearch,
}: {
  columns: readonly FieldInfo[];
  search: Search;
  onSearch: (search: Search) => void;
}) {
  const header = (field: FieldInfo) => {
    const { name, label, type } = field;
    const order = search.sort === name ? 'ascending' : search.sort === `-${name}` ? 'descending' : 'none';
    return (
      <div
        key={name}
        role="columnheader"
        aria-sort={order}
        data-number={/^(integer|long|float)/.test(type) || undefined}
        class={name === '__name' ? 'title' : undefined}
      >
        {isSortable(field) ? (
          <button
            type="button"
            tabIndex={-1}
            onClick={() => onSearch({ ...search, sort: nextSort(name, search.sort) })}
          >
            {label}
          </button>
        ) : (
          label
        )}
      </div>
    );
  };
  return (
    <div class="heads" role="row" aria-rowindex={1}>
      <div role="columnheader" class="tick">
        <span class="unseen">{t('library.chosen')}</span>
      </div>
      <div role="columnheader" class="thumb">
        <span class="unseen">{t('library.picture')}</span>
      </div>
      {header(fieldOf([], '__name'))}
      {columns.map(header)}
    </div>
  );
}
