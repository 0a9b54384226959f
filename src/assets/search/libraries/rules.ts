import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { LibraryRow } from '../../items/public.ts';
import type { LibrarySettingsValue } from './documents.ts';
import type { LibrarySettings } from './parts.ts';
import type { KeptSettings } from './store.ts';

type Refreshing = Pick<LibraryRow, 'updateMode' | 'autoRefresh'>;

/** Whether the library stores no items: each read runs the query. */
export const isTransient = ({ updateMode }: Pick<Refreshing, 'updateMode'>): boolean => updateMode === 'TRANSIENT';

/** Whether the query alone determines the items, so that requests cannot change them. */
const isRefreshed = (row: Refreshing): boolean => row.autoRefresh === 1 || isTransient(row);

export function expectOwnItems(row: Refreshing & Pick<LibraryRow, 'id'>): void {
  if (!isRefreshed(row)) return;
  const explanation = 'Expected a library that does not refresh itself: autoRefresh false, updateMode not TRANSIENT';
  throw new ServiceError('library-refreshed', { type: 'Library', id: row.id, explanation });
}

/** Time of the next automatic refresh. NULL: never. */
export const nextLibraryUpdate = (
  { autoRefresh, updateMode, updateFrequency }: Omit<KeptSettings, 'due'>,
  now: number,
) =>
  autoRefresh === 1 && updateFrequency !== null && !isTransient({ updateMode }) ? now + updateFrequency * 1000 : null;

type RefreshSettings = Pick<LibrarySettingsValue, 'updateMode' | 'autoRefresh' | 'updateFrequency'>;

const defaults = { updateMode: 'MERGE', autoRefresh: 0, updateFrequency: null } as const;

/** Merges settings of a request with the previous ones. */
export function keptSettings(
  wanted: RefreshSettings,
  now: number,
  before: Omit<KeptSettings, 'due'> = defaults,
): KeptSettings {
  const { updateFrequency: frequency } = wanted;
  if (frequency !== undefined && (frequency < 0 || frequency > 1_000_000_000)) {
    const expected = 'seconds from 0 to 1000000000';
    throw badValue('/LibrarySettingsDocument/updateFrequency', expected, String(frequency));
  }
  const settings = {
    updateMode: wanted.updateMode ?? before.updateMode,
    autoRefresh: wanted.autoRefresh === undefined ? before.autoRefresh : Number(wanted.autoRefresh),
    // 0 seconds: no automatic refresh.
    updateFrequency: frequency === undefined ? before.updateFrequency : frequency || null,
  };
  return { ...settings, due: nextLibraryUpdate(settings, now) };
}

export const tooManyLibraries = (
  { maxLibraryItems }: Pick<LibrarySettings, 'maxLibraryItems'>,
  id: string,
): ServiceError =>
  new ServiceError('bad-value', {
    context: 'library',
    id,
    explanation: `Expected at most ${maxLibraryItems} items (setting maxLibraryItems)`,
  });

/** Applies a new result by the update mode. */
export function changeBy(
  updateMode: string,
  stored: ReadonlySet<string>,
  hitIds: readonly string[],
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const added = hitIds.filter((id) => !stored.has(id));
  if (updateMode !== 'REPLACE') return { added, removed: [] };
  const all = new Set(hitIds);
  return { added, removed: [...stored].filter((id) => !all.has(id)) };
}
