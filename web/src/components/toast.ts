import { signal } from '@preact/signals';

interface Action {
  readonly text: string;
  readonly run: () => void;
}

interface Notice {
  readonly text: string;
  readonly action: Action | undefined;
}

/** The notice that is shown. */
export const notice = signal<Notice | undefined>(undefined);
const seconds = 6;
let timer: ReturnType<typeof setTimeout>;

export const endNotice = (): void => {
  notice.value = undefined;
};

/** Tells something that has happened, for some seconds, in the place of what was told before. With an action it stays longer. */
export function toast(text: string, action?: Action): void {
  clearTimeout(timer);
  notice.value = { text, action };
  timer = setTimeout(endNotice, seconds * (action ? 2000 : 1000));
}

/** Tells what did not work. It stays until somebody closes it, or something else is told. */
export function tellFailure(text: string): void {
  toast(text);
  clearTimeout(timer);
}
