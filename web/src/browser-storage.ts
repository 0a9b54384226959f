/** Values that the browser keeps. A browser that keeps nothing has none. */

/** A value that was kept as JSON. Undefined: none, or none that can be read. */
export function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value. Undefined: removes it. */
export function store(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page works without it.
  }
}

/** Removes the values that a test chooses by their keys. */
export function dropStored(isOver: (key: string, value: unknown) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) if (isOver(key, stored(key))) localStorage.removeItem(key);
  } catch {
    // The page works without it.
  }
}
