import { navigate } from '../../router.tsx';

interface Position {
  readonly top: number;
  readonly active: number;
  /** Whether the person has gone on to the active entry: the focus is there on the way back. */
  readonly isLeft?: boolean;
}

/** Scroll position and active entry of each address, for the way back from an item. */
export const positions = new Map<string, Position>();

/** The entry that a right click is on. A finger that rests selects, and with Shift the browser has its own menu. */
export function entryUnder(event: MouseEvent): number | undefined {
  const [, index] = /^entry-(\d+)$/.exec((event.target as Element).closest('[id^=entry-]')?.id ?? '') ?? [];
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
  return index === undefined || event.shiftKey || isTouch ? undefined : Number(index);
}

const restMs = 400;

/** Opens an item. Its page takes no pointer for a moment: the second click of a double click does no harm there. */
export function open(id: string): void {
  const main = document.getElementById('main')!;
  main.dataset['rests'] = '';
  // The second click selects no word either.
  const still = (event: MouseEvent) => event.detail > 1 && event.preventDefault();
  addEventListener('mousedown', still, true);
  setTimeout(() => {
    delete main.dataset['rests'];
    removeEventListener('mousedown', still, true);
  }, restMs);
  navigate(`/item/${id}`);
}
