import type { ArchiveDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { toast } from '../../components/toast.ts';
import { t } from '../../texts/index.ts';
import { ownPath } from './results.ts';

/** Lets the browser take a file. */
export function take(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

/** Takes one ZIP file with the originals of items, or of a collection, and tells what is not in it. */
export async function downloadZip(chosen: Pick<ArchiveDocument, 'item' | 'collection' | 'title'>): Promise<void> {
  const { uri = '', files = 0, leftOut = 0 } = await send<ArchiveDocument>('POST', '/item/archive', chosen);
  if (files > 0) take(ownPath(uri));
  toast(
    files === 0
      ? t('library.zipNone')
      : [t('library.downloadBegins'), leftOut > 0 && t('library.zipLeftOut', { count: leftOut })]
          .filter(Boolean)
          .join(' '),
  );
}
