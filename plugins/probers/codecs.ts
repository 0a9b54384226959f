/** How a codec stores its pictures. */
interface PictureForm {
  readonly bitDepth?: number;
  /** Name in FFmpeg: `yuv420p`. */
  readonly pixelFormat?: string;
  /** Name in FFmpeg: `progressive`. */
  readonly fieldOrder?: string;
}

/** Form of the pictures, by the configuration of their codec. The bytes come from an untrusted file. */
export function pictureForm(codec: string | null, parameters: string | null, description?: Uint8Array): PictureForm {
  try {
    if (codec === 'h264') return description ? ofAvc(description) : {};
    if (codec === 'hevc') return description ? ofHevc(description) : {};
    if (codec === 'prores') return ofProres(parameters ?? '');
    const words = (parameters ?? '').split('.');
    if (codec === 'vp8') return { ...sampled(1, 8), ...progressive };
    if (codec === 'vp9') return { ...sampled(Math.max(1, Number(words[4] ?? 1)), Number(words[3])), ...progressive };
    if (codec === 'av1')
      return { ...sampled(chromaOfAv1(words[5]), Number.parseInt(words[3] ?? '', 10)), ...progressive };
  } catch {
    // A configuration that ends early says nothing.
  }
  return {};
}

const progressive = { fieldOrder: 'progressive' };
/** Names of chroma sampling by its number in H.264: none, half, half across, whole. */
const samplings = ['gray', 'yuv420p', 'yuv422p', 'yuv444p'];

function sampled(chroma: number, bitDepth: number): PictureForm {
  const name = samplings[chroma];
  if (name === undefined || !Number.isInteger(bitDepth) || bitDepth < 8 || bitDepth > 16) return {};
  return { bitDepth, pixelFormat: bitDepth > 8 ? `${name}${bitDepth}le` : name };
}

/** `110`: sampled by half in both directions. `100`: across only. `000`: whole. */
const chromaOfAv1 = (text = '110'): number =>
  new Map([
    ['11', 1],
    ['10', 2],
    ['00', 3],
  ]).get(text.slice(0, 2)) ?? 1;

/** Apple's codes of four letters. Those of 4444 have 12 bits. */
function ofProres(code: string): PictureForm {
  if (/^ap4[hx]$/.test(code)) return sampled(3, 12);
  return /^apc[nhso]$/.test(code) ? sampled(2, 10) : {};
}

function ofHevc(bytes: Uint8Array): PictureForm {
  if (bytes.length < 23) return {};
  const form = sampled(bytes[16]! & 3, (bytes[17]! & 7) + 8);
  // Flags of the profile: progressive source, interlaced source.
  return (bytes[6]! & 0xc0) === 0x80 ? { ...form, ...progressive } : form;
}

/** Profiles of H.264 that say their sampling; all others have 8 bits and half of the chroma. */
const tellingProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** The first sequence parameter set of an `avcC` box: version, profile, two bytes, lengths, a count, and the set. */
function ofAvc(bytes: Uint8Array): PictureForm {
  const length = (bytes[6]! << 8) | bytes[7]!;
  if ((bytes[5]! & 31) === 0 || length < 4) return {};
  const read = bitsOf(withoutEscapes(bytes.subarray(9, 8 + length)));
  const profile = read.bits(8);
  read.bits(16);
  read.number();
  let [chroma, bitDepth] = [1, 8];
  if (tellingProfiles.has(profile)) {
    chroma = read.number();
    if (chroma === 3) read.bits(1);
    bitDepth = read.number() + 8;
    read.number();
    read.bits(1);
    if (read.bits(1) === 1) for (let at = 0; at < (chroma === 3 ? 12 : 8); at++) skipScaling(read, at < 6 ? 16 : 64);
  }
  read.number();
  skipOrder(read);
  read.number();
  read.bits(1);
  read.number();
  read.number();
  return { ...sampled(chroma, bitDepth), ...(read.bits(1) === 1 && progressive) };
}

type Bits = ReturnType<typeof bitsOf>;

function skipScaling(read: Bits, size: number): void {
  if (read.bits(1) === 0) return;
  for (let [at, last, next] = [0, 8, 8]; at < size; at++) {
    if (next !== 0) next = (last + read.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

/** The order of pictures has three kinds. */
function skipOrder(read: Bits): void {
  const kind = read.number();
  if (kind === 0) read.number();
  if (kind !== 1) return;
  read.bits(1);
  read.number();
  read.number();
  for (let left = Math.min(read.number(), 255); left > 0; left--) read.number();
}

/** Zeros that are followed by 3 carry it only against a false start code. */
const withoutEscapes = (bytes: Uint8Array): Uint8Array =>
  bytes.filter((byte, at) => !(byte === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0));

function bitsOf(bytes: Uint8Array) {
  let at = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let left = count; left > 0; left--, at++) {
      const byte = bytes[at >> 3];
      if (byte === undefined) throw new RangeError('Expected more bits');
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  /** Exponential Golomb code. */
  const number = (): number => {
    let zeros = 0;
    while (bits(1) === 0) if (++zeros > 31) throw new RangeError('Expected a shorter number');
    return 2 ** zeros - 1 + bits(zeros);
  };
  const signed = (): number => {
    const code = number();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  };
  return { bits, number, signed };
}

/** How a codec stores or gives its sound. Names and numbers are those of FFmpeg. */
interface SoundForm {
  readonly sampleFormat?: string;
  /** Samples of a frame, where the codec has one size. */
  readonly frameSize?: number;
  /** A bit for each speaker. */
  readonly channelMask?: number;
}

const formats: readonly (readonly [RegExp, string])[] = [
  [/^(?:aac|mp3|ac3|eac3|opus|vorbis)$/, 'fltp'],
  [/^pcm_[us]8$/, 'u8'],
  [/^pcm_(?:s16|mulaw|alaw)/, 's16'],
  [/^pcm_s(?:24|32)/, 's32'],
  [/^pcm_f32/, 'flt'],
  [/^pcm_f64/, 'dbl'],
];
const frameSizes: Readonly<Record<string, number>> = { aac: 1024, mp3: 1152, ac3: 1536, eac3: 1536 };

/** Speakers by the number of channels: mono in front, then left and right. More depend on the codec. */
const defaultValue: Readonly<Record<number, number>> = { 1: 0x4, 2: 0x3 };
const masks: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  aac: { ...defaultValue, 3: 0x7, 4: 0x107, 5: 0x37, 6: 0x3f, 8: 0xff },
  ac3: { ...defaultValue, 6: 0x60f },
  eac3: { ...defaultValue, 6: 0x60f },
};

/** Form of the sound, by the name of its codec. */
export function soundForm(codec: string | null, channels: number, sampleRate: number): SoundForm {
  const name = codec ?? '';
  const sampleFormat = formats.find(([pattern]) => pattern.test(name))?.[1];
  // Layer III has half the samples below 32 kHz.
  const frameSize = name === 'mp3' && sampleRate < 32_000 ? 576 : frameSizes[name];
  const channelMask = (masks[name] ?? defaultValue)[channels];
  return {
    ...(sampleFormat !== undefined && { sampleFormat }),
    ...(frameSize !== undefined && { frameSize }),
    ...(channelMask !== undefined && { channelMask }),
  };
}
