import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { me, reloadMe } from '../api/session.ts';
import { Button, IconButton } from '../components/button.tsx';
import { useClock } from '../components/clock.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { endNotice, notice } from '../components/toast.ts';
import { shownKeys } from '../keys.ts';
import { leaving, path } from '../router.tsx';
import { t } from '../texts/index.ts';

export { UploadTray } from '../pages/upload/tray.tsx';

/** Bars that may stand at the foot of the page. */
const feet = '.selection, .composer, .save-bar';
const nearFoot = 24;

/** Pixels that bars at the foot take from the page. */
function footHeight(): number {
  const bottom = document.getElementById('main')?.getBoundingClientRect().bottom ?? 0;
  const bars = [...document.querySelectorAll(feet)].map((bar) => bar.getBoundingClientRect());
  const tops = bars.filter((bar) => bar.top < bottom && bar.bottom > bottom - nearFoot).map(({ top }) => top);
  return bottom - Math.min(bottom, ...tops);
}

/** Notice over the foot of the page, above its bars. The focus is scrolled above it. */
export function Toasts() {
  const box = useRef<HTMLDivElement>(null);
  const current = notice.value;
  const place = () => {
    const { style } = document.documentElement;
    const foot = notice.peek() ? footHeight() : 0;
    style.setProperty('--foot', `${foot}px`);
    style.setProperty('--notice', `${notice.peek() ? foot + box.current!.offsetHeight : 0}px`);
  };
  useLayoutEffect(place, [current]);
  useClock(250, () => notice.peek() && place());
  return (
    <div ref={box} class="toasts" role="status" aria-live="polite">
      {current && (
        <div class="toast">
          <span class="grow">{current.text}</span>
          {current.actions.map(({ text, run }) => (
            <Button
              key={text}
              kind="quiet"
              class="act"
              onClick={() => {
                endNotice();
                run();
              }}
            >
              {text}
            </Button>
          ))}
          <IconButton icon="x" label={t('word.close')} onClick={endNotice} />
        </div>
      )}
    </div>
  );
}

/** Reads the session again with each page while the service lacks something: somebody may have brought it. */
export function Renewal() {
  const read = useRef(path.value);
  useEffect(() => {
    if (read.current === path.value) return;
    read.current = path.value;
    if (me.value?.lacks?.length) void reloadMe().catch(() => undefined);
  }, [path.value]);
  return null;
}

/** Asks whether what is typed and not saved may be let go. */
export const AskToLeave = ({ go }: { readonly go: () => void }) => (
  <FormDialog
    title={t('word.leave')}
    kind="danger"
    work={async () => go()}
    onClose={() => {
      leaving.value = undefined;
    }}
  >
    <p>{t('word.leaveUnsaved')}</p>
  </FormDialog>
);

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        {shownKeys().map(([key, text]) => (
          <div key={key}>
            <dt>
              {/* A plus between keys holds both. One by itself is a key. */}
              {key.split(/(?<=[^ ])\+(?=[^ ])| /).map((part, at) => (
                <kbd key={at}>{part}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
