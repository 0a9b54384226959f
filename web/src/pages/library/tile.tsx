import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asText } from '../../components/grid-rows.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { personName } from '../../components/person.tsx';
import { askForPicture } from '../../components/pictures.ts';
import { isWide } from '../../look.ts';
import { lengthText } from '../../texts/clock.ts';
import { dateText, relativeText, t } from '../../texts/index.ts';
import type { FieldInfo } from './facets.ts';
import type { Tile } from './results.ts';
import { partsOf } from './search.ts';

const titlePixels = 24;
const linePixels = 16;
/** Height of the rim around a tile of a grid. */
const rimPixels = 13;

/** Height of a tile with its picture, its title, and some lines under that. */
export const tileHeight = (width: number, lines: number): number =>
  Math.round((width * 9) / 16 + rimPixels + asText(titlePixels + lines * linePixels));

export const rowHeight = (): number => asText(isWide() ? 40 : 64);

const kindIcons: Readonly<Record<string, IconName>> = { video: 'film', audio: 'sound', image: 'image' };

function MarkedText({ text }: { text: string }) {
  return <>{partsOf(text).map((part, index) => (part.hit ? <mark key={index}>{part.text}</mark> : part.text))}</>;
}

/** The picture of an item, or a symbol of its kind. The request is cancelled when the tile leaves. */
export function Picture({
  path,
  kind,
  ending,
}: {
  path: string | undefined;
  kind: string;
  ending?: string | undefined;
}) {
  const ref = useRef<HTMLImageElement>(null);
  const [broken, setBroken] = useState<string | undefined>(undefined);
  useEffect(() => {
    const image = ref.current;
    if (!image || path === undefined) return undefined;
    return askForPicture(image, path);
  }, [path, broken]);
  if (path === undefined || broken === path)
    return (
      <>
        <Icon name={kindIcons[kind] ?? 'file'} />
        {ending !== undefined && <span class="ending">{ending}</span>}
      </>
    );
  return <img ref={ref} alt="" draggable={false} decoding="async" onError={() => setBroken(path)} />;
}

const dated = (style: (date: Date) => string) => (text: string) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : style(date);
};
const exactly = dated(dateText);
const relatively = dated(relativeText);
export const day = dated((date) => dateText(date, { dateStyle: 'medium' }));

/** A value for a person: dates as dates, durations as time. When an item came is relative, and exact in `tipOf`. */
export function shown(name: string, type: string, values: readonly string[]): string {
  return values
    .map((value) => {
      if (name === 'durationSeconds') return lengthText(Number(value));
      if (name === 'mediaType') return kindName(value);
      if (name === 'user') return personName(value);
      if (name === 'created') return relatively(value);
      return type.startsWith('date') ? day(value) : value;
    })
    .join(', ');
}

export const tipOf = (name: string, values: readonly string[] = []): string | undefined =>
  name === 'created' ? values.map(exactly).join(', ') : undefined;

export function kindName(kind: string): string {
  const names: Record<string, string> = {
    video: t('library.kindVideo'),
    audio: t('library.kindAudio'),
    image: t('library.picture'),
    data: t('library.kindData'),
    none: t('library.kindNone'),
  };
  return names[kind] ?? kind;
}

/** The kind of an item, or that its file was looked into in vain. */
const kindOf = ({ kind, values }: Tile): string =>
  kind === 'none' && values['mimeType']?.[0] ? t('upload.importFailed') : kindName(kind);

interface Shown {
  readonly tile: Tile | undefined;
}

/** The address of an item, and of nothing for a file that is not an item yet. */
const linkOf = ({ id, isFile }: Tile) =>
  isFile ? {} : { href: `/ui/item/${encodeURIComponent(id)}`, tabIndex: -1, draggable: false };

interface TileViewProps extends Shown {
  readonly labelOf: (field: string) => string;
  readonly isChosen: boolean;
  /** How far the upload of it is: words, and what stands over the picture. */
  readonly upload: readonly [words: string, over: ComponentChildren] | undefined;
  /** State of the review. */
  readonly state: ComponentChildren;
  /** Why the item is in the list, where that is asked. */
  readonly reason: string | undefined;
}

/** Few nodes: a screen of small tiles has a hundred of them. Browsers and the grid handle its link alike. */
export function TileView({ tile, labelOf, isChosen, upload, state, reason }: TileViewProps) {
  if (!tile) return <div class="picture waiting" />;
  const [field, text] = tile.hit ?? [];
  return (
    <>
      <a class="tile" {...linkOf(tile)}>
        <div class="picture" data-length={tile.seconds === undefined ? undefined : lengthText(tile.seconds)}>
          <Picture path={tile.picture} kind={tile.kind} ending={tile.ending} />
          {state}
        </div>
        <span class="title" title={tile.title}>
          <MarkedText text={tile.marked} />
        </span>
        {upload ? (
          <span class="under">{upload[0]}</span>
        ) : reason !== undefined ? (
          <span class="under reason">{reason}</span>
        ) : field !== undefined && text !== undefined && !tile.marked.includes('\ue000') ? (
          <span class="under">
            {labelOf(field)}: <MarkedText text={text} />
          </span>
        ) : (
          <span class="under" title={exactly(tile.created)}>
            {[tile.kind !== 'none' || tile.ending ? kindOf(tile) : '', relatively(tile.created)]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )}
      </a>
      {!tile.isFile && (
        <>
          <button
            type="button"
            class="tick"
            tabIndex={-1}
            aria-label={t('library.chooseOne', { name: tile.title })}
            aria-pressed={isChosen}
          />
          <button
            type="button"
            class="more"
            tabIndex={-1}
            aria-haspopup="menu"
            aria-label={t('library.actionsOf', { name: tile.title })}
          />
        </>
      )}
      {upload?.[1]}
    </>
  );
}

/** The cells of a row: a mark of choice, a small picture, the title, and the columns of one's choice. */
export function RowView({
  tile,
  columns,
  isChosen,
  upload,
  state,
}: Shown & Pick<TileViewProps, 'isChosen' | 'upload' | 'state'> & { columns: readonly FieldInfo[] }) {
  return (
    <>
      <div role="gridcell" class="tick" aria-label={isChosen ? t('library.chosen') : t('library.notChosen')} />
      <div role="gridcell" class="thumb" aria-label={tile ? kindName(tile.kind) : t('library.loading')}>
        {tile && <Picture path={tile.picture} kind={tile.kind} />}
      </div>
      <div role="gridcell" class="title">
        {tile && (
          <a {...linkOf(tile)}>
            <MarkedText text={tile.marked} />
          </a>
        )}
        {upload && <span class="muted"> {upload[0]}</span>}
        {state}
        {upload?.[1]}
      </div>
      {columns.map(({ name, type }) => (
        <div
          key={name}
          role="gridcell"
          title={tipOf(name, tile?.values[name])}
          data-number={/^(integer|long|float)/.test(type) || undefined}
        >
          {tile?.hit?.[0] === name ? <MarkedText text={tile.hit[1]} /> : shown(name, type, tile?.values[name] ?? [])}
        </div>
      ))}
    </>
  );
}
