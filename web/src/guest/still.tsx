import type { SharedItemType } from 'portico/types';
import { useState } from 'preact/hooks';
import type { Desk } from '../comments/desk.ts';
import { Overlay } from '../comments/overlay.tsx';
import { Icon } from '../components/icon.tsx';
import { Picture } from '../player/picture.tsx';
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
  /** Shows a picture, and a document that browsers read. */
  readonly src: string | undefined;
  readonly isPdf: boolean;
  /** Whether the guest can download what is not shown. */
  readonly canKeep: boolean;
}

/** A picture or a document, or what stands for something that browsers do not show. */
export function Still({ share, id, item, title, kind, src, isPdf, desk, canKeep, onBroken }: StillProps) {
  const [hasPicture, setPicture] = useState(true);
  const isPicture = kind === 'picture' && src !== undefined;
  const over = desk?.hasPicture && <Overlay desk={desk} />;
  const words =
    kind === 'document'
      ? !canKeep && t('guest.unread')
      : kind === 'picture'
        ? hasPicture && t('guest.small')
        : t('guest.silent');
  return (
    <div class="player">
      {isPicture ? (
        <Picture {...{ src, title, onBroken }}>{over}</Picture>
      ) : src !== undefined && isPdf && navigator.pdfViewerEnabled ? (
        <iframe class="pdf" src={`${src}#navpanes=0`} title={title} />
      ) : (
        <div class="stage small-picture">
          {hasPicture ? (
            <img src={share.atItem(id, '/picture')} alt={title} onError={() => setPicture(false)} />
          ) : (
            <Stand item={item} />
          )}
          {hasPicture && over}
        </div>
      )}
      {src === undefined && words && <p class="muted">{words}</p>}
      {kind === 'document' && src !== undefined && (
        <a class="button main reads" href={src} target="_blank" rel="noopener">
          <Icon name="file" />
          {t('guest.read')}
        </a>
      )}
    </div>
  );
}
