import { store, stored } from './browser-storage.ts';

/** An item that the person has opened. */
export interface Recent {
  readonly id: string;
  readonly title: string;
}

const max = 8;
const storageKey = 'portico.recent';

interface RecentList {
  readonly user: string | undefined;
  readonly items: readonly Recent[];
}

/** Items that the person opened last in this browser, the newest first. */
export function recentItems(person: string | undefined): readonly Recent[] {
  const { user, items } = (stored(storageKey) ?? {}) as Partial<RecentList>;
  return user === person && Array.isArray(items) ? items : [];
}

/** Remembers an item that is opened. The list is of one person: another login begins a new one. */
export function opened(person: string | undefined, item: Recent): void {
  const items = [item, ...recentItems(person).filter(({ id }) => id !== item.id)].slice(0, max);
  store(storageKey, { user: person, items } satisfies RecentList);
}

export const forgetRecent = (): void => store(storageKey, undefined);
