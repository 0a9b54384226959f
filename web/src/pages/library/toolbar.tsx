import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { type FieldInfo, isSortable } from './facets.ts';
import { setView, view } from './preferences.ts';
import type { Search } from './search.ts';

const sizes = { least: 120, most: 400, step: 20 };

interface ToolbarProps {
  readonly title: string;
  readonly count: number | undefined;
  readonly search: Search;
  readonly fields: readonly FieldInfo[];
  readonly standardOrder: string;
  readonly onSearch: (search: Search) => void;
  readonly hasFacets: boolean;
  readonly onFacets: () => void;
  readonly onSave?: () => void;
  readonly canUpload: boolean;
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

export function Toolbar({
  title,
  count,
  search,
  fields,
  standardOrder,
  hasFacets,
  onSearch,
  onFacets,
  onSave,
  canUpload,
}: ToolbarProps) {
  const { view: kind, size } = view.value;
  const sortable = fields.filter(isSortable);
  const isTable = kind === 'table';
  return (
    <header class="toolbar">
      <IconButton
        icon="filter"
        label={hasFacets ? t('library.hideFacets') : t('library.showFacets')}
        onClick={onFacets}
      />
      <h1>
        {title} {count !== undefined && <span class="count">{t('library.items', { count })}</span>}
      </h1>
      {onSave && <Button onClick={onSave}>{t('library.saveSearch')}</Button>}
      <label class="sort">
        <span>{t('library.sort')}</span>
        <select
          class="input"
          aria-label={t('library.sort')}
          value={search.sort}
          onChange={(event) => onSearch({ ...search, sort: event.currentTarget.value })}
        >
          <option value="">{standardOrder}</option>
          {sortable.flatMap(({ name, label }) => [
            <option key={name} value={name}>{`${label} ↑`}</option>,
            <option key={`-${name}`} value={`-${name}`}>{`${label} ↓`}</option>,
          ])}
        </select>
      </label>
      {isTable ? (
        <Columns fields={fields} />
      ) : (
        <input
          class="size"
          type="range"
          min={sizes.least}
          max={sizes.most}
          step={sizes.step}
          value={size}
          aria-label={t('library.size')}
          onInput={(event) => setView({ size: Number(event.currentTarget.value) })}
        />
      )}
      <IconButton
        icon={isTable ? 'library' : 'table'}
        label={isTable ? t('library.asGrid') : t('library.asTable')}
        onClick={() => setView({ view: isTable ? 'grid' : 'table' })}
      />
      {canUpload && (
        <Link to="/upload" class="button main to-upload">
          <Icon name="upload" />
          {t('library.upload')}
        </Link>
      )}
    </header>
  );
}
