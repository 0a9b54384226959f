import { useEffect, useRef } from 'preact/hooks';
import { onEvent } from '../../api/events.ts';

/** Milliseconds in which several events are one. */
const together = 500;

/** Reads again after events, of an item unless its id is undefined. */
export function useNewsOf(id: string | undefined, names: string | readonly string[], reload: () => unknown): void {
  const current = useRef(reload);
  current.current = reload;
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = onEvent(names, ({ entityId, data = [] }) => {
      if (id !== undefined && entityId !== id && !data.some((each) => each.value === id)) return;
      clearTimeout(due);
      due = setTimeout(() => current.current(), together);
    });
    return () => {
      end();
      clearTimeout(due);
    };
  }, [id]);
}
