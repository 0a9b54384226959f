import { useEffect } from 'preact/hooks';
import type { Results } from './results.ts';

/** Why items are in a list. */
export interface Reasons {
  readonly read: (ids: readonly string[]) => Promise<void>;
  readonly of: (id: string) => string | undefined;
}

export function useReasons(reasons: Reasons | undefined, results: Results): void {
  const list = results.list.value;
  useEffect(() => {
    if (reasons && list) reasons.read(Array.from(list.loadedEntries(), ([, { id }]) => id)).catch(() => undefined);
  }, [list, results.version.value]);
}
