import { type SegmentIndex, secondsOf } from '../../production/transcoding/public.ts';

/** A rendition as manifests name it. */
export interface Rendition {
  /** Unique within its stream. */
  readonly name: string;
  readonly kind: 'video' | 'audio';
  readonly segments: SegmentIndex;
  readonly bandwidth: Bandwidth;
  readonly uri: string;
}

/** Subtitles in one language. */
export interface Subtitle {
  /** Tag of RFC 5646. */
  readonly language: string;
  readonly uri: string;
}

interface Bandwidth {
  /** Bits a second of the largest segment. */
  readonly peak: number;
  readonly average: number;
}

export function bandwidthOf(segments: SegmentIndex): Bandwidth {
  const { timescale, segments: sizes } = segments;
  const rates = sizes.map(([bytes, duration]) => (duration > 0 ? (8 * bytes * timescale) / duration : 0));
  const total = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
  const seconds = secondsOf(segments);
  const peak = Math.ceil(rates.reduce((max, rate) => Math.max(max, rate), 0));
  return { peak, average: seconds > 0 ? Math.ceil((8 * total) / seconds) : peak };
}

export const ofKind = (renditions: readonly Rendition[], kind: Rendition['kind']): readonly Rendition[] =>
  renditions.filter((each) => each.kind === kind);
