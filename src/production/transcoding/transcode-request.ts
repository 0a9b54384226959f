import { original } from '../../assets/shapes/public.ts';
import {
  boolean,
  listOf,
  type MemoField,
  type MemoOf,
  number,
  oneOf,
  optional,
  recordOf,
  text,
  usually,
} from '../../room/jobs/memo.ts';

/** Stills that a job makes: none, at regular intervals, or at these times. */
export type StillTimes = 'none' | 'regular' | readonly string[];

const stills = usually<StillTimes>(
  {
    mayMiss: false,
    read: (value, key) =>
      Array.isArray(value) ? listOf(text).read(value, key) : oneOf(['none', 'regular'] as const).read(value, key),
  },
  'none',
);
const stillSize = usually(recordOf({ width: optional(number), height: optional(number) }), {
  width: undefined,
  height: undefined,
});
export type StillSize = MemoOf<{ width: MemoField<number | undefined>; height: MemoField<number | undefined> }>;

/** Memo of jobs that transcode. Jobs of other rooms leave out what is as usual. */
export const transcodeMemo = {
  itemId: text,
  /** Source shape. Undefined: by the presets, or the original. */
  shapeId: optional(text),
  /** Tags of source shapes, preferred to the original. */
  sourceTags: listOf(text),
  /** Essence version. Undefined: the latest. */
  version: optional(number),
  tags: listOf(text),
  thumbnails: stills,
  posters: stills,
  /** Target storage. Undefined: by storage rules. */
  storageId: optional(text),
  /** Tag whose new shape becomes the original. */
  original: optional(text),
  /** Item that gets the shapes. Undefined: the same item. */
  destination: optional(text),
  fastStart: usually(boolean, true),
  thumbnail: stillSize,
  poster: stillSize,
  posterType: usually(oneOf(['image/jpeg', 'image/png'] as const), 'image/jpeg'),
  /** A time code, between two thumbnails. */
  period: optional(text),
};
export type TranscodeMemo = MemoOf<typeof transcodeMemo>;

/** Parameters of a transcoding job. `tags`: those of shapes to be made. */
export type TranscodeRequest = TranscodeMemo & { readonly destination: string };

const words = (given: string): readonly string[] =>
  given
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The tags that name another form. The shape with the tag "original" is there before any transcode. */
export const otherForms = (tags: readonly string[]): readonly string[] => tags.filter((tag) => tag !== original);

/** The tags that the new shapes have. `original`: the one of them whose shape becomes the original. */
export const tagsGiven = (tags: readonly string[], becomes: string | undefined): readonly string[] =>
  becomes ? [...tags, original] : tags;

/** `false`, `true`, or times with commas between. */
export function stillTimes(given: string): StillTimes {
  const plain = given.trim();
  if (plain === '' || plain.toLowerCase() === 'false') return 'none';
  return plain.toLowerCase() === 'true' ? 'regular' : words(plain);
}

export const transcodeRequestOf = (memo: TranscodeMemo): TranscodeRequest => ({
  ...memo,
  tags: otherForms(memo.tags),
  destination: memo.destination ?? memo.itemId,
});
