import { useSignalEffect } from '@preact/signals';
import type { SharedItemType, SharedSheetDocument } from 'portico/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { timesOf } from '../comments/comments.ts';
import { Composer } from '../comments/composer.tsx';
import type { Desk } from '../comments/desk.ts';
import { CommentList } from '../comments/list.tsx';
import { CommentMarks } from '../comments/marks.tsx';
import { Overlay } from '../comments/overlay.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { typeWords } from '../components/words.ts';
import { keepLetters } from '../keys.ts';
import { createEngine, type Engine } from '../player/engine.ts';
import type { Counting } from '../player/frames.ts';
import { Player } from '../player/player.tsx';
import { useSheet } from '../player/sheet.ts';
import { playsStreams } from '../player/stream.ts';
import { Timeline } from '../player/timeline.tsx';
import { sizeText, t } from '../texts/index.ts';
import { deskFor, newsFor } from './comments.ts';
import { ask, hrefOf, kindOf, type OpenShare, pageSize } from './guest.ts';
import { About } from './list.tsx';
import { Signature } from './signature.tsx';
import { Still } from './still.tsx';

export { keepMark } from './viewer-mark.ts';

interface ItemProps {
  readonly share: OpenShare;
  readonly id: string;
  readonly onFail: (error: unknown) => void;
}

// Guests are told of no keys, and may type without a field.
keepLetters('.player');

type Shape = NonNullable<SharedItemType['shape']>[number];

/** An item of a share: what plays, comments beside it, its neighbours, and what may be downloaded. */
export function ItemPage({ share, id, onFail }: ItemProps) {
  const [item, setItem] = useState<SharedItemType>();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const reading = new AbortController();
    ask<SharedItemType>(share.atItem(id), { signal: reading.signal }).then(setItem, (error) => {
      if (reading.signal.aborted) return;
      // The share may be open and show others.
      if (error === 404 && share.guest.item === undefined) setGone(true);
      else onFail(error);
    });
    return () => reading.abort();
  }, [share, id]);
  const title = item?.title ?? t('guest.untitled');
  useEffect(() => {
    if (item) document.title = share.guest.item === undefined ? title : (share.guest.title ?? title);
  }, [item]);
  if (isGone) return <Frame share={share} id={id} title={t('guest.itemGone')} />;
  return item ? <Shown key={id} {...{ share, id, item, title }} /> : null;
}

function Shown({ share, id, item, title }: Omit<ItemProps, 'onFail'> & { item: SharedItemType; title: string }) {
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const shapes = item.shape ?? [];
  const playing = shapes.find(
    ({ id: shape, play, stream }) => play && !broken.has(shape) && (stream !== true || playsStreams()),
  );
  const kind = mediumOf(playing) ?? kindOf(item);
  const engine = useMemo(
    () =>
      playing && (kind === 'film' || kind === 'sound')
        ? createEngine(countingOf(item), Number(item.durationSeconds ?? 0), keptPlace(share, id))
        : undefined,
    [item, kind, playing === undefined],
  );
  const hasPicture = kind === 'film' || kind === 'picture';
  const { desk, notice } = useMemo(
    (): Partial<ReturnType<typeof deskFor>> => (share.guest.comment ? deskFor(share, id, engine, hasPicture) : {}),
    [engine, hasPicture],
  );
  useEffect(() => void desk?.reload(), [desk]);
  useEffect(() => {
    share.news = desk && newsFor(share, id, desk);
    return () => {
      share.news = undefined;
    };
  }, [desk]);
  const fail = () => playing && setBroken(new Set([...broken, playing.id]));
  const canKeep = shapes.some(({ download }) => download);
  const src = playing && share.atItem(id, playing.stream ? '/stream' : `/shape/${encodeURIComponent(playing.id)}`);
  return (
    <Frame share={share} id={id} title={title} menu={<Downloads {...{ share, id, title, shapes }} />}>
      <div class={desk ? 'item with-comments' : 'item'}>
        <div class="stack">
          {engine && src !== undefined ? (
            <Film {...{ share, id, item, engine, src, desk }} isStream={playing?.stream === true} onBroken={fail} />
          ) : (
            <Still
              {...{ share, id, item, title, desk, kind, src, canKeep }}
              isPdf={playing?.mimeType === 'application/pdf'}
              onBroken={fail}
            />
          )}
          {item.waits && <p class="muted">{t('guest.waits')}</p>}
          {item.unmarked && <p class="muted">{t('guest.unmarked')}</p>}
        </div>
        {desk && (
          <aside class="beside">
            <CommentList desk={desk} />
            <div class="compose">
              <div role="status">
                {notice?.value && (
                  <p class="row">
                    {notice.value.text}
                    {notice.value.undo && (
                      <Button kind="quiet" onClick={notice.value.undo}>
                        {t('word.undo')}
                      </Button>
                    )}
                  </p>
                )}
              </div>
              <Signature share={share} />
              <Composer desk={desk} />
            </div>
          </aside>
        )}
      </div>
    </Frame>
  );
}

interface FrameProps extends Omit<ItemProps, 'onFail'> {
  readonly title: string;
  readonly menu?: preact.ComponentChildren;
  readonly children?: preact.ComponentChildren;
}

/** A link to one item is headed as a list is. */
function Frame({ share, id, title, menu, children }: FrameProps) {
  const { guest, token } = share;
  const isAlone = guest.item !== undefined;
  const heading = isAlone ? (guest.title ?? title) : title;
  return (
    <main>
      <header class="head">
        {!isAlone && (
          <a class="button quiet" href={hrefOf(token)}>
            <Icon name="left" />
            {t('guest.all')}
          </a>
        )}
        <h1 class="grow">{heading}</h1>
        {!isAlone && <Neighbours share={share} id={id} />}
        {menu}
      </header>
      {heading !== title && <p class="muted item-name">{title}</p>}
      {isAlone && <About guest={guest} />}
      {children}
    </main>
  );
}

/** Pages of the list that are read to find an item by its address. */
const maxPages = 20;

function Neighbours({ share, id }: { readonly share: OpenShare; readonly id: string }) {
  const { items, cursor } = share;
  const all = items.value;
  const at = all.findIndex((each) => each.id === id);
  const isLast = at >= 0 && at === all.length - 1;
  useEffect(() => {
    const pages = all.length / pageSize;
    if ((at < 0 || isLast) && cursor.value !== undefined && pages < maxPages) share.more().catch(() => undefined);
  }, [at, all.length]);
  if (at < 0 || all.length < 2) return null;
  const link = (step: 1 | -1) => {
    const other = all[at + step];
    const label = t(step > 0 ? 'guest.next' : 'guest.previous');
    const icon = <Icon name={step > 0 ? 'right' : 'left'} />;
    return other ? (
      <a class="button quiet icon-only" href={hrefOf(share.token, other.id)} aria-label={label} title={other.title}>
        {icon}
      </a>
    ) : (
      <span class="button quiet icon-only" aria-hidden="true">
        {icon}
      </span>
    );
  };
  return (
    <nav class="neighbours" aria-label={t('guest.items')}>
      {link(-1)}
      <span>
        {t(cursor.value === undefined ? 'guest.position' : 'guest.positionMore', { at: at + 1, count: all.length })}
      </span>
      {link(1)}
    </nav>
  );
}

interface DownloadsProps extends Omit<ItemProps, 'onFail'> {
  readonly title: string;
  readonly shapes: readonly Shape[];
}

/** Link for a single form, or menu of several. */
function Downloads({ share, id, shapes }: DownloadsProps) {
  const forms = shapes.filter(({ download }) => download);
  const addressOf = (shape: Shape) => share.atItem(id, `/shape/${encodeURIComponent(shape.id)}`);
  const wordsOf = ({ mimeType = '', bytes = 0 }: Shape) =>
    t('guest.form', { form: typeWords(mimeType), size: sizeText(bytes) });
  const [first] = forms;
  if (!first) return null;
  const face = (
    <>
      <Icon name="download" />
      {t('guest.download')}
    </>
  );
  if (forms.length === 1)
    return (
      <a class="button" href={addressOf(first)} download title={wordsOf(first)}>
        {face}
      </a>
    );
  const items = forms.map((shape) => ({ text: wordsOf(shape), onChoose: () => save(addressOf(shape)) }));
  return (
    <Menu label={t('guest.download')} items={items}>
      {face}
      <Icon name="down" />
    </Menu>
  );
}

function save(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

interface StageProps extends Omit<ItemProps, 'onFail'> {
  readonly item: SharedItemType;
  readonly desk: Desk | undefined;
  readonly onBroken: () => void;
}

function Film({
  share,
  id,
  engine,
  src,
  isStream,
  item,
  desk,
  onBroken,
}: StageProps & { engine: Engine; src: string; isStream: boolean }) {
  const isSound = kindOf(item) === 'sound';
  useSignalEffect(() => {
    if (engine.speed.value === 0) sessionStorage.setItem(placeKey(share, id), String(engine.seconds.value));
  });
  const sheet = useSheet(isSound ? undefined : id, async (signal) => {
    const { thumbnail = [] } = await ask<SharedSheetDocument>(share.atItem(id, '/sheet'), { signal });
    const tiles = thumbnail.map(({ seconds: from, ...place }) => ({ from, ...place }));
    return { address: share.atItem(id, '/sheet/image'), tiles };
  });
  const stops = (desk?.shown.value ?? []).flatMap(({ comment }) => timesOf(comment)?.[0] ?? []);
  return (
    <Player
      {...{ engine, src, isStream, isSound, onBroken }}
      poster={share.atItem(id, '/picture')}
      shape={shapeOf(item)}
      over={desk && !isSound && <Overlay desk={desk} />}
    >
      {engine.duration > 0 && (
        <Timeline {...{ engine, sheet, stops }}>{(view) => desk && <CommentMarks desk={desk} view={view} />}</Timeline>
      )}
    </Player>
  );
}

function mediumOf(shape: Shape | undefined): ReturnType<typeof kindOf> | undefined {
  if (shape?.stream) return 'film';
  const type = shape?.mimeType?.split('/')[0];
  return type === 'video' ? 'film' : type === 'audio' ? 'sound' : type === 'image' ? 'picture' : undefined;
}

const pal = { numerator: 25, denominator: 1 };

/** Frames are those of the original, as the maker and a cut list count them. */
function countingOf({ timing }: SharedItemType): Counting {
  const { numerator = 0, denominator = 0, dropFrame: drop = false, start = 0 } = timing ?? {};
  return { rate: numerator > 0 && denominator > 0 ? { numerator, denominator } : pal, drop, start };
}

/** Part of a shape that the player needs: the resolution of its picture. */
const shapeOf = ({ width, height }: SharedItemType) => ({
  videoComponent: [{ resolution: { width: Number(width ?? 0), height: Number(height ?? 0) } }],
});

/** Where a film stood, for a page that is loaded again in the same tab. */
const placeKey = (share: OpenShare, id: string): string => `portico.place ${share.guest.id} ${id}`;
const keptPlace = (share: OpenShare, id: string): number => Number(sessionStorage.getItem(placeKey(share, id)) ?? 0);
