import type { FacetType } from 'portico/types';
import { useState } from 'preact/hooks';
import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../router.tsx';
import { numberText, t } from '../../texts/index.ts';
import { type Facet, facetValues, shownValues, usageField } from './facets.ts';
import { valueName } from './narrowed.ts';
import { setView, view } from './preferences.ts';
import { type Range, type Search, withPick, withRange } from './search.ts';

interface FacetsProps {
  readonly facets: readonly Facet[];
  readonly answers: ReadonlyMap<string, FacetType>;
  readonly search: Search;
  readonly onSearch: (search: Search) => void;
}

function Values({ facet, answers, search, onSearch }: FacetsProps & { facet: Facet }) {
  const [all, setAll] = useState(false);
  const counted = facetValues(answers.get(facet.field), search.picks[facet.field] ?? []);
  const values = facet.isStars ? counted.toSorted((one, other) => Number(other.value) - Number(one.value)) : counted;
  return (
    <>
      <ul>
        {values
          .slice(0, all ? undefined : Math.max(shownValues, values.filter(({ chosen }) => chosen).length))
          .map((each) => (
            <li key={each.value}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={each.chosen}
                  onChange={(event) => onSearch(withPick(search, facet.field, each.value, event.currentTarget.checked))}
                />
                <span class="value" title={each.value}>
                  {valueName(facet.field, each.value, facet.isStars)}
                </span>
                <span class="count">{each.count === undefined ? '' : numberText(each.count)}</span>
              </label>
            </li>
          ))}
      </ul>
      {values.length > shownValues && (
        <button type="button" class="link" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? t('library.fewer') : t('library.more', { count: values.length - shownValues })}
        </button>
      )}
    </>
  );
}

/** Days back from today, as bounds. The end stays open: what comes today is found, too. */
export function since(days: number, now: Date): Range {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (value: number) => String(value).padStart(2, '0');
  return { from: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`, to: '' };
}

function Bounds({ facet, search, onSearch }: FacetsProps & { facet: Facet }) {
  const range = search.ranges[facet.field] ?? { from: '', to: '' };
  const isDate = facet.kind === 'date';
  const set = (end: 'from' | 'to', value: string) => {
    if (value === range[end]) return;
    const { from, to }: Range = { ...range, [end]: value };
    // Bounds in the wrong order are those of the same range.
    const isTurned = from !== '' && to !== '' && (isDate ? from > to : Number(from) > Number(to));
    onSearch(withRange(search, facet.field, isTurned ? { from: to, to: from } : { from, to }));
  };
  const bound = (end: 'from' | 'to') => (
    <label>
      <span>{end === 'from' ? t('player.from') : t('player.to')}</span>
      <input
        // The key makes the field take a bound that a chip has removed.
        key={range[end]}
        class="input"
        type={isDate ? 'date' : 'number'}
        step="any"
        defaultValue={range[end]}
        onBlur={(event) => set(end, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set(end, event.currentTarget.value);
        }}
      />
    </label>
  );
  return (
    <>
      <div class="bounds">
        {bound('from')}
        {bound('to')}
      </div>
      {isDate && (
        <p class="quick">
          {([0, 7, 30, 365] as const).map((days) => (
            <button
              key={days}
              type="button"
              class="link"
              onClick={() => onSearch(withRange(search, facet.field, since(days, new Date())))}
            >
              {days === 0 ? t('library.today') : t('library.lastDays', { count: days })}
            </button>
          ))}
        </p>
      )}
    </>
  );
}

interface FacetsViewProps extends FacetsProps {
  /** How many items are found, in words. */
  readonly countText: string;
  readonly onClose: () => void;
}

export function FacetsView({ countText, onClose, ...props }: FacetsViewProps) {
  return (
    <aside class="facets" aria-label={t('library.facets')}>
      <header>
        <h2>{t('library.facets')}</h2>
        <IconButton icon="x" label={t('library.closeFacets')} onClick={onClose} />
      </header>
      {props.facets.map((facet) => {
        // A facet whose values nothing has leaves nothing to choose.
        const answer = props.answers.get(facet.field);
        if (facet.kind === 'values' && facetValues(answer, props.search.picks[facet.field] ?? []).length === 0)
          return null;
        const isUsed = facet.field in props.search.picks || facet.field in props.search.ranges;
        const isOpen = view.value.open[facet.field] ?? (isUsed || props.facets.indexOf(facet) < 5);
        return (
          <details key={facet.field} open={isOpen}>
            <summary
              onClick={(event) => {
                event.preventDefault();
                setView({ open: { ...view.value.open, [facet.field]: !isOpen } });
              }}
            >
              <Icon name="right" />
              {facet.label}
              {isUsed && <span class="dot" role="img" aria-label={t('library.narrowed')} />}
            </summary>
            {facet.kind === 'values' ? <Values facet={facet} {...props} /> : <Bounds facet={facet} {...props} />}
            {facet.field === usageField && <Link to="/rights">{t('usage.ending')}</Link>}
          </details>
        );
      })}
      <Button kind="main" class="show" onClick={onClose}>
        {t('library.showFound', { items: countText })}
      </Button>
    </aside>
  );
}
