import type { Rate } from './frames.ts';

/** Values of OpenTimelineIO, which writers of all rooms share. */

export const otioType = 'application/vnd.pixar.opentimelineio+json';

export const otioTime = (value: number, { frames, ntsc }: Rate) => ({
  OTIO_SCHEMA: 'RationalTime.1',
  rate: ntsc ? (frames * 1000) / 1001 : frames,
  value,
});

/** Pictures from one up to another, without that one. */
export const otioRange = (from: number, until: number, rate: Rate) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  duration: otioTime(until - from, rate),
  start_time: otioTime(from, rate),
});
type Range = ReturnType<typeof otioRange>;

type Metadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Media {
  readonly name: string;
  /** Address or path. Undefined: the media is for the reader to find. */
  readonly target?: string | undefined;
  readonly range?: Range | undefined;
}

const mediaOf = ({ name, target, range }: Media) => ({
  OTIO_SCHEMA: target === undefined ? 'MissingReference.1' : 'ExternalReference.1',
  name,
  ...(target !== undefined && { target_url: target }),
  available_range: range ?? null,
});

interface Clip {
  readonly name: string;
  readonly range: Range;
  readonly media: Media;
  readonly metadata?: Metadata;
  /** Undefined: that of the media. */
  readonly speed?: number | undefined;
  readonly markers?: readonly ReturnType<typeof otioMarker>[];
}

const key = 'DEFAULT_MEDIA';

/** An effect that shows media at another speed, and leaves the length of the clip as it is. */
const speedEffect = (speed: number) => ({
  OTIO_SCHEMA: speed === 0 ? 'FreezeFrame.1' : 'LinearTimeWarp.1',
  name: '',
  effect_name: speed === 0 ? 'FreezeFrame' : 'LinearTimeWarp',
  time_scalar: speed,
});

export const otioClip = ({ name, range, media, metadata, speed, markers = [] }: Clip) => ({
  OTIO_SCHEMA: 'Clip.2',
  name,
  source_range: range,
  media_references: { [key]: mediaOf(media) },
  active_media_reference_key: key,
  ...(speed !== undefined && { effects: [speedEffect(speed)] }),
  markers,
  ...(metadata && { metadata }),
});

export const otioGap = (length: number, rate: Rate) => ({
  OTIO_SCHEMA: 'Gap.1',
  source_range: otioRange(0, length, rate),
});

interface Transition {
  readonly name: string;
  readonly type: 'SMPTE_Dissolve' | 'Custom_Transition';
  /** Pictures before the cut, and behind it. */
  readonly offsets: readonly [before: number, behind: number];
  readonly metadata: Metadata;
}

export const otioTransition = ({ name, type, offsets: [before, behind], metadata }: Transition, rate: Rate) => ({
  OTIO_SCHEMA: 'Transition.1',
  name,
  transition_type: type,
  in_offset: otioTime(before, rate),
  out_offset: otioTime(behind, rate),
  metadata,
});

export const otioTrack = (name: string, kind: 'Video' | 'Audio', children: readonly object[]) => ({
  OTIO_SCHEMA: 'Track.1',
  name,
  kind,
  children,
});

export const otioTimeline = (
  name: string,
  tracks: readonly ReturnType<typeof otioTrack>[],
  start?: ReturnType<typeof otioTime>,
) => ({
  OTIO_SCHEMA: 'Timeline.1',
  name,
  ...(start && { global_start_time: start }),
  tracks: { OTIO_SCHEMA: 'Stack.1', name: 'tracks', children: tracks },
});

interface Marker {
  readonly name: string;
  readonly color: string;
  readonly range: Range;
  readonly comment: string;
  readonly metadata?: Metadata;
}

export const otioMarker = ({ name, color, range, comment, metadata }: Marker) => ({
  OTIO_SCHEMA: 'Marker.2',
  name,
  color,
  marked_range: range,
  comment,
  ...(metadata && { metadata }),
});
