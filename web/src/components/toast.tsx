import { signal } from '@preact/signals';
import { t } from '../texts/index.ts';
import { Button, IconButton } from './button.tsx';

interface Action {
  readonly text: string;
  readonly run: () => void;
}

interface Shown {
  readonly id: number;
  readonly text: string;
  readonly action: Action | undefined;
}

const shown = signal<readonly Shown[]>([]);
const seconds = 6;
let serial = 0;

const end = (id: number): void => {
  shown.value = shown.value.filter((each) => each.id !== id);
};

/** Tells something that has happened, for some seconds. With an action it stays longer. */
export function toast(text: string, action?: Action): void {
  const id = ++serial;
  shown.value = [...shown.value.slice(-2), { id, text, action }];
  setTimeout(end, seconds * (action ? 2000 : 1000), id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span class="grow">{text}</span>
          {action && (
            <Button
              kind="quiet"
              class="act"
              onClick={() => {
                end(id);
                action.run();
              }}
            >
              {action.text}
            </Button>
          )}
          <IconButton icon="x" label={t('word.close')} onClick={() => end(id)} />
        </div>
      ))}
    </div>
  );
}
