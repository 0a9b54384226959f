import { useState } from 'preact/hooks';
import { me } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import type { DialogName } from './actions.ts';
import { type ChosenItems, removeFromCollection } from './actions.ts';
import { addFavourites } from './favourites.ts';

interface SelectionBarProps {
  readonly size: number;
  readonly isAll: boolean;
  readonly count: number;
  readonly collection: string | undefined;
  readonly chosen: ChosenItems;
  readonly onAll: () => void;
  readonly onNone: () => void;
  readonly onAsk: (name: DialogName) => void;
  readonly onRemoved: () => void;
}

/** Makes chosen items favourites, and tells so. */
export async function star(chosen: ChosenItems, count: number): Promise<void> {
  if (count > 0) await act(() => addFavourites(chosen), t('library.starred', { count }));
}

/** What can be done with the chosen items, for who may do it. */
export function SelectionBar({
  size,
  isAll,
  count,
  collection,
  chosen,
  onAll,
  onNone,
  onAsk,
  onRemoved,
}: SelectionBarProps) {
  const [failure, setFailure] = useState<unknown>(undefined);
  const remove = () => {
    if (collection !== undefined) removeFromCollection(collection, chosen).then(onRemoved, setFailure);
  };
  return (
    <div class="selection" role="toolbar" aria-label={t('library.withChosen', { count: size })}>
      <IconButton icon="x" label={t('library.chooseNone')} onClick={onNone} />
      <strong role="status">{t('library.chosenCount', { count: size })}</strong>
      {!isAll && size < count && (
        <button type="button" class="link" onClick={onAll}>
          {t('library.chooseAll', { count })}
        </button>
      )}
      <span class="actions">
        {may('item.edit') && may('item.metadata') && <Button onClick={() => onAsk('edit')}>{t('library.edit')}</Button>}
        {may('collection.write') && (
          <>
            <Button onClick={() => onAsk('collection')}>{t('library.addTo')}</Button>
            <IconButton icon="star" label={t('library.star')} onClick={() => void star(chosen, size)} />
          </>
        )}
        {collection !== undefined && may('collection.write') && (
          <Button onClick={remove}>{t('library.takeOut')}</Button>
        )}
        {may('item.export') && ((!isAll && size === 1) || may('library.write')) && (
          <Button onClick={() => onAsk('export')}>{t('library.export')}</Button>
        )}
        {may('item.transcode') && me.value?.transcoder === true && (
          <Button onClick={() => onAsk('transcode')}>{t('library.transcode')}</Button>
        )}
        {may('item.grant') && <Button onClick={() => onAsk('access')}>{t('access.title')}</Button>}
        {may('item.delete') && (
          <Button kind="danger" onClick={() => onAsk('delete')}>
            {t('word.delete')}
          </Button>
        )}
      </span>
      {failure !== undefined && <RefusalNote error={failure} />}
    </div>
  );
}
