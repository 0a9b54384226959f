import type { SharedItemType, ShareGuestDocument } from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { lengthText } from '../texts/clock.ts';
import { dayText, sizeText, t } from '../texts/index.ts';
import { endingOf, hrefOf, kindOf, type OpenShare } from './guest.ts';
import { Signature } from './signature.tsx';

interface ListProps {
  readonly share: OpenShare;
  /** Whether an item is shown instead. The list stays as it was. */
  readonly isHidden: boolean;
  readonly onFail: (error: unknown) => void;
}

/** All that a link shows. */
export function List({ share, isHidden, onFail }: ListProps) {
  const { guest, items, cursor } = share;
  const title = guest.title ?? t('guest.title');
  const end = useRef<HTMLDivElement>(null);
  const Uploads = useUploads(guest.upload !== undefined, onFail);
  useEffect(() => void share.more().catch(onFail), [share]);
  useEffect(() => {
    if (!isHidden) document.title = title;
  }, [isHidden]);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && items.peek().length > 0 && void share.more().catch(onFail),
      { rootMargin: '600px' },
    );
    watcher.observe(end.current!);
    return () => watcher.disconnect();
  }, [share]);
  const isEmpty = items.value.length === 0 && cursor.value === undefined;
  return (
    <main hidden={isHidden}>
      <header class="head">
        <h1 class="grow">{title}</h1>
        {items.value.length > 0 && <DownloadAll share={share} count={items.value.length} />}
      </header>
      <About guest={guest} />
      {Uploads && (
        <>
          <Signature share={share} onChange={() => void share.sign().catch(() => undefined)} />
          <p class="muted">{share.name.value}</p>
          <Uploads share={share} />
        </>
      )}
      {guest.look && isEmpty && <p class="muted">{t('guest.nothing')}</p>}
      {guest.look && (
        <ul class="tiles" aria-label={t('guest.items')}>
          {items.value.map((item) => (
            <Tile key={item.id} share={share} item={item} />
          ))}
        </ul>
      )}
      <div ref={end}>
        {cursor.value !== undefined && items.value.length > 0 && (
          <Button onClick={() => void share.more().catch(onFail)}>{t('guest.more')}</Button>
        )}
      </div>
    </main>
  );
}

/** Maker, end and note of the share. */
export function About({ guest: { from, ends, note, look = true } }: { readonly guest: ShareGuestDocument }) {
  const facts = [
    from !== undefined && t(look ? 'guest.from' : 'guest.asks', { name: from }),
    ends !== undefined && t('guest.until', { date: dayText(new Date(ends)) }),
  ].filter(Boolean);
  if (facts.length === 0 && note === undefined) return null;
  return (
    <p class="muted facts-line">
      {facts.join(', ')}
      {note !== undefined && <q>{note}</q>}
    </p>
  );
}

/** The part of the page that takes files, which is loaded where guests send some. */
function useUploads(isWanted: boolean, onFail: (error: unknown) => void) {
  const [module, setModule] = useState<typeof import('./uploads.tsx')>();
  useEffect(() => {
    if (isWanted) import('./uploads.tsx').then(setModule, onFail);
  }, [isWanted]);
  return module?.Uploads;
}

/** The archive of all, with its size once the service has told it. */
function DownloadAll({ share, count }: { readonly share: OpenShare; readonly count: number }) {
  const [size, setSize] = useState<number>();
  const address = share.at('/archive');
  useEffect(() => {
    if (share.guest.download === false) return undefined;
    const asking = new AbortController();
    fetch(address, { method: 'HEAD', signal: asking.signal }).then(
      ({ ok, headers }) => ok && setSize(Number(headers.get('content-length'))),
      () => undefined,
    );
    return () => asking.abort();
  }, [share, count]);
  if (size === undefined) return null;
  return (
    <a class="button main" href={address} download>
      <Icon name="download" />
      {t('guest.downloadAll', { size: sizeText(size) })}
    </a>
  );
}

const icons = { film: 'film', sound: 'sound', picture: 'image', document: 'file' } as const;

function Tile({ share, item }: { readonly share: OpenShare; readonly item: SharedItemType }) {
  const { id, title = t('guest.untitled'), durationSeconds, comments = 0 } = item;
  const [hasPicture, setPicture] = useState(true);
  const kind = kindOf(item);
  const seconds = Number(durationSeconds ?? Number.NaN);
  const facts = [t(`guest.kind.${kind}`), comments > 0 && t('guest.commentCount', { count: comments })];
  return (
    <li>
      <a class="tile" href={hrefOf(share.token, id)}>
        <span class="picture">
          {hasPicture ? (
            <img alt="" loading="lazy" src={share.pictureOf(id)} onError={() => setPicture(false)} />
          ) : (
            <Stand item={item} />
          )}
          {seconds > 0 && <span class="length">{lengthText(seconds)}</span>}
        </span>
        <span class="name">{title}</span>
        <span class="muted small">{facts.filter(Boolean).join(', ')}</span>
      </a>
    </li>
  );
}

/** Stands for a picture that is not there: what it is, and the ending of its name. */
export function Stand({ item }: { readonly item: SharedItemType }) {
  return (
    <span class="symbol" aria-hidden="true">
      <Icon name={icons[kindOf(item)]} />
      {endingOf(item)}
    </span>
  );
}
