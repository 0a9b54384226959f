import { personName } from '../../components/person.tsx';
import { dayText, t } from '../../texts/index.ts';
import { approvalField, usageField } from './facets.ts';
import { type Range, type Search, unreviewed, withPick, withRange } from './search.ts';
import { kindName } from './tile.tsx';

/** State of a version under review. */
export function stateName(state: string = unreviewed): string {
  const names: Record<string, string> = {
    'in-review': t('library.inReview'),
    approved: t('library.approved'),
    rejected: t('library.rejected'),
    [unreviewed]: t('library.unreviewed'),
  };
  return names[state] ?? state;
}

/** State of rights of use, and how it looks. */
export function rightsOf(state = ''): readonly [tone: 'bad' | 'warn' | 'good' | undefined, words: string] {
  if (state === 'ended') return ['bad', t('library.rightsEnded')];
  if (state === 'later') return ['warn', t('library.rightsLater')];
  return state === 'usable' ? ['good', t('library.rightsUsable')] : [undefined, t('library.rightsEndSoon')];
}

export function valueName(field: string, value: string, isStars = false): string {
  if (isStars) return `${value} ★`;
  if (field === 'mediaType') return kindName(value);
  if (field === approvalField) return stateName(value);
  if (field === usageField) return rightsOf(value)[1];
  return value === '' ? t('library.noValue') : field === 'user' ? personName(value) : value;
}

const isDay = /^\d{4}-\d\d-\d\d$/;

function rangeText(range: Range): string {
  const [from, to] = [range.from, range.to].map((bound) =>
    isDay.test(bound) ? dayText(new Date(`${bound}T00:00`)) : bound,
  ) as [string, string];
  return from === ''
    ? t('library.upTo', { to })
    : to === ''
      ? t('library.fromOn', { from })
      : from === to
        ? from
        : `${from} – ${to}`;
}

/** Filters of the search, each with a button that takes it away. */
export function chipsOf(
  search: Search,
  labelOf: (field: string) => string,
): { key: string; text: string; without: Search }[] {
  const picks = Object.entries(search.picks).flatMap(([field, values]) =>
    values.map((value) => ({
      key: `${field}:${value}`,
      text: `${labelOf(field)}: ${valueName(field, value)}`,
      without: withPick(search, field, value, false),
    })),
  );
  const ranges = Object.entries(search.ranges).map(([field, range]) => ({
    key: field,
    text: `${labelOf(field)}: ${rangeText(range)}`,
    without: withRange(search, field, undefined),
  }));
  return [...picks, ...ranges];
}
