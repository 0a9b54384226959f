import { signal } from '@preact/signals';

interface Action {
  readonly text: string;
  readonly run: () => void;
}

export interface Notice {
  readonly text: string;
  readonly actions: readonly Action[];
}

/** A notice of work that waits. Others do not take its place, and closing it ends the wait. */
export interface Standing extends Notice {
  readonly onClose: () => void;
}

export const standing = signal<Standing | undefined>(undefined);

/** The notice that is shown. */
export const notice = signal<Notice | undefined>(undefined);
const seconds = 6;
let timer: ReturnType<typeof setTimeout>;

export const endNotice = (): void => {
  notice.value = undefined;
};

/** Tells something that has happened, for some seconds, in the place of what was told before. With an action it stays longer. */
export function toast(text: string, ...offered: readonly (Action | undefined)[]): void {
  const actions = offered.filter((each) => each !== undefined);
  clearTimeout(timer);
  notice.value = { text, actions };
  timer = setTimeout(endNotice, seconds * (actions.length > 0 ? 2000 : 1000));
}

/** Tells what did not work. It stays until somebody closes it or opens another page, or something else is told. */
export function tellFailure(text: string): void {
  toast(text);
  clearTimeout(timer);
}
