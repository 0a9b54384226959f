/** An item that the person has opened. */
export interface Recent {
  readonly id: string;
  readonly title: string;
}

const most = 8;
const storageKey = 'portico.recent';

/** Items that the person opened last in this browser, the newest first. */
export function recentItems(person: string | undefined): readonly Recent[] {
  try {
    const { user, items } = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return user === person && Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

/** Remembers an item that is opened. The list is of one person: another login begins a new one. */
export function opened(person: string | undefined, item: Recent): void {
  const items = [item, ...recentItems(person).filter(({ id }) => id !== item.id)].slice(0, most);
  try {
    localStorage.setItem(storageKey, JSON.stringify({ user: person, items }));
  } catch {
    // A browser that keeps nothing has no list.
  }
}

export const forgetRecent = (): void => {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // A browser that keeps nothing has no list.
  }
};
