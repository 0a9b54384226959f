import type { ItemType, ShapeType } from 'portico/types';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { get, Refusal } from '../../api/client.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Skeleton } from '../../components/empty.tsx';
import { RefusalNote } from '../../components/refusal.tsx';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import type { FieldInfo } from './facets.ts';
import { nameIn, ownPath, valuesOf } from './results.ts';
import { Picture, shown, tipOf } from './tile.tsx';

const restMs = 120;
const plays = /^(video\/(mp4|webm|ogg)|audio\/(mpeg|mp4|ogg|wav|x-wav|webm|flac|aac))$/;

/** The first shape that a browser can be expected to play. */
function playable(
  shapes: readonly ShapeType[],
): { path: (item: string) => string; isSound: boolean; shape: ShapeType } | undefined {
  for (const shape of shapes) {
    const type = shape.mimeType?.find((each) => plays.test(each));
    if (type !== undefined)
      return { path: (item) => `/API/item/${item}/shape/${shape.id}/data`, isSound: type.startsWith('audio/'), shape };
  }
  return undefined;
}

interface PanelProps {
  readonly id: string;
  readonly fields: readonly FieldInfo[];
  /** Whether the film is to play, or to stop, once it is there: `onPlay` is told then. */
  readonly isToPlay: boolean;
  readonly onPlay: () => void;
  readonly version: number;
  /** Tile that the panel does not cover. */
  readonly tile: string;
  readonly isPinned: boolean;
  readonly onPin: () => void;
  /** Undefined: the person may not share. */
  readonly onShare: (() => void) | undefined;
  readonly onClose: () => void;
}

export function Panel({ id, fields, version, tile, isPinned, onPin, onShare, onClose, ...props }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  // The panel lies over the list, at the side away from the active tile.
  useLayoutEffect(() => {
    const [box, place] = [document.getElementById(tile), panel.current?.parentElement].map((element) =>
      element?.getBoundingClientRect(),
    );
    if (!box || !place) return;
    const isFirstHalf = box.left + box.width / 2 < place.left + place.width / 2 + 1;
    panel.current!.dataset['side'] = isFirstHalf ? 'right' : 'left';
  });
  const [item, setItem] = useState<ItemType | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const media = useRef<HTMLMediaElement>(null);
  useEffect(() => {
    const reading = new AbortController();
    // Arrows held down pass many tiles: only that on which one stays is read.
    const timer = setTimeout(() => {
      const query = {
        content: 'metadata,shape,poster,thumbnail',
        terse: 'true',
        'noauth-url': 'true',
        interval: 'generic',
        displayName: 'true',
      };
      get<ItemType>(`/item/${id}`, { query, signal: reading.signal }).then(
        (read) => {
          setItem(read);
          setFailure(undefined);
        },
        (refusal) => {
          if (!reading.signal.aborted) setFailure(refusal);
        },
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      reading.abort();
    };
  }, [id, version]);
  const isHere = item?.id === id;
  useEffect(() => {
    if (!props.isToPlay || !isHere) return;
    props.onPlay();
    const element = media.current;
    if (element?.paused) void element.play().catch(() => undefined);
    else element?.pause();
  }, [props.isToPlay, isHere]);

  const values = item ? valuesOf(item) : {};
  const film = isHere && item ? playable(item.shape ?? []) : undefined;
  const still = item?.posters?.uri?.[0] ?? item?.thumbnails?.uri?.[0];
  const shownFields = fields.filter(
    ({ name, isSystem }) => !isSystem && name !== 'title' && (values[name] ?? []).length > 0,
  );
  return (
    <aside
      ref={panel}
      class="panel"
      aria-label={t('library.panel')}
      data-dim={(!isHere && item !== undefined) || undefined}
      data-pinned={isPinned || undefined}
    >
      <header>
        <h2>{item && nameIn(values)}</h2>
        <Button class="pin" kind="quiet" aria-pressed={isPinned} onClick={onPin}>
          {t('library.pin')}
        </Button>
        <IconButton icon="x" label={t('library.closePanel')} onClick={onClose} />
      </header>
      {failure !== undefined ? (
        failure instanceof Refusal && failure.status === 404 ? (
          <p class="muted">{t('library.gone', { id })}</p>
        ) : (
          <RefusalNote error={failure} />
        )
      ) : item === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <>
          {film?.isSound ? (
            // biome-ignore lint/a11y/useMediaCaption: the page of the item has captions
            <audio
              key={id}
              ref={media as { current: HTMLAudioElement | null }}
              src={film.path(id)}
              controls
              preload="metadata"
            />
          ) : film ? (
            // biome-ignore lint/a11y/useMediaCaption: the page of the item has captions
            <video
              key={id}
              ref={media as { current: HTMLVideoElement | null }}
              src={film.path(id)}
              poster={still === undefined ? undefined : ownPath(still)}
              controls
              preload="none"
            />
          ) : (
            <div class="picture large">
              <Picture
                path={still === undefined ? undefined : ownPath(still)}
                kind={values['mediaType']?.[0] ?? 'none'}
              />
            </div>
          )}
          <p class="buttons">
            <Link to={`/item/${id}`} class="button main">
              {t('library.open')}
            </Link>
            {onShare && <Button onClick={onShare}>{t('shares.share')}</Button>}
          </p>
          <dl>
            {shownFields.map(({ name, label, type }) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd title={tipOf(name, values[name])}>{shown(name, type, values[name] ?? [])}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </aside>
  );
}
