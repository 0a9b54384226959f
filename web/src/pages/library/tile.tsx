import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../../components/icon.tsx';
import { clockText } from '../../texts/clock.ts';
import { t } from '../../texts/index.ts';
import type { FieldInfo } from './facets.ts';
import type { Tile } from './results.ts';
import { partsOf } from './search.ts';

/** A tile that scrolls by within this time asks for no picture. */
const restMs = 60;

const kindIcons: Readonly<Record<string, IconName>> = { video: 'film', audio: 'sound', image: 'image' };

function MarkedText({ text }: { text: string }) {
  return <>{partsOf(text).map((part, index) => (part.hit ? <mark key={index}>{part.text}</mark> : part.text))}</>;
}

/** The picture of an item, or a symbol of its kind. The request is cancelled when the tile leaves. */
export function Picture({ path, kind }: { path: string | undefined; kind: string }) {
  const ref = useRef<HTMLImageElement>(null);
  const [broken, setBroken] = useState<string | undefined>(undefined);
  useEffect(() => {
    const image = ref.current;
    if (!image || path === undefined) return undefined;
    const timer = setTimeout(() => {
      image.src = path;
    }, restMs);
    return () => {
      clearTimeout(timer);
      image.removeAttribute('src');
    };
  }, [path, broken]);
  if (path === undefined || broken === path) return <Icon name={kindIcons[kind] ?? 'file'} />;
  return <img ref={ref} alt="" draggable={false} decoding="async" onError={() => setBroken(path)} />;
}

export const duration = (seconds: number): string => clockText(Math.round(seconds));

export function day(text: string, language: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleDateString(language, { dateStyle: 'medium' });
}

/** A value for a person: dates as dates, durations as time. */
export function shown(name: string, type: string, values: readonly string[], language: string): string {
  return values
    .map((value) => {
      if (name === 'durationSeconds') return duration(Number(value));
      if (name === 'mediaType') return kindName(value);
      return type.startsWith('date') ? day(value, language) : value;
    })
    .join(', ');
}

export function kindName(kind: string): string {
  const names: Record<string, string> = {
    video: t('library.kindVideo'),
    audio: t('library.kindAudio'),
    image: t('library.kindImage'),
    data: t('library.kindData'),
    none: t('library.kindNone'),
  };
  return names[kind] ?? kind;
}

interface Shown {
  readonly tile: Tile | undefined;
  readonly language: string;
}

/** Few nodes: a screen of small tiles has a hundred of them. */
export function TileView({ tile, language, labelOf }: Shown & { labelOf: (field: string) => string }) {
  if (!tile) return <div class="picture waiting" />;
  const [field, text] = tile.hit ?? [];
  return (
    <>
      <div class="picture" data-length={tile.seconds === undefined ? undefined : duration(tile.seconds)}>
        <Picture path={tile.picture} kind={tile.kind} />
      </div>
      <span class="title" title={tile.title}>
        <MarkedText text={tile.marked} />
      </span>
      {field !== undefined && text !== undefined && !tile.marked.includes('\ue000') ? (
        <span class="under" title={labelOf(field)}>
          <MarkedText text={text} />
        </span>
      ) : (
        <span class="under">
          {[tile.kind === 'none' ? undefined : kindName(tile.kind), day(tile.created, language)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
    </>
  );
}

/** The cells of a row: a mark of choice, a small picture, the title, and the columns of one's choice. */
export function RowView({
  tile,
  language,
  columns,
  isChosen,
}: Shown & { columns: readonly FieldInfo[]; isChosen: boolean }) {
  return (
    <>
      <div role="gridcell" class="tick" aria-label={isChosen ? t('library.chosen') : t('library.notChosen')} />
      <div role="gridcell" class="thumb" aria-label={tile ? kindName(tile.kind) : t('library.loading')}>
        {tile && <Picture path={tile.picture} kind={tile.kind} />}
      </div>
      <div role="gridcell" class="title">
        {tile && <MarkedText text={tile.marked} />}
      </div>
      {columns.map(({ name, type }) => (
        <div key={name} role="gridcell" data-number={/^(integer|long|float)/.test(type) || undefined}>
          {tile?.hit?.[0] === name ? (
            <MarkedText text={tile.hit[1]} />
          ) : (
            shown(name, type, tile?.values[name] ?? [], language)
          )}
        </div>
      ))}
    </>
  );
}
