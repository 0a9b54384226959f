import type { ItemType } from 'portico/types';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Menu, type MenuItem, MenuList } from '../../components/menu.tsx';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { type ChosenItems, changeChosen, chosenIds, type DialogName, undoBy } from './actions.ts';
import { addFavourites } from './favourites.ts';
import { downloadZip, take } from './zip.ts';

/** Makes chosen items favourites, and tells so. */
export async function star(chosen: ChosenItems, count: number): Promise<void> {
  if (count > 0) await act(() => addFavourites(chosen), t('library.starred', { count }));
}

/** Most items of one archive. */
const maxArchive = 1_000;

/** The file that was imported, or one ZIP file with those of several items. */
async function downloadChosen(chosen: ChosenItems): Promise<void> {
  const item = await chosenIds(chosen, maxArchive);
  if (item.length > 1) {
    const title = t('library.zipName', { count: item.length, date: new Date().toISOString().slice(0, 10) });
    await downloadZip({ item: [...item], title });
    return;
  }
  const { shape = [] } = await get<ItemType>(`/item/${item[0]}`, { query: { content: 'shape' } });
  const original = shape.find(({ tag }) => tag?.includes('original'));
  take(`/API/item/${item[0]}/shape/${original?.id}/data?useOriginalFilename=false`);
  toast(t('library.downloadBegins'));
}

interface ChosenProps {
  readonly chosen: ChosenItems;
  readonly size: number;
  readonly collection: string | undefined;
  readonly onAsk: (name: DialogName) => void;
  readonly onRemoved: () => void;
}

interface Action extends MenuItem {
  readonly icon: IconName;
  /** Whether the selection bar has a button for it: others are in its menu. */
  readonly isMain?: boolean;
}

/** Actions on the chosen items that the person may take. */
function actionsFor({ chosen, size, collection, onAsk, onRemoved }: ChosenProps): readonly Action[] {
  const { all, ids } = chosen.selection;
  const [only = ''] = !all && size === 1 ? ids : [];
  const asks = (name: DialogName, text: string, icon: IconName, isMain = false): Action => ({
    ...{ text, icon, isMain },
    onChoose: () => onAsk(name),
  });
  const adds = may('collection.write');
  const remove = () =>
    act(async () => {
      toast(t('library.takenOut', { count: size }), undoBy(await changeChosen(chosen, { from: collection })));
      onRemoved();
    });
  return [
    may('share.write') && asks('share', t('shares.share'), 'link', true),
    may('item.shapes') && {
      ...{ text: t(all || size > 1 ? 'library.zip' : 'item.download'), icon: 'download' as const, isMain: true },
      onChoose: () => void act(() => downloadChosen(chosen)),
    },
    adds && asks('collection', t('library.addTo'), 'collections', true),
    may('item.edit') && may('item.metadata') && asks('edit', t('library.edit'), 'edit', true),
    adds && { text: t('library.star'), icon: 'star' as const, onChoose: () => void star(chosen, size) },
    collection !== undefined && adds && asks('move', t('library.move'), 'collections'),
    collection !== undefined &&
      adds && { text: t('library.takeOut'), icon: 'x' as const, onChoose: () => void remove() },
    may('item.export') && (only !== '' || may('library.write')) && asks('export', t('library.export'), 'share'),
    may('item.transcode') && me.value?.transcoder === true && asks('transcode', t('library.transcode'), 'film'),
    may('item.grant') && asks('access', t('access.title'), 'lock'),
    may('item.delete') && { ...asks('delete', t('word.delete'), 'trash', true), danger: true },
  ].filter((each) => each !== false);
}

interface SelectionBarProps extends ChosenProps {
  /** Number of all items. Undefined: it is counted when all are chosen. */
  readonly count: number | undefined;
  readonly onAll: () => void;
  readonly onNone: () => void;
}

export function SelectionBar(props: SelectionBarProps) {
  const { chosen, size, count, onAll, onNone } = props;
  const own = useRef<HTMLDivElement>(null);
  // The focus would be lost with the bar.
  useLayoutEffect(
    () => () => {
      if (own.current?.contains(document.activeElement)) document.querySelector<HTMLElement>('[role=grid]')?.focus();
    },
    [],
  );
  const actions = actionsFor(props);
  const others = actions.filter(({ isMain }) => !isMain);
  const buttons = actions.filter(({ isMain }) => isMain);
  const button = ({ text, icon, danger, onChoose }: Action) => (
    <button key={text} type="button" class={`button ${danger ? 'danger' : ''}`} onClick={onChoose}>
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
  return (
    <div ref={own} class="selection" role="toolbar" aria-label={t('library.withChosen', { count: size })}>
      <IconButton icon="x" label={t('library.chooseNone')} onClick={onNone} />
      <strong role="status">{t('library.chosenCount', { count: size })}</strong>
      {!chosen.selection.all && (count === undefined || size < count) && (
        <button type="button" class="link" onClick={onAll}>
          {count === undefined ? t('library.chooseEvery') : t('library.chooseAll', { count })}
        </button>
      )}
      <span class="actions">
        {buttons.filter(({ danger }) => !danger).map(button)}
        {others.length > 0 && (
          <Menu label={t('word.more')} items={others}>
            <Icon name="more" />
            <span>{t('word.more')}</span>
          </Menu>
        )}
        {buttons.filter(({ danger }) => danger).map(button)}
      </span>
    </div>
  );
}

interface TileMenuProps extends ChosenProps {
  readonly name: string;
  readonly at: { readonly x: number; readonly y: number };
  readonly onOpen: () => void;
  readonly onDetails: () => void;
  readonly onChoose: () => void;
  readonly onClose: (isLeft: boolean) => void;
}

/** The menu of one tile. */
export function TileMenu({ name, at, onOpen, onDetails, onChoose, onClose, ...props }: TileMenuProps) {
  const items: readonly MenuItem[] = [
    { text: t('library.open'), icon: 'eye', onChoose: onOpen },
    { text: t('library.panel'), icon: 'info', onChoose: onDetails },
    { text: t('library.keyChoose'), icon: 'check', onChoose },
    ...actionsFor(props),
  ];
  return <MenuList label={t('library.actionsOf', { name })} items={items} place={at} onClose={onClose} />;
}
