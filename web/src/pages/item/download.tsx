import type { ItemType } from 'portico/types';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../texts/index.ts';
import { filesOf, isClosed, originalOf, titleOf } from './item.ts';

interface DownloadProps {
  readonly item: ItemType;
  readonly kind?: 'main' | undefined;
}

/** Link to the file that was imported, once it is whole. */
export function Download({ item, kind }: DownloadProps) {
  const original = originalOf(item);
  const file = original && filesOf(original)[0];
  if (file?.state !== 'CLOSED' || isClosed(item)) return null;
  const address = `/API/item/${item.id}/shape/${original?.id}/data?useOriginalFilename=false`;
  return (
    <a
      class={kind ? `button download ${kind}` : 'button download'}
      href={address}
      download={titleOf(item)}
      aria-label={t('item.download')}
    >
      <Icon name="download" />
      <span>{t('item.download')}</span>
    </a>
  );
}
