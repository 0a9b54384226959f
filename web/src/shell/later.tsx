import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { me, reloadMe } from '../api/session.ts';
import { Button, IconButton } from '../components/button.tsx';
import { useClock } from '../components/clock.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { endNotice, notice, type Standing, standing } from '../components/toast.ts';
import { shownKeys } from '../keys.ts';
import { lacks } from '../rights.ts';
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

// Notices are about the page that is open. Those of work that waits stay.
path.subscribe(endNotice);

const box = document.createElement('div');
box.className = 'toasts';
box.role = 'status';
box.ariaLive = 'polite';

/** Puts notices over the foot of the page, above its bars, or into the dialog over it. The focus is scrolled above them. */
function place(): void {
  const under = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('.shell');
  if (box.parentElement !== under) {
    under?.append(box);
    under?.addEventListener('close', place, { once: true });
  }
  const { style } = document.documentElement;
  const foot = box.firstChild ? footHeight() : 0;
  style.setProperty('--foot', `${foot}px`);
  style.setProperty('--notice', `${box.firstChild ? foot + box.offsetHeight : 0}px`);
}

function Toast({ text, actions, onClose }: Standing) {
  return (
    <div class="toast">
      <span class="grow">{text}</span>
      {actions.map((action) => (
        <Button
          key={action.text}
          kind="quiet"
          class="act"
          onClick={() => {
            endNotice();
            action.run();
          }}
        >
          {action.text}
        </Button>
      ))}
      <IconButton icon="x" label={t('word.close')} onClick={onClose} />
    </div>
  );
}

function Notices() {
  useLayoutEffect(place, [notice.value, standing.value]);
  useClock(250, () => box.firstChild && place());
  return (
    <>
      {standing.value && <Toast {...standing.value} />}
      {notice.value && <Toast {...notice.value} onClose={endNotice} />}
    </>
  );
}

/** Notices have a root of their own: their element moves between the page and its dialogs. */
export function Toasts() {
  useLayoutEffect(() => {
    render(<Notices />, box);
    return () => {
      render(null, box);
      box.remove();
    };
  }, []);
  return null;
}

/** Reads the session again with each page while the service lacks something: somebody may have brought it. */
export function Renewal() {
  const read = useRef(path.value);
  useEffect(() => {
    if (read.current === path.value) return;
    read.current = path.value;
    if (me.value?.lacks?.length || lacks('access')) void reloadMe().catch(() => undefined);
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
