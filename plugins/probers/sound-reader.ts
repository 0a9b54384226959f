import type { InputAudioTrack } from 'mediabunny';
import type { SoundReader, SoundSink } from '../../src/spi/index.ts';
import { mediaError, probeError, readRanges } from './media-prober.ts';

/** Reads one sample, from -1 to 1. */
type ReadOne = (view: DataView, at: number) => number;

interface Form {
  readonly bytes: number;
  readonly read: ReadOne;
}

const little = true;
const s24 = (view: DataView, at: number, isLittle: boolean): number =>
  isLittle
    ? (view.getInt8(at + 2) * 65_536 + view.getUint16(at, true)) / 8_388_608
    : (view.getInt16(at) * 256 + view.getUint8(at + 2)) / 8_388_608;

/** G.711: a sign, an exponent and a fraction. */
function muLaw(byte: number): number {
  const inverted = ~byte & 0xff;
  const height = (((inverted & 0x0f) << 3) + 0x84) << ((inverted >> 4) & 7);
  return ((inverted & 0x80) === 0 ? height - 0x84 : 0x84 - height) / 32_768;
}

function aLaw(byte: number): number {
  const inverted = byte ^ 0x55;
  const exponent = (inverted >> 4) & 7;
  const fraction = ((inverted & 0x0f) << 4) + 8;
  const height = exponent === 0 ? fraction : (fraction + 0x100) << (exponent - 1);
  return ((inverted & 0x80) === 0 ? -height : height) / 32_768;
}

const forms: Readonly<Record<string, Form>> = {
  'pcm-s16': { bytes: 2, read: (view, at) => view.getInt16(at, little) / 32_768 },
  'pcm-s16be': { bytes: 2, read: (view, at) => view.getInt16(at) / 32_768 },
  'pcm-s24': { bytes: 3, read: (view, at) => s24(view, at, true) },
  'pcm-s24be': { bytes: 3, read: (view, at) => s24(view, at, false) },
  'pcm-s32': { bytes: 4, read: (view, at) => view.getInt32(at, little) / 2_147_483_648 },
  'pcm-s32be': { bytes: 4, read: (view, at) => view.getInt32(at) / 2_147_483_648 },
  'pcm-f32': { bytes: 4, read: (view, at) => view.getFloat32(at, little) },
  'pcm-f32be': { bytes: 4, read: (view, at) => view.getFloat32(at) },
  'pcm-f64': { bytes: 8, read: (view, at) => view.getFloat64(at, little) },
  'pcm-f64be': { bytes: 8, read: (view, at) => view.getFloat64(at) },
  'pcm-u8': { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) / 128 },
  'pcm-s8': { bytes: 1, read: (view, at) => view.getInt8(at) / 128 },
  ulaw: { bytes: 1, read: (view, at) => muLaw(view.getUint8(at)) },
  alaw: { bytes: 1, read: (view, at) => aLaw(view.getUint8(at)) },
};

/** Turns the bytes of sound that needs no decoder into samples. Undefined: the codec needs one. */
export function pcmOf(codec: string | null): ((bytes: Uint8Array) => Float32Array) | undefined {
  const form = codec !== null && Object.hasOwn(forms, codec) ? forms[codec] : undefined;
  return (
    form &&
    ((bytes) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const samples = new Float32Array(Math.floor(bytes.byteLength / form.bytes));
      for (let at = 0; at < samples.length; at++) samples[at] = form.read(view, at * form.bytes);
      return samples;
    })
  );
}

/** Reads sound that needs no decoder: WAV, and PCM in MOV and Matroska. */
export const soundReader: SoundReader = {
  name: 'mediabunny',
  async read(source, sink, { signal }) {
    const library = await import('./media-library.ts');
    const formats = [library.WAVE, library.QTFF, library.MP4, library.MATROSKA];
    const input = new library.Input({ formats, source: readRanges(library, source) });
    const stop = () => input.dispose();
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (!(await input.canRead()))
        throw mediaError('unsupported', 'Expected a container of sound that needs no decoder');
      const tracks = await input.getAudioTracks();
      for (const track of tracks) {
        const codec = await track.getCodec();
        if (!pcmOf(codec)) throw mediaError('unsupported', `Expected sound that needs no decoder: found ${codec}`);
      }
      for (const track of tracks) await readTrack(new library.EncodedPacketSink(track), track, sink);
    } catch (error) {
      throw signal.aborted ? mediaError('aborted', 'The measure of the sound was ended') : probeError(error);
    } finally {
      signal.removeEventListener('abort', stop);
      input.dispose();
    }
  },
};

async function readTrack(
  packets: { packets(): AsyncIterable<{ readonly data: Uint8Array }> },
  track: InputAudioTrack,
  sink: SoundSink,
): Promise<void> {
  const channels = await track.getNumberOfChannels();
  sink.stream({ channels, sampleRate: await track.getSampleRate() });
  const samplesOf = pcmOf(await track.getCodec())!;
  for await (const { data } of packets.packets()) await sink.samples(samplesOf(data));
}
