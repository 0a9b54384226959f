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
const usual: Readonly<Record<number, number>> = { 1: 0x4, 2: 0x3 };
const masks: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  aac: { ...usual, 3: 0x7, 4: 0x107, 5: 0x37, 6: 0x3f, 8: 0xff },
  ac3: { ...usual, 6: 0x60f },
  eac3: { ...usual, 6: 0x60f },
};

/** What the name of a codec says about its sound. */
export function soundForm(codec: string | null, channels: number, sampleRate: number): SoundForm {
  const name = codec ?? '';
  const sampleFormat = formats.find(([pattern]) => pattern.test(name))?.[1];
  // Layer III has half the samples below 32 kHz.
  const frameSize = name === 'mp3' && sampleRate < 32_000 ? 576 : frameSizes[name];
  const channelMask = (masks[name] ?? usual)[channels];
  return {
    ...(sampleFormat !== undefined && { sampleFormat }),
    ...(frameSize !== undefined && { frameSize }),
    ...(channelMask !== undefined && { channelMask }),
  };
}
