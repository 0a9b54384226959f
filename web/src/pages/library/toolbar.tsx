import { useRef } from 'preact/hooks';
import { Button, IconButton } from '../../components/button.tsx';
import { t } from '../../texts/index.ts';
import { type FieldInfo, isSortable } from './facets.ts';
import { fieldOf } from './fields.ts';
import { setView, sizes, view } from './preferences.ts';
import type { Search } from './search.ts';

/** Whether the search is ordered by the field, such as one of a search that was saved. */
const named = (sort: string, { name }: FieldInfo): boolean => sort.replace(/^-/, '') === name;

interface ToolbarProps {
  readonly title: string;
  /** Number of items in words. */
  readonly count: string | undefined;
  /** Items that came after the list. */
  readonly newer: number;
  readonly onNewer: () => void;
  readonly search: Search;
  readonly fields: readonly FieldInfo[];
  readonly standardOrder: string;
  readonly onSearch: (search: Search) => void;
  readonly hasFacets: boolean;
  readonly onFacets: () => void;
  readonly hasPanel: boolean;
  readonly onPanel: () => void;
  readonly onSave?: () => void;
  readonly onUpload: ((files: readonly File[]) => void) | undefined;
}

function UploadButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button kind="main" icon="upload" class="to-upload" onClick={() => chooser.current?.click()}>
        {t('library.upload')}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('library.upload')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function Columns({ fields }: { fields: readonly FieldInfo[] }) {
  const { columns } = view.value;
  const columnFields = fields.filter(({ name, isSystem }) => name !== 'title' && (!isSystem || columns.includes(name)));
  return (
    <details class="columns">
      <summary class="button">{t('library.columns')}</summary>
      <div>
        {columnFields.map(({ name, label }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={columns.includes(name)}
              onChange={(event) =>
                setView({
                  columns: event.currentTarget.checked ? [...columns, name] : columns.filter((each) => each !== name),
                })
              }
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </details>
  );
}

/** Small, medium and large tiles, or a table. One stop for the keyboard. */
function Views() {
  const { view: kind, size } = view.value;
  const isTable = kind === 'table';
  const options = [
    ['S', t('library.sizeS'), !isTable && size === sizes.S, { view: 'grid', size: sizes.S }],
    ['M', t('library.sizeM'), !isTable && size === sizes.M, { view: 'grid', size: sizes.M }],
    ['L', t('library.sizeL'), !isTable && size === sizes.L, { view: 'grid', size: sizes.L }],
    [t('library.asTable'), t('library.asTable'), isTable, { view: 'table' }],
  ] as const;
  return (
    <div class="views" role="radiogroup" aria-label={t('library.size')}>
      {options.map(([name, label, isOn, change]) => (
        <label key={name} title={label}>
          <input type="radio" name="view" aria-label={label} checked={isOn} onChange={() => setView(change)} />
          <span aria-hidden="true">{name}</span>
        </label>
      ))}
    </div>
  );
}

export function Toolbar(props: ToolbarProps) {
  const { title, count, newer, search, fields, hasFacets, hasPanel, onSearch, onSave } = props;
  const sortable = [fieldOf([], '__name'), ...fields].filter((field) => isSortable(field) || named(search.sort, field));
  return (
    <header class="toolbar">
      <IconButton
        icon="filter"
        label={hasFacets ? t('library.hideFacets') : t('library.showFacets')}
        onClick={props.onFacets}
      />
      <h1>
        <span class="name">{title}</span> {count !== undefined && <span class="count">{count}</span>}
      </h1>
      {newer > 0 && (
        <button type="button" class="link" onClick={props.onNewer}>
          {t('library.newer', { count: newer })}
        </button>
      )}
      <span class="grow" />
      {onSave && <Button onClick={onSave}>{t('library.saveSearch')}</Button>}
      {view.value.view === 'table' && <Columns fields={fields} />}
      <label class="sort">
        <span>{t('library.sort')}</span>
        <select
          class="input"
          aria-label={t('library.sort')}
          value={search.sort}
          onChange={(event) => onSearch({ ...search, sort: event.currentTarget.value })}
        >
          <option value="">{props.standardOrder}</option>
          {sortable.flatMap(({ name, label }) => [
            <option key={name} value={name}>{`${label} ↑`}</option>,
            <option key={`-${name}`} value={`-${name}`}>{`${label} ↓`}</option>,
          ])}
        </select>
      </label>
      <Views />
      <IconButton icon="info" label={t('library.panel')} aria-pressed={hasPanel} onClick={props.onPanel} />
      {props.onUpload && <UploadButton onFiles={props.onUpload} />}
    </header>
  );
}
