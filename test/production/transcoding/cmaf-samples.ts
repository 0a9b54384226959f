/** Fragmented MP4 files that tests make: their samples are no media, and everything about them is true. */

const bytesOf = (...parts: readonly (number | string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? word(part) : typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
    ),
  );

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const zeros = (count: number): Uint8Array => new Uint8Array(count);
const short = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 255);

export const box = (type: string, ...content: readonly (number | string | Uint8Array)[]): Uint8Array => {
  const inner = bytesOf(...content);
  return bytesOf(inner.byteLength + 8, type, inner);
};

export interface CmafWanted {
  /** Size of the pictures. Left out: sound. */
  readonly size?: readonly [width: number, height: number];
  readonly timescale?: number;
  /** Bytes of samples and ticks of each segment. */
  readonly segments?: readonly (readonly [bytes: number, duration: number])[];
  /** Samples of the first segment. */
  readonly samples?: number;
  /** Boxes in place of the index. */
  readonly sidx?: (sizes: readonly number[]) => Uint8Array;
}

/** The sample entry of H.264, High, level 4. */
const avc1 = ([width, height]: readonly [number, number]) =>
  box(
    'avc1',
    ...[zeros(6), short(1), zeros(16), short(width), short(height), zeros(50)],
    box('avcC', Uint8Array.of(1, 0x64, 0, 0x28, 0xff, 0xe0, 0)),
  );
/** Sample entry of AAC-LC with two channels. Descriptors: a stream, its decoder, the settings of the decoder. */
const mp4a = box(
  'mp4a',
  ...[zeros(6), short(1), zeros(8), short(2), short(16), zeros(4), short(48_000), zeros(2)],
  box('esds', 0, Uint8Array.of(3, 0x80, 0x80, 22, 0, 1, 0, 4, 17, 0x40), zeros(12), Uint8Array.of(5, 2, 0x11, 0x90)),
);

function moov(size: CmafWanted['size'], timescale: number): Uint8Array {
  const [width, height] = size ?? [0, 0];
  const samples = [
    box('stsd', 0, 1, size ? avc1(size) : mp4a),
    ...[box('stts', 0, 0), box('stsc', 0, 0), box('stsz', 0, 0, 0), box('stco', 0, 0)],
  ];
  const media = [
    box('mdhd', zeros(12), timescale, 0, short(0x55c4), short(0)),
    box('hdlr', 0, 0, size ? 'vide' : 'soun', zeros(13)),
    box('minf', box('stbl', ...samples)),
  ];
  return box(
    'moov',
    box('mvhd', zeros(12), timescale, zeros(80), 2),
    box('trak', box('tkhd', 3, 0, 0, 1, zeros(60), width * 65_536, height * 65_536), box('mdia', ...media)),
    box('mvex', box('trex', 0, 1, 1, 0, 0, 0)),
  );
}

/** Box that indexes all fragments. */
export const sidxOf = (timescale: number, entries: readonly (readonly [bytes: number, duration: number])[]) =>
  box(
    'sidx',
    ...[0, 1, timescale, 0, 0],
    short(0),
    short(entries.length),
    ...entries.flatMap(([bytes, duration]) => [bytes, duration, 0x9000_0000]),
  );

export function cmaf({
  size,
  timescale = 1000,
  segments = [
    [2000, 6000],
    [1000, 6000],
    [500, 1500],
  ],
  samples = 150,
  sidx,
}: CmafWanted = {}): Uint8Array<ArrayBuffer> {
  let time = 0;
  const fragments = segments.map(([bytes, duration], at) => {
    const count = at === 0 ? samples : 1;
    const track = [
      // Durations and sizes of samples are those that stand here.
      box('tfhd', 0x02_0018, 1, duration / count, Math.floor(bytes / count)),
      box('tfdt', 0, time),
      box('trun', 0, count),
    ];
    time += duration;
    return bytesOf(box('moof', box('mfhd', 0, at + 1), box('traf', ...track)), box('mdat', zeros(bytes)));
  });
  const sizes = fragments.map(({ byteLength }) => byteLength);
  const index =
    sidx?.(sizes) ??
    sidxOf(
      timescale,
      sizes.map((each, at) => [each, segments[at]![1]] as const),
    );
  return new Uint8Array(bytesOf(box('ftyp', 'cmfc'), moov(size, timescale), index, ...fragments));
}
