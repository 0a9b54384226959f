import { boxAt, boxBelow, boxesIn, type ContainerBox } from '../../src/kit/index.ts';
import type { MediaSource } from '../../src/spi/index.ts';

/** The first boxes of a file, of which each costs a read. Their ends may lie behind that of the file. */
export async function firstBoxes(
  { size, read }: Pick<MediaSource, 'size' | 'read'>,
  max: number,
): Promise<ContainerBox[]> {
  const boxes: ContainerBox[] = [];
  for (let at = 0; boxes.length < max && at + 8 <= size; ) {
    const header = await read({ from: at, end: Math.min(at + 16, size) });
    const box = boxAt(new DataView(header.buffer, header.byteOffset, header.byteLength), 0, at, size);
    if (!box) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** Bytes of a header that is read. */
const maxHeaderLength = 4 * 1024 * 1024;

/** The header of an ISO file in memory. */
interface IsoHeader {
  readonly view: DataView;
  readonly tracks: readonly ContainerBox[];
}

type IsoSource = Pick<MediaSource, 'size' | 'read'>;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the header among the first boxes of a file. Undefined: there is none, or it is too long. */
export async function isoHeader(source: IsoSource, boxes: readonly ContainerBox[]): Promise<IsoHeader | undefined> {
  const header = boxes.find(
    ({ type, from, end }) => type === 'moov' && end <= source.size && end - from < maxHeaderLength,
  );
  if (!header) return undefined;
  const view = viewOf(await source.read({ from: header.from, end: header.end }));
  return { view, tracks: boxesIn(view, 0, view.byteLength).filter(({ type }) => type === 'trak') };
}

/** The first entry of the sample description, which names the codec. */
function sampleEntry(view: DataView, track: ContainerBox): ContainerBox | undefined {
  const list = boxBelow(view, track, 'mdia', 'minf', 'stbl', 'stsd');
  // Flags and a count stand before it.
  return list && boxesIn(view, list.from + 8, list.end)[0];
}

type Pairs = Readonly<Record<string, string>>;

/** Facts that the boxes of a track have beside its codec. */
export interface IsoTrack {
  readonly metadata: Pairs;
  readonly packets?: number;
  readonly fieldOrder?: string;
  readonly channelMask?: number;
}

/** Descriptions of all tracks by their ids. */
export const isoTracks = ({ view, tracks }: IsoHeader): ReadonlyMap<number, IsoTrack> =>
  new Map(tracks.flatMap((track) => describedTrack(view, track)));

/** Nothing for a track whose boxes are shorter than their fields. */
function describedTrack(view: DataView, track: ContainerBox): readonly (readonly [number, IsoTrack])[] {
  try {
    const id = trackId(view, track);
    return id === undefined ? [] : [[id, trackOf(view, track)]];
  } catch {
    return [];
  }
}

function trackId(view: DataView, track: ContainerBox): number | undefined {
  const head = boxBelow(view, track, 'tkhd');
  const at = head && head.from + (view.getUint8(head.from) === 1 ? 20 : 12);
  return at !== undefined && at + 4 <= head!.end ? view.getUint32(at) : undefined;
}

function trackOf(view: DataView, track: ContainerBox): IsoTrack {
  const name = handlerName(view, boxBelow(view, track, 'mdia', 'hdlr'));
  const createdAt = creationTime(view, boxBelow(view, track, 'mdia', 'mdhd'));
  const packets = packetsOf(view, boxBelow(view, track, 'mdia', 'minf', 'stbl', 'stts'));
  const entry = sampleEntry(view, track);
  const fieldOrder = entry && fieldOrderOf(view, entry);
  const channelMask = entry && channelMaskOf(view, entry);
  return {
    metadata: { ...(createdAt && { creation_time: createdAt }), ...(name && { handler_name: name }) },
    ...(packets > 0 && { packets }),
    ...(fieldOrder !== undefined && { fieldOrder }),
    ...(channelMask !== undefined && { channelMask }),
  };
}

const text = (view: DataView, from: number, end: number): string =>
  new TextDecoder()
    .decode(new Uint8Array(view.buffer, view.byteOffset + from, Math.max(0, end - from)))
    .replace(/\0.*$/s, '')
    .slice(0, 200);

/** QuickTime writes the length of the name before it; MP4 ends the name with a zero. */
function handlerName(view: DataView, box: ContainerBox | undefined): string {
  const from = (box?.from ?? 0) + 24;
  if (!box || from >= box.end) return '';
  const isCounted = view.getUint8(from) === box.end - from - 1;
  return text(view, from + (isCounted ? 1 : 0), box.end);
}

/** Seconds between the first moments of 1904 and 1970. */
const since1904 = 2_082_844_800;

/** An instant, in the spelling of FFmpeg. Undefined: the box has none. */
function creationTime(view: DataView, box: ContainerBox | undefined): string | undefined {
  if (!box || box.from + 12 > box.end) return undefined;
  const isLong = view.getUint8(box.from) === 1;
  const seconds = isLong ? Number(view.getBigUint64(box.from + 4)) : view.getUint32(box.from + 4);
  const instant = (seconds - since1904) * 1000;
  return seconds > 0 && Math.abs(instant) < 8.64e15 ? new Date(instant).toISOString().replace('Z', '000Z') : undefined;
}

/** Sum of the table of durations. A file in fragments has an empty one. */
function packetsOf(view: DataView, table: ContainerBox | undefined): number {
  if (!table || table.from + 8 > table.end) return 0;
  const rows = Math.min(view.getUint32(table.from + 4), Math.floor((table.end - table.from - 8) / 8));
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += view.getUint32(table.from + 8 + row * 8);
  return sum;
}

/** Packets of one chunk. Recorders write a second at a time. */
const maxInChunk = 1_000_000;

/** Whether a chunk claims more packets than any has: a reader that walks through them would not come to an end. */
export const hasEndlessChunk = ({ view, tracks }: IsoHeader): boolean =>
  tracks.some((track) => {
    const table = boxBelow(view, track, 'mdia', 'minf', 'stbl', 'stsc');
    // Flags and a count stand before the rows of three numbers, of which the second one counts packets.
    for (let at = (table?.from ?? 0) + 12; table && at + 4 <= table.end; at += 12)
      if (view.getUint32(at) > maxInChunk) return true;
    return false;
  });

/** Orders of fields by the second byte of the box `fiel`. */
const fieldOrders: Readonly<Record<number, string>> = { 1: 'tt', 6: 'bb', 9: 'tb', 14: 'bt' };

function fieldOrderOf(view: DataView, entry: ContainerBox): string | undefined {
  // Fields of a picture stand before its boxes.
  const box = boxesIn(view, entry.from + 78, entry.end).find(({ type }) => type === 'fiel');
  if (!box || box.from + 2 > box.end) return undefined;
  return view.getUint8(box.from) === 1 ? 'progressive' : fieldOrders[view.getUint8(box.from + 1)];
}

/** Bytes before the boxes of a sound, by the version of its entry. */
const soundHeads = [28, 44, 64];
/** Layout tag whose channels are told by a bitmap. */
const bitmapTag = 0x10000;

function channelMaskOf(view: DataView, entry: ContainerBox): number | undefined {
  if (entry.from + 28 > entry.end) return undefined;
  const head = soundHeads[view.getUint16(entry.from + 8)] ?? 28;
  const box = boxesIn(view, entry.from + head, entry.end).find(({ type }) => type === 'chan');
  if (!box || box.from + 12 > box.end || view.getUint32(box.from + 4) !== bitmapTag) return undefined;
  return view.getUint32(box.from + 8) || undefined;
}

/** Brands and the instant of the file, with FFmpeg's names. */
export async function isoFileTags(
  source: IsoSource,
  boxes: readonly ContainerBox[],
  header?: IsoHeader,
): Promise<Pairs> {
  const moment = header && boxesIn(header.view, 0, header.view.byteLength).find(({ type }) => type === 'mvhd');
  const createdAt = header && creationTime(header.view, moment);
  const type = boxes.find((box) => box.type === 'ftyp');
  const brands = type && type.end <= source.size && type.end - type.from <= 1024 ? await brandsOf(source, type) : {};
  return { ...brands, ...(createdAt && { creation_time: createdAt }) };
}

async function brandsOf(source: IsoSource, { from, end }: ContainerBox): Promise<Pairs> {
  if (end - from < 8) return {};
  const view = viewOf(await source.read({ from, end }));
  return {
    major_brand: text(view, 0, 4),
    minor_version: String(view.getUint32(4)),
    compatible_brands: text(view, 8, view.byteLength),
  };
}

/** The time code of the first frame, of the track that tells it. Undefined: there is none. */
export async function firstTimeCode(source: IsoSource, header: IsoHeader | undefined): Promise<string | undefined> {
  if (!header) return undefined;
  const { view, tracks } = header;
  for (const track of tracks) {
    const timeTrackBox = timeTrack(view, track);
    if (!timeTrackBox || timeTrackBox.offset + 4 > source.size) continue;
    const sample = await source.read({ from: timeTrackBox.offset, end: timeTrackBox.offset + 4 });
    const frames = new DataView(sample.buffer, sample.byteOffset, 4).getUint32(0);
    return timeCodeOf(frames, timeTrackBox.base, timeTrackBox.drops);
  }
  return undefined;
}

/** First sample of a track of time codes, and its counting. */
function timeTrack(view: DataView, track: ContainerBox) {
  const table = boxBelow(view, track, 'mdia', 'minf', 'stbl');
  const entries = table && boxBelow(view, table, 'stsd');
  // Flags, a count, and the first entry: size, name, ten bytes, flags, scale, length of a frame, frames a second.
  const entry = entries && entries.from + 8;
  if (entry === undefined || entry + 33 > entries!.end || view.getUint32(entry + 4) !== 0x746d6364) return undefined;
  const base = view.getUint8(entry + 32);
  const drops = (view.getUint32(entry + 20) & 1) === 1;
  const places = boxBelow(view, table!, 'stco');
  const farPlaces = boxBelow(view, table!, 'co64');
  if (base === 0 || base > 100) return undefined;
  if (places && places.from + 12 <= places.end) return { base, drops, offset: view.getUint32(places.from + 8) };
  if (!farPlaces || farPlaces.from + 16 > farPlaces.end) return undefined;
  return { base, drops, offset: Number(view.getBigUint64(farPlaces.from + 8)) };
}

/** `;` before the frames: some numbers are left out each minute, so that the code keeps to the clock. */
export function timeCodeOf(count: number, base: number, drops: boolean): string {
  let frames = count;
  if (drops) {
    const left = Math.round(base / 15);
    const inMinute = base * 60 - left;
    const inTen = base * 600 - left * 9;
    const [tens, rest] = [Math.floor(count / inTen), count % inTen];
    frames += left * 9 * tens + (rest > left ? left * Math.floor((rest - left) / inMinute) : 0);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(frames / base);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}${drops ? ';' : ':'}${two(frames % base)}`;
}
