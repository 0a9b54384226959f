import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Items that are to be deleted: no list asks for them. */
export const leaving = new Set<string>();

/** The last time that items have left the lists, or are back because somebody has undone it. */
export const moved = signal<{ readonly isUndone: boolean } | undefined>(undefined);

/** Reads a list again when items have left it to be deleted, and when they are back. `back`: somebody has undone it. */
export function useMoved(run: () => void, back: () => void): void {
  const seen = useRef(moved.value);
  useEffect(() => {
    if (seen.current === moved.value) return;
    seen.current = moved.value;
    run();
    if (moved.value?.isUndone) back();
  }, [moved.value]);
}
