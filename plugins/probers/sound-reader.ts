import type { InputAudioTrack } from 'mediabunny';
import type { SoundReader, SoundSink } from '../../src/spi/index.ts';
import { mediaError } from './fault.ts';
import { probeError, readRanges } from './media-prober.ts';
import { pcmOf } from './pcm.ts';

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
