import { original } from '../assets/shapes/rules.ts';
import type { Memo } from '../jobs/job-type.ts';

/** Stills that a job makes: none, at regular intervals, or at these times. */
export type StillTimes = 'none' | 'regular' | readonly string[];

/** Parameters of a transcoding job. */
export interface TranscodeWish {
  readonly itemId: string;
  /** Source shape. Undefined: by the presets, or the original. */
  readonly shapeId: string | undefined;
  /** Tags of source shapes, preferred to the original. */
  readonly sourceTags: readonly string[];
  /** Essence version. Undefined: the latest. */
  readonly version: number | undefined;
  readonly tags: readonly string[];
  readonly thumbnails: StillTimes;
  readonly posters: StillTimes;
  /** Target storage. Undefined: by storage rules. */
  readonly storageId: string | undefined;
  /** Tag whose new shape becomes the original. */
  readonly original: string | undefined;
  /** Item that gets the shapes. */
  readonly destination: string;
  readonly fastStart: boolean;
  readonly thumbnail: StillSize;
  readonly poster: StillSize & { readonly type: 'image/jpeg' | 'image/png' };
  /** A time code, between two thumbnails. */
  readonly period: string | undefined;
}

export interface StillSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const words = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The tags that name another form. The shape with the tag "original" is there before any transcode. */
export const otherForms = (tags: readonly string[]): readonly string[] => tags.filter((tag) => tag !== original);

/** `false`, `true`, or times with commas between. */
export function stillTimes(given: string | boolean | undefined): StillTimes {
  const text = String(given ?? 'false').trim();
  if (text === '' || text.toLowerCase() === 'false') return 'none';
  return text.toLowerCase() === 'true' ? 'regular' : words(text);
}

/** The wish of a job. Jobs of other rooms say less: what they leave out is as usual. */
export function wishOfJob(memo: Memo): TranscodeWish {
  const text = (key: string): string | undefined => {
    const value = memo[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const number = (key: string) => (typeof memo[key] === 'number' ? memo[key] : undefined);
  const times = (key: string) =>
    stillTimes(memo[key] === null ? undefined : (memo[key] as string | boolean | undefined));
  const itemId = text('itemId')!;
  return {
    itemId,
    shapeId: text('shapeId'),
    sourceTags: words(text('sourceTags')),
    version: number('version'),
    tags: otherForms(words(text('tags'))),
    thumbnails: times('createThumbnails'),
    posters: times('createPosters'),
    storageId: text('storageId'),
    original: text('original'),
    destination: text('destinationItem') ?? itemId,
    fastStart: memo['fastStart'] !== false,
    thumbnail: { width: number('thumbnailWidth'), height: number('thumbnailHeight') },
    poster: {
      width: number('posterWidth'),
      height: number('posterHeight'),
      type: text('posterFormat') === 'png' ? 'image/png' : 'image/jpeg',
    },
    period: text('thumbnailPeriod'),
  };
}
