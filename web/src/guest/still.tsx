import type { SharedItemType } from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Desk } from '../comments/desk.ts';
import { Overlay } from '../comments/overlay.tsx';
import { IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { t } from '../texts/index.ts';
import type { kindOf, OpenShare } from './guest.ts';
import { Stand } from './list.tsx';

interface StillProps {
  readonly share: OpenShare;
  readonly id: string;
  readonly item: SharedItemType;
  readonly desk: Desk | undefined;
  readonly onBroken: () => void;
  readonly title: string;
  readonly kind: ReturnType<typeof kindOf>;
  /** Shows a picture here, and a document in a tab of its own. */
  readonly src: string | undefined;
  /** Whether the guest can download what is not shown. */
  readonly canKeep: boolean;
}

/** A picture or a document, or what stands for something that browsers do not show. */
export function Still({ share, id, item, title, kind, src, desk, canKeep, onBroken }: StillProps) {
  const [hasPicture, setPicture] = useState(true);
  const [isLarge, setLarge] = useState(false);
  const isPicture = kind === 'picture' && src !== undefined;
  const words =
    kind === 'document'
      ? !canKeep && t('guest.unread')
      : kind === 'picture'
        ? hasPicture && t('guest.small')
        : t('guest.silent');
  return (
    <div class="player">
      <div class={isPicture ? 'stage enlarges' : 'stage small-picture'}>
        {hasPicture ? (
          <img
            src={isPicture ? src : share.atItem(id, '/picture')}
            alt={title}
            onClick={isPicture ? () => setLarge(true) : undefined}
            onError={isPicture ? onBroken : () => setPicture(false)}
          />
        ) : (
          <Stand item={item} />
        )}
        {desk?.hasPicture && hasPicture && <Overlay desk={desk} />}
        {isPicture && <IconButton icon="full" label={t('guest.enlarge')} onClick={() => setLarge(true)} />}
      </div>
      {src === undefined && words && <p class="muted">{words}</p>}
      {kind === 'document' && src !== undefined && (
        <a class="button main reads" href={src} target="_blank" rel="noopener">
          <Icon name="file" />
          {t('guest.read')}
        </a>
      )}
      {isPicture && isLarge && <Large src={src} title={title} onClose={() => setLarge(false)} />}
    </div>
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
      <IconButton icon="x" label={t('guest.close')} onClick={() => own.current?.close()} />
    </dialog>
  );
}
