/** Largest media whose sound a browser measures by itself, in bytes and in seconds. Of a film it reads the pictures, too. */
const max = {
  sound: { bytes: 64 * 1024 * 1024, seconds: 30 * 60 },
  film: { bytes: 24 * 1024 * 1024, seconds: 10 * 60 },
};
const columns = 4000;
/** Enough for the outline of a waveform, and little memory. */
const rate = 8000;

export const isDecodable = (medium: keyof typeof max, bytes: number | undefined, seconds: number): boolean =>
  bytes !== undefined && bytes >= 0 && bytes <= max[medium].bytes && seconds > 0 && seconds <= max[medium].seconds;

/** The largest amplitude of each of so many parts of the samples. */
export function outline(samples: Float32Array, parts = columns): number[] {
  const step = samples.length / parts;
  return Array.from({ length: Math.min(parts, samples.length) }, (_, at) => {
    let largest = 0;
    const end = Math.max(Math.floor(at * step) + 1, Math.floor((at + 1) * step));
    for (let index = Math.floor(at * step); index < end; index++)
      largest = Math.max(largest, Math.abs(samples[index] ?? 0));
    return largest;
  });
}

/** The waveform of a sound that the browser can play, by channel. No job of the service is needed. */
export async function decode(path: string, signal: AbortSignal): Promise<readonly (readonly number[])[]> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(await response.arrayBuffer());
  return Array.from({ length: Math.min(2, sound.numberOfChannels) }, (_, channel) =>
    outline(sound.getChannelData(channel)),
  );
}
