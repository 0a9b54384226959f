import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../components/button.tsx';
import { useDialogKeys } from '../keys.ts';
import { t } from '../texts/index.ts';
import './player.css';

interface PictureProps {
  readonly src: string;
  readonly title: string;
  readonly onBroken: () => void;
  /** Over the picture. */
  readonly children?: ComponentChildren;
}

/** A picture, which fills the window at a click. */
export function Picture({ src, title, onBroken, children }: PictureProps) {
  const [isLarge, setLarge] = useState(false);
  const enlarge = () => setLarge(true);
  return (
    <>
      <div class="stage enlarges">
        <img src={src} alt={title} onClick={enlarge} onError={onBroken} />
        {children}
        <IconButton icon="full" label={t('player.full')} onClick={enlarge} />
      </div>
      {isLarge && <Large {...{ src, title }} onClose={() => setLarge(false)} />}
    </>
  );
}

interface LargeProps {
  readonly src: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** A picture that fills the window. A click shows its own pixels, and the next one all of it again. */
function Large({ src, title, onClose }: LargeProps) {
  const own = useRef<HTMLDialogElement>(null);
  const [isWhole, setWhole] = useState(true);
  useDialogKeys();
  useEffect(() => own.current?.showModal(), []);
  return (
    <dialog
      class={isWhole ? 'large' : 'large own-pixels'}
      ref={own}
      aria-label={title}
      onClose={onClose}
      onClick={({ target }) => target === own.current && own.current?.close()}
    >
      <img src={src} alt={title} onClick={() => setWhole(!isWhole)} />
      <IconButton icon="x" label={t('word.close')} onClick={() => own.current?.close()} />
    </dialog>
  );
}
