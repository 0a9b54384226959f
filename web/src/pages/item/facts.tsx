import type { ItemType } from 'portico/types';
import { typeWords } from '../../kit/media-words.ts';
import { Bytes, Fact } from '../../kit/values.tsx';
import { durationOf, lengthText } from '../../player/frames.ts';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { dateText, t } from '../../texts/index.ts';
import { kindName } from '../library/tile.tsx';
import { valuesOf } from './form/model.ts';
import { filesOf, formatOf, originalOf } from './item.ts';

/** What every item has: kind, length, size, format, storage, and when it came. */
export function Facts({ item }: { readonly item: ItemType }) {
  const values = valuesOf(item.metadata ?? {});
  const original = originalOf(item);
  const file = original && filesOf(original)[0];
  const seconds = durationOf(original);
  const first = (name: string) => values[name]?.[0]?.text;
  const [kind, created, user] = [first('mediaType'), first('created'), first('user')];
  const format = original && [original.mimeType?.map(typeWords).join(', '), formatOf(original)].filter(Boolean);
  return (
    <dl class="facts small item-facts">
      <Fact name={t('item.kind')}>{kind && kindName(kind)}</Fact>
      <Fact name={t('player.length')}>{seconds !== undefined && lengthText(seconds)}</Fact>
      <Fact name={t('item.format')}>{format?.join(' · ')}</Fact>
      <Fact name={t('item.size')}>{(file?.size ?? -1) >= 0 && <Bytes value={file?.size} />}</Fact>
      <Fact name={t('item.storage')}>
        {file?.storage &&
          (may('storage.read') ? <Link to={`/storage/${file.storage}`}>{file.storage}</Link> : file.storage)}
      </Fact>
      <Fact name={t('item.added')}>{created && [dateText(new Date(created)), user].filter(Boolean).join(' · ')}</Fact>
    </dl>
  );
}
