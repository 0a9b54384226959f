import * as mediabunny from 'mediabunny';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, type OutputFormat } from 'mediabunny';
import { probeWithShipped } from '../../src/composition/shipped-probers.ts';
import type { MediaSource } from '../../src/spi/index.ts';
import type { Row } from './row.ts';
import { benchTranscodes } from './transcodes.ts';

/** Bytes read of large films, and the cost of other forms of media. */

const mebibyte = 1024 * 1024;

/** A film of so many bytes, whose pictures nobody decodes. */
async function film(format: OutputFormat, codec: 'vp9' | 'vp8', bytes: number): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const video = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(video, { frameRate: 25 });
  await output.start();
  const picture = new Uint8Array(5_000);
  // The header of a key frame of 64 x 48 pixels.
  picture.set([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 64, 0, 48, 0, 0, 0]);
  const meta = {
    decoderConfig: { codec: codec === 'vp9' ? 'vp09.00.10.08' : 'vp8', codedWidth: 64, codedHeight: 48 },
  };
  for (let at = 0; at * picture.byteLength < bytes; at++) {
    const packet = new EncodedPacket(picture, at % 50 === 0 ? 'key' : 'delta', at / 25, 1 / 25);
    await video.add(packet, at === 0 ? meta : undefined);
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/** The same bytes, as a store gives them: each range is a request. */
function counted(name: string, bytes: Uint8Array) {
  const count = { requests: 0, bytes: 0 };
  const source: MediaSource = {
    size: bytes.byteLength,
    name,
    async read({ from, end }) {
      count.requests++;
      count.bytes += end - from;
      return bytes.slice(from, end);
    },
  };
  return { source, count };
}

async function benchProbing(megabytes: number): Promise<Row[]> {
  const { Mp4OutputFormat, MovOutputFormat, MkvOutputFormat, WebMOutputFormat } = mediabunny;
  const films = {
    'film.mp4': [new Mp4OutputFormat({ fastStart: false }), 'vp9'],
    'film.mov': [new MovOutputFormat({ fastStart: false }), 'vp9'],
    'film.mkv': [new MkvOutputFormat(), 'vp8'],
    'film.webm': [new WebMOutputFormat(), 'vp8'],
  } as const;
  const rows: Row[] = [];
  for (const [name, [format, codec]] of Object.entries(films)) {
    const { source, count } = counted(name, await film(format, codec, megabytes * mebibyte));
    const found = await probeWithShipped(source, { maxBytes: 64 * mebibyte, signal: new AbortController().signal });
    if (found.tracks[0]?.kind !== 'video') throw new Error(`Expected a film: ${JSON.stringify(found)}`);
    rows.push(
      {
        name: `2 MiB, against what a probe reads of a ${name} of ${megabytes} MiB`,
        ratio: (2 * mebibyte) / count.bytes,
        floor: 1,
        value: count.bytes / mebibyte,
      },
      { name: `8 requests, against those of this probe`, ratio: 8 / count.requests, floor: 1, value: count.requests },
    );
  }
  return rows;
}

export const benchMedia = async (megabytes = 100): Promise<Row[]> => [
  ...(await benchProbing(megabytes)),
  ...(await benchTranscodes()),
];
