import { joined } from '../../../core/lib/bytes.ts';
import { boxAt, boxBelow, boxesIn, type ContainerBox } from '../../../core/lib/iso-boxes.ts';
import { JobFails } from '../../../room/jobs/job-type.ts';

/** Content of manifests for a rendition: a fragmented MP4 file with one track and the index of its segments. */
export interface SegmentIndex {
  /** Codec by RFC 6381: `avc1.640028`, `mp4a.40.2`. */
  readonly codecs: string;
  /** Size on a display. Undefined: sound. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Pictures a second. */
  readonly frameRate?: number;
  readonly channels?: number;
  /** Ticks a second of the durations. */
  readonly timescale: number;
  /** Bytes from the start of the file that players need ahead of any segment. */
  readonly head: number;
  /** Place of the index in the file: its first byte, and the one behind it. */
  readonly index: readonly [from: number, end: number];
  /** First byte of the first segment. The others follow without gaps. */
  readonly start: number;
  readonly segments: readonly (readonly [bytes: number, duration: number])[];
}

/** Bytes of a file ahead of its first samples. */
export const maxHeadBytes = 4 * 1024 * 1024;
/** Segments of one rendition: half a day of six seconds each. */
const maxSegments = 7_200;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const unreadable = (what: string): JobFails => new JobFails(`Expected a fragmented MP4 file with an index: ${what}`);

/** Reads the index at the front of a file, and cancels the rest of it. */
export async function readSegmentIndex(body: ReadableStream<Uint8Array>, size: number): Promise<SegmentIndex> {
  let head: Uint8Array = new Uint8Array();
  for await (const piece of body) {
    head = joined([head, piece]);
    if (fragmentIn(viewOf(head))) break;
    if (head.byteLength > maxHeadBytes) throw unreadable(`its head has more than ${maxHeadBytes} bytes`);
  }
  return segmentIndexOf(head, size);
}

/** The first fragment, if all of its header is in the bytes. */
function fragmentIn(view: DataView): ContainerBox | undefined {
  for (let at = 0; at < view.byteLength; ) {
    const box = boxAt(view, at, 0, view.byteLength);
    if (!box || box.end > view.byteLength) return undefined;
    if (box.type === 'moof') return box;
    at = box.end;
  }
  return undefined;
}

/** The index of a file. `bytes`: its beginning, up to the samples of the first fragment. Throws JobFails. */
export function segmentIndexOf(bytes: Uint8Array, size: number): SegmentIndex {
  const view = viewOf(bytes);
  const fragment = fragmentIn(view);
  if (!fragment) throw unreadable('it has no fragment');
  const boxes = boxesIn(view, 0, fragment.end);
  const header = boxes.find(({ type }) => type === 'moov');
  const place = boxes.find(({ type }) => type === 'sidx');
  if (!header || !place) throw unreadable(header ? 'it has no sidx' : 'it has no moov');
  try {
    const { start, ...index } = readIndex(view, place);
    if (start + index.segments.reduce((sum, [length]) => sum + length, 0) > size) {
      throw unreadable('its segments are longer than the file');
    }
    const track = trackOf(view, header);
    const first = index.segments[0]![1] / index.timescale;
    const frames = track.size && samplesIn(view, fragment);
    return {
      ...track,
      ...(frames !== undefined && first > 0 && { frameRate: Math.round((1000 * frames) / first) / 1000 }),
      ...index,
      head: header.end,
      index: [startOf(view, place), place.end],
      start,
    };
  } catch (error) {
    if (error instanceof RangeError) throw unreadable('a box is shorter than its fields');
    throw error;
  }
}

/** First byte of a box, ahead of its length. A length of 64 bits takes eight bytes more. */
const startOf = (view: DataView, { from, end }: ContainerBox): number =>
  view.getUint32(from - 8) === end - from + 8 ? from - 8 : from - 16;

function readIndex(view: DataView, { from, end }: ContainerBox) {
  const isLong = view.getUint8(from) !== 0;
  const timescale = view.getUint32(from + 8);
  const offset = isLong ? Number(view.getBigUint64(from + 20)) : view.getUint32(from + 16);
  const list = from + (isLong ? 28 : 20);
  const count = view.getUint16(list + 2);
  if (timescale === 0 || count === 0) throw unreadable('its index is empty');
  if (count > maxSegments) throw unreadable(`it has more than ${maxSegments} segments`);
  if (list + 4 + count * 12 > end) throw new RangeError();
  const segments = Array.from({ length: count }, (_, at): readonly [number, number] => {
    const entry = list + 4 + at * 12;
    const length = view.getUint32(entry);
    // The first bit says that a further index lies there.
    if (length >= 0x8000_0000) throw unreadable('its index has several levels');
    return [length, view.getUint32(entry + 4)];
  });
  return { timescale, start: end + offset, segments };
}

type Track = Pick<SegmentIndex, 'codecs' | 'size' | 'channels'>;

function trackOf(view: DataView, header: ContainerBox): Track {
  const tracks = boxesIn(view, header.from, header.end).filter(({ type }) => type === 'trak');
  if (tracks.length !== 1) throw unreadable(`it has ${tracks.length} tracks`);
  const list = boxBelow(view, tracks[0]!, 'mdia', 'minf', 'stbl', 'stsd');
  // Flags and a count stand before it.
  const entry = list && boxesIn(view, list.from + 8, list.end)[0];
  if (entry?.type === 'avc1') return pictures(view, tracks[0]!, entry);
  if (entry?.type === 'mp4a') return sound(view, entry);
  throw unreadable('its codec is neither H.264 nor AAC');
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

function pictures(view: DataView, track: ContainerBox, entry: ContainerBox): Track {
  const settings = boxesIn(view, entry.from + 78, entry.end).find(({ type }) => type === 'avcC');
  const head = boxBelow(view, track, 'tkhd');
  if (!settings || !head) throw unreadable('its track is not described');
  const profile = [1, 2, 3].map((at) => hex(view.getUint8(settings.from + at))).join('');
  // Width and height are numbers of 32 bits, half of them behind the point.
  const [width, height] = [8, 4].map((at) => Math.round(view.getUint32(head.end - at) / 65_536)) as [number, number];
  return { codecs: `avc1.${profile}`, size: { width, height } };
}

function sound(view: DataView, entry: ContainerBox): Track {
  const settings = boxesIn(view, entry.from + 28, entry.end).find(({ type }) => type === 'esds');
  if (!settings) throw unreadable('its track is not described');
  return { codecs: `mp4a.40.${soundType(view, settings)}`, channels: view.getUint16(entry.from + 16) };
}

/** Tags of descriptors: an elementary stream, its decoder, and the settings of that decoder. */
const [streamTag, decoderTag, settingsTag] = [3, 4, 5];

/** Kind of AAC: the first five bits of the settings of the decoder. */
function soundType(view: DataView, { from, end }: ContainerBox): number {
  // Flags stand before the first descriptor.
  for (let at = from + 4; at < end; ) {
    const tag = view.getUint8(at++);
    while (view.getUint8(at++) >= 0x80);
    if (tag === streamTag) at += 3;
    else if (tag === decoderTag) at += 13;
    else if (tag === settingsTag) return view.getUint8(at) >> 3;
    else break;
  }
  throw unreadable('its AAC is not described');
}

/** Samples of a fragment. */
const samplesIn = (view: DataView, fragment: ContainerBox): number =>
  boxesIn(view, fragment.from, fragment.end)
    .filter(({ type }) => type === 'traf')
    .flatMap((track) => boxesIn(view, track.from, track.end))
    .filter(({ type }) => type === 'trun')
    .reduce((sum, run) => sum + view.getUint32(run.from + 4), 0);

/** Seconds of a rendition. */
export const secondsOf = ({ timescale, segments }: SegmentIndex): number =>
  segments.reduce((sum, [, duration]) => sum + duration, 0) / timescale;
