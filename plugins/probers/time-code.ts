import type { ContainerBox } from './boxes.ts';
import { below, type IsoHeader, type IsoSource } from './iso-header.ts';

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
  const table = below(view, track, 'mdia', 'minf', 'stbl');
  const entries = table && below(view, table, 'stsd');
  // Flags, a count, and the first entry: size, name, ten bytes, flags, scale, length of a frame, frames a second.
  const entry = entries && entries.from + 8;
  if (entry === undefined || entry + 33 > entries!.end || view.getUint32(entry + 4) !== 0x746d6364) return undefined;
  const base = view.getUint8(entry + 32);
  const drops = (view.getUint32(entry + 20) & 1) === 1;
  const places = below(view, table!, 'stco');
  const farPlaces = below(view, table!, 'co64');
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
