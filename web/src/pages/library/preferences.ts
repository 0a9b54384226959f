import { signal } from '@preact/signals';
import { send } from '../../api/client.ts';
import { me, ownPath, preferences } from '../../api/session.ts';

/** How a person sees lists. Kept as metadata of the user, so that it is the same on each machine. */
export interface View {
  readonly view: 'grid' | 'table';
  /** Least width of a tile in pixels. */
  readonly size: number;
  readonly columns: readonly string[];
  readonly facets: boolean;
  /** Filters that the person has folded or unfolded, and whether each is open. */
  readonly open: Readonly<Record<string, boolean>>;
  /** Whether the panel stands beside the list, also after the next start. */
  readonly pinned: boolean;
}

/** Least widths of tiles. */
export const sizes = { S: 140, M: 200, L: 320 } as const;

const standard: View = {
  view: 'grid',
  size: sizes.M,
  columns: ['mediaType', 'durationSeconds', 'created'],
  facets: true,
  open: {},
  pinned: false,
};
const name = 'library';
const pauseMs = 800;

export const view = signal<View>(standard);
let readFor: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the view once for each login. What cannot be read is the standard. */
export async function readView(): Promise<void> {
  const user = me.value?.userName;
  if (user === undefined || user === readFor) return;
  readFor = user;
  view.value = standard;
  try {
    const storedView = JSON.parse((await preferences()).get(name) ?? '{}') as Partial<View>;
    const size = Object.values(sizes).find((each) => each >= (storedView.size ?? sizes.M)) ?? sizes.L;
    view.value = { ...standard, ...storedView, size };
  } catch {
    view.value = standard;
  }
}

export function setView(change: Partial<View>): void {
  view.value = { ...view.value, ...change };
  clearTimeout(timer);
  timer = setTimeout(() => {
    const field = [{ key: `portico.ui.${name}`, value: JSON.stringify(view.value) }];
    // A view that cannot be kept is no reason to trouble a person.
    if (me.value) send('PUT', ownPath('/metadata'), { field }).catch(() => undefined);
  }, pauseMs);
}
