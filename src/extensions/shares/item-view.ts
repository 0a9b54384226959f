import { type SharedItem, tagsOf } from './documents.ts';
import { isBurnt } from './mark.ts';
import type { ShareRow } from './store.ts';

/** Part of an item document that guests are values of. */
export interface ItemOf {
  readonly id: string;
  readonly terse?: { readonly values?: ReadonlyMap<string, readonly { readonly value?: string }[]> };
  readonly shape?: readonly ShapeOf[];
}

interface ShapeOf {
  readonly id: string;
  readonly tag?: readonly string[];
  readonly mimeType?: readonly string[];
  readonly [component: string]: unknown;
}

const fields = {
  title: '__name',
  mediaType: 'mediaType',
  durationSeconds: 'durationSeconds',
  width: 'originalWidth',
  height: 'originalHeight',
} as const satisfies Partial<Record<keyof SharedItem, string>>;

/** Query for the fields of an item, and one for its shapes, too. */
export const fieldsAlone = {
  ...{ terse: true, interval: 'generic', field: Object.values(fields).join(), content: 'metadata' },
};
export const shapesToo = { ...fieldsAlone, content: 'metadata,shape' };

export function itemFrom({ id, terse }: ItemOf): SharedItem {
  const values = Object.entries(fields).flatMap(([key, field]) => {
    const value = terse?.values?.get(field)?.[0]?.value;
    return value === undefined ? [] : [[key, value] as const];
  });
  return { id, ...Object.fromEntries(values) };
}

/** Tags of shapes for the web, those first that play best. */
const webTags = ['__hls', '__mp4', 'lowres', '__mp4_small'];
const original = 'original';

/** Codecs and types of originals that browsers show. */
const filmCodecs = /^(?:h264|avc|vp8|vp9|av1)/i;
const shownTypes =
  /^(?:video\/(?:mp4|quicktime|webm|x-m4v|ogg)|audio\/(?:mpeg|mp3|mp4|x-m4a|aac|ogg|wav|x-wav|vnd\.wave|webm|flac|x-flac)|image\/(?:jpeg|png|gif|webp|avif)|application\/pdf)$/;

interface Rate {
  readonly numerator?: number | undefined;
  readonly denominator?: number | undefined;
}

interface Component {
  readonly format?: string;
  readonly averageFrameRate?: Rate;
  readonly realBaseFrameRate?: Rate;
  readonly timeCodeTimeBase?: Rate;
  readonly dropFrame?: boolean;
  readonly startTimecode?: number;
  readonly codec?: string;
  readonly file?: readonly { readonly size?: number }[];
}

const firstOf = (component: unknown): Component | undefined => [component].flat()[0] as Component | undefined;
const sizeOf = (component: unknown): number | undefined => firstOf(component)?.file?.[0]?.size;

/** Streams have manifests, and no bytes of their own. */
const isStream = ({ containerComponent }: ShapeOf): boolean => firstOf(containerComponent)?.format === 'cmaf';

/** Pictures have a codec, too, which says no more than their type. */
function isShown({ mimeType = [], videoComponent }: ShapeOf): boolean {
  const codec = firstOf(videoComponent)?.codec;
  return mimeType.some(
    (type) => shownTypes.test(type) && (codec === undefined || filmCodecs.test(codec) || type.startsWith('image/')),
  );
}

const pdf = 'application/pdf';

/** Whether a guest opens the bytes in the viewer of the browser. */
export const isViewed = ({ play, mimeType }: { readonly play: boolean; readonly mimeType?: string | undefined }) =>
  play && mimeType === pdf;

type MediaTerms = Pick<ShareRow, 'plays' | 'downloads' | 'play' | 'download' | 'mark'>;

/**
 * Shapes that guests play, the best first. The service chooses where the share names no tags. A mark becomes part of streams
 * alone: their segments are small enough to be made anew for each guest.
 */
export function playedOf(shapes: readonly ShapeOf[], terms: MediaTerms): readonly ShapeOf[] {
  const played = chosenOf(shapes, terms);
  return isBurnt(terms) ? played.filter((shape) => isStream(shape) && firstOf(shape['videoComponent'])) : played;
}

function chosenOf(shapes: readonly ShapeOf[], { plays, play }: MediaTerms): readonly ShapeOf[] {
  if (plays === 0) return [];
  const tags = tagsOf(play);
  const order = tags.length > 0 ? tags : webTags;
  const rank = ({ tag = [] }: ShapeOf) => order.findIndex((each) => tag.includes(each));
  const ranked = shapes.filter((shape) => rank(shape) >= 0).toSorted((one, other) => rank(one) - rank(other));
  if (tags.length > 0 || ranked.length > 0) return ranked;
  return shapes.filter((shape) => shape.tag?.includes(original) && isShown(shape));
}

/** Tags of the shapes that guests download. */
export function downloadTags(share: Pick<ShareRow, 'downloads' | 'download' | 'mark'>): readonly string[] {
  const tags = tagsOf(share.download);
  if (share.downloads === 0 || isBurnt(share)) return [];
  return tags.length > 0 ? tags : [original];
}

const isRate = (rate: Rate | undefined): rate is { readonly numerator: number; readonly denominator: number } =>
  (rate?.numerator ?? 0) > 0 && (rate?.denominator ?? 0) > 0;

/** Counting of frames by the original, whatever form of it is played. */
export function timingOf({ shape = [] }: ItemOf): SharedItem['timing'] {
  const counted = shape.find(({ tag }) => tag?.includes(original)) ?? shape[0];
  const [container, video] = [firstOf(counted?.['containerComponent']), firstOf(counted?.['videoComponent'])];
  const base = container?.timeCodeTimeBase;
  const ofContainer: Rate | undefined = base && { numerator: base.denominator, denominator: base.numerator };
  const rate = [video?.averageFrameRate, video?.realBaseFrameRate, ofContainer].find(isRate);
  if (!rate) return undefined;
  const { numerator, denominator } = rate;
  return { numerator, denominator, dropFrame: container?.dropFrame, start: container?.startTimecode };
}

/** Sheet with the thumbnails of an item, as far as guests have use for it. */
export interface SheetOf {
  readonly thumbnail?: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly timecode: { readonly samples: number; readonly timeBase: Required<Rate> };
  }[];
}

export const thumbnailsFrom = ({ thumbnail = [] }: SheetOf) =>
  thumbnail.map(({ x, y, width, height, timecode: { samples, timeBase } }) => ({
    seconds: (samples * Number(timeBase.numerator)) / Number(timeBase.denominator),
    ...{ x, y, width, height },
  }));

/** Shapes that guests play or download. */
export function shapesFrom({ shape = [] }: ItemOf, terms: MediaTerms): NonNullable<SharedItem['shape']> {
  const played = playedOf(shape, terms);
  const tags = downloadTags(terms);
  const downloaded = shape.filter(({ tag = [] }) => tag.some((each) => tags.includes(each)));
  return [...new Set([...played, ...downloaded])].map((each) => {
    const { id, tag = [], mimeType: [mimeType] = [], containerComponent, binaryComponent } = each;
    return {
      ...{ id, tag, mimeType, bytes: sizeOf(containerComponent) ?? sizeOf(binaryComponent) },
      ...(isStream(each) && { stream: true }),
      play: played.includes(each),
      download: downloaded.includes(each),
    };
  });
}
