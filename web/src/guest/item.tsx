import { useSignalEffect } from '@preact/signals';
import type { SharedAnnotationListDocument, SharedAnnotationType, SharedItemType } from 'portico/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { store, stored } from '../browser-storage.ts';
import { type Comment, timesOf } from '../comments/comments.ts';
import { Composer } from '../comments/composer.tsx';
import { type CommentsApi, createDesk, type Desk } from '../comments/desk.ts';
import { CommentList } from '../comments/list.tsx';
import { CommentMarks } from '../comments/marks.tsx';
import { Overlay } from '../comments/overlay.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { typeWords } from '../components/words.ts';
import { createEngine, type Engine } from '../player/engine.ts';
import { type Counting, frameAt } from '../player/frames.ts';
import { Player } from '../player/player.tsx';
import { playsStreams } from '../player/stream.ts';
import { Timeline } from '../player/timeline.tsx';
import { sizeText, t } from '../texts/index.ts';
import { ask, hrefOf, kindOf, type OpenShare, post } from './guest.ts';
import { About } from './list.tsx';
import { Still } from './still.tsx';

interface ItemProps {
  readonly share: OpenShare;
  readonly id: string;
  readonly onFail: (error: unknown) => void;
}

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
  const desk = useMemo(() => {
    if (!share.guest.comment) return undefined;
    const api = apiFor(share, id, (comment) => void takeBack(share, id, comment, guestDesk));
    const guestDesk: Desk = createDesk({ ...{ engine, hasPicture, item: id, api }, person: `share ${share.guest.id}` });
    return guestDesk;
  }, [engine, hasPicture]);
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
            <Still {...{ share, id, item, title, desk, kind, src }} canKeep={canKeep} onBroken={fail} />
          )}
          {item.waits && <p class="muted">{t('guest.waits')}</p>}
        </div>
        {desk && (
          <aside class="beside">
            <CommentList desk={desk} />
            <div class="compose">
              <Signature share={share} desk={desk} />
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
    const pages = all.length / 50;
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

/** One form is a link, and several are a menu. */
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
  const stops = (desk?.shown.value ?? []).flatMap(({ comment }) => timesOf(comment)?.[0] ?? []);
  return (
    <Player
      {...{ engine, src, isStream, isSound, onBroken }}
      poster={share.atItem(id, '/picture')}
      shape={shapeOf(item)}
      over={desk && !isSound && <Overlay desk={desk} />}
    >
      {engine.duration > 0 && (
        <Timeline engine={engine} stops={stops}>
          {(view) => desk && <CommentMarks desk={desk} view={view} />}
        </Timeline>
      )}
    </Player>
  );
}

/** Takes the name of a guest who came in without one, and has begun to write. */
function Signature({ share: { name, typedName }, desk }: Pick<ItemProps, 'share'> & { readonly desk: Desk }) {
  if (name.value !== '' || desk.draft.value.text === '') return null;
  return (
    <input
      class="input"
      aria-label={t('guest.sign')}
      placeholder={t('guest.sign')}
      autocomplete="name"
      maxLength={100}
      value={typedName.value}
      onInput={({ currentTarget }) => {
        typedName.value = currentTarget.value;
      }}
    />
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

/** What the player wants of a shape: the form of its picture. */
const shapeOf = ({ width, height }: SharedItemType) => ({
  videoComponent: [{ resolution: { width: Number(width ?? 0), height: Number(height ?? 0) } }],
});

const mostInPage = 100;

/** Where a film stood, for a page that is loaded again in the same tab. */
const placeKey = (share: OpenShare, id: string): string => `portico.place ${share.guest.id} ${id}`;
const keptPlace = (share: OpenShare, id: string): number => Number(sessionStorage.getItem(placeKey(share, id)) ?? 0);

/** Keys of the comments of this browser, by their ids. */
type OwnKeys = Readonly<Record<string, string>>;
const ownPlace = ({ guest }: OpenShare): string => `portico.comments ${guest.id}`;
const ownKeys = (share: OpenShare): OwnKeys => (stored(ownPlace(share)) as OwnKeys | undefined) ?? {};

/** Deletes an own comment. Its text is in the field again, to be corrected. */
async function takeBack(share: OpenShare, item: string, comment: Comment, desk: Desk): Promise<void> {
  const path = `/annotation/${encodeURIComponent(comment.id)}?key=${encodeURIComponent(ownKeys(share)[comment.id] ?? '')}`;
  const { ok } = await fetch(share.atItem(item, path), { method: 'DELETE' });
  const { engine, draft } = desk;
  if (ok && draft.peek().text === '' && comment.text) {
    const [from] = timesOf(comment) ?? [];
    if (engine && from !== undefined) engine.goTo(frameAt(from, engine.counting.rate));
    desk.change({ text: comment.text, parent: comment.parent });
  }
  await desk.reload();
}

function commentOf(
  { id = '', name, guest = false, maker = false, ...rest }: SharedAnnotationType,
  share: OpenShare,
): Comment {
  const sender = share.guest.from ?? t('guest.service');
  const author = name ?? (guest ? t('guest.unnamed') : maker ? sender : t('guest.colleague'));
  return { ...rest, id, author: Object.hasOwn(ownKeys(share), id) ? t('guest.you', { name: author }) : author };
}

/** Asks for the newest comment alone, and reads all after a change. */
function newsFor(share: OpenShare, id: string, desk: Desk): () => Promise<boolean> {
  return async () => {
    const threads = desk.threads.peek();
    if (!threads) return false;
    const count = threads.reduce((sum, { replies }) => sum + 1 + replies.length, 0);
    const path = share.atItem(id, `/annotation?first=${count + 1}&number=1`);
    const { hits = 0 } = await ask<SharedAnnotationListDocument>(path);
    if (hits === count || desk.hasMore.peek()) return false;
    await desk.reload();
    return true;
  };
}

/** Comments as guests read and write them. */
function apiFor(share: OpenShare, id: string, onRemove: (comment: Comment) => void): CommentsApi {
  const path = share.atItem(id, '/annotation');
  const replied = new Set<string>();
  return {
    async read(most, signal) {
      const comments: Comment[] = [];
      for (let hits = 1; comments.length < Math.min(most, hits); ) {
        const page = `${path}?first=${comments.length + 1}&number=${mostInPage}`;
        const { annotation = [], hits: all = 0 } = await ask<SharedAnnotationListDocument>(page, { signal });
        comments.push(...annotation.map((each) => commentOf(each, share)));
        hits = annotation.length > 0 ? all : 0;
      }
      for (const { parent } of comments) if (parent !== undefined) replied.add(parent);
      return { comments, hasMore: comments.length >= most };
    },
    async send({ assignedTo: _, ...content }) {
      const name = share.typedName.peek().trim();
      if (name !== '' && share.name.peek() === '') await share.call(name);
      const sent = await post<SharedAnnotationType>(path, content);
      if (sent.id !== undefined) store(ownPlace(share), { ...ownKeys(share), [sent.id]: sent.key ?? '' });
      return sent;
    },
    remove: onRemove,
    mayRemove: (comment) => Boolean(ownKeys(share)[comment.id]) && !replied.has(comment.id),
    explain: (error) => t(error === 507 ? 'guest.enough' : error === 404 ? 'guest.gone' : 'guest.failed'),
  };
}
