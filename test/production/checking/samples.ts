import { deflateSync } from 'node:zlib';
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
} from 'mediabunny';

/** Media that tests make: no program is asked, and no file is kept. */

const rate = 48_000;

/** A sine as 16 bits. */
function sine(seconds: number, channels: number): AudioSample {
  const frames = Math.round(seconds * rate);
  const data = new Int16Array(frames * channels);
  for (let at = 0; at < data.length; at++) data[at] = Math.round(8000 * Math.sin(Math.floor(at / channels) / 17));
  return new AudioSample({ data, format: 's16', numberOfChannels: channels, sampleRate: rate, timestamp: 0 });
}

interface Wanted {
  readonly seconds?: number;
  readonly channels?: number;
  readonly film?: boolean;
  readonly sound?: boolean;
}

async function made(
  format: OutputFormat,
  { seconds = 1, channels = 2, film = false, sound = true }: Wanted,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const audio = new AudioSampleSource({ codec: 'pcm-s16' });
  const video = new EncodedVideoPacketSource('vp8');
  if (film) output.addVideoTrack(video, { frameRate: 25 });
  if (sound) output.addAudioTrack(audio);
  await output.start();
  if (film) {
    const meta = { decoderConfig: { codec: 'vp8', codedWidth: 64, codedHeight: 48 } };
    for (let at = 0; at < seconds * 25; at++) {
      const packet = new EncodedPacket(keyFrame, at % 5 === 0 ? 'key' : 'delta', at / 25, 1 / 25);
      await video.add(packet, at === 0 ? meta : undefined);
    }
  }
  if (sound) {
    const sample = sine(seconds, channels);
    await audio.add(sample);
    sample.close();
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/** The header of a VP8 key frame of 64 x 48. Nothing decodes it. */
const keyFrame = new Uint8Array([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 64, 0, 48, 0, 0, 0]);

/** A film whose header stands at its beginning, or `atEnd`, as recorders write it. */
export async function mp4({
  seconds = 1,
  atEnd = false,
}: Wanted & { readonly atEnd?: boolean } = {}): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: atEnd ? false : 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(video, { frameRate: 25 });
  await output.start();
  const meta = { decoderConfig: { codec: 'vp09.00.10.08', codedWidth: 64, codedHeight: 48 } };
  for (let at = 0; at < seconds * 25; at++) {
    await video.add(
      new EncodedPacket(keyFrame, at % 5 === 0 ? 'key' : 'delta', at / 25, 1 / 25),
      at ? undefined : meta,
    );
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/** The same bytes, with a number of 32 bits written behind the first place of a box and so many bytes. */
export function withLie(bytes: Uint8Array, box: string, offset: number, value: number): Uint8Array {
  const lying = bytes.slice();
  const at = Buffer.from(lying.buffer).indexOf(box, 0, 'latin1');
  new DataView(lying.buffer).setUint32(at + 4 + offset, value);
  return lying;
}

/** The film with its one track so many times. */
export function withTracks(film: Uint8Array, count: number): Uint8Array {
  const bytes = Buffer.from(film);
  const [moov, trak] = [bytes.indexOf('moov', 0, 'latin1') - 4, bytes.indexOf('trak', 0, 'latin1') - 4];
  const size = bytes.readUInt32BE(trak);
  const more = Array.from({ length: count - 1 }, () => bytes.subarray(trak, trak + size));
  const all = Buffer.concat([bytes.subarray(0, trak + size), ...more, bytes.subarray(trak + size)]);
  all.writeUInt32BE(bytes.readUInt32BE(moov) + size * (count - 1), moov);
  return new Uint8Array(all);
}

export const wav = (wanted: Wanted = {}) => made(new WavOutputFormat(), wanted);
export const mkv = (wanted: Wanted = {}) => made(new MkvOutputFormat(), { film: true, ...wanted });
export const mov = (wanted: Wanted = {}) => made(new MovOutputFormat(), wanted);

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = new Uint8Array([...new TextEncoder().encode(type), ...data]);
  const all = new Uint8Array(body.length + 8);
  const view = new DataView(all.buffer);
  view.setUint32(0, data.length);
  all.set(body, 4);
  view.setUint32(body.length + 4, crcOf(body));
  return all;
}

/** A grey picture. `claims`: the size that its header says. */
export function png(width: number, height: number, claims = { width, height }): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, claims.width);
  view.setUint32(4, claims.height);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const parts = [chunk('IHDR', header), chunk('IDAT', new Uint8Array(rows)), chunk('IEND', new Uint8Array())];
  return new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...parts.flatMap((part) => [...part])]);
}

/** The headers alone: nothing here unpacks pictures. */
export function jpeg(width: number, height: number, before = 0): Uint8Array {
  const filler = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];
  for (let left = before; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000);
    filler.push(0xff, 0xef, (length + 2) >> 8, (length + 2) & 255, ...new Array<number>(length).fill(0x20));
  }
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const frame = [0xff, 0xc0, 0, 17, 8, ...size, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
  return new Uint8Array([0xff, 0xd8, ...filler, ...frame, 0xff, 0xd9]);
}

export const gif = (width: number, height: number): Uint8Array =>
  new Uint8Array([
    ...new TextEncoder().encode('GIF89a'),
    ...[width & 255, width >> 8, height & 255, height >> 8, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x3b],
  ]);

/** A TIFF whose directory stands behind so many bytes. */
export function tiff(width: number, height: number, before: number): Uint8Array {
  const bytes = new Uint8Array(8 + before + 2 + 2 * 12 + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 0x2a, 0]);
  view.setUint32(4, 8 + before, true);
  view.setUint16(8 + before, 2, true);
  for (const [at, [tag, value]] of [
    [256, width],
    [257, height],
  ].entries() as IterableIterator<[number, [number, number]]>) {
    const place = 8 + before + 2 + at * 12;
    view.setUint16(place, tag, true);
    view.setUint16(place + 2, 4, true);
    view.setUint32(place + 4, 1, true);
    view.setUint32(place + 8, value, true);
  }
  return bytes;
}
