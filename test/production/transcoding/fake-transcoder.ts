import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import type {
  CutOrder,
  JoinOrder,
  MediaSource,
  StillOrder,
  TranscodeOrder,
  Transcoder,
  TranscoderAbilities,
} from '../../../src/spi/index.ts';
import { png as pngOf, wav } from '../checking/samples.ts';
import { cmaf } from './cmaf-samples.ts';

const able: TranscoderAbilities = {
  version: '1',
  licence: 'MIT',
  containers: ['mp4', 'wav'],
  video: ['h264'],
  audio: ['aac'],
  stills: ['image/jpeg', 'image/png'],
};

/** Bytes that begin as a JPEG does. */
const small = jpegFile({ width: 1, height: 1, data: new Uint8Array(4) });
/** A whole picture with a text in it. */
export const jpeg = (text = 'picture') => {
  const said = new TextEncoder().encode(text);
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xfe, 0, said.byteLength + 2, ...said, ...small.subarray(2)]);
};
export const png = pngOf(1, 1) as Uint8Array<ArrayBuffer>;

export interface FakeTranscoder extends Transcoder {
  draws: readonly string[];
  readonly orders: TranscodeOrder[];
  readonly stillOrders: StillOrder[];
  readonly cutOrders: CutOrder[];
  readonly joinOrders: JoinOrder[];
  /** Files that it made and that nobody has closed. */
  open: number;
  missing: string | undefined;
  /** Errors that the next runs throw. */
  readonly failures: Error[];
  beyond: string | undefined;
}

/** Bytes of a rendition of a stream, as wide as a film. */
function rendition({ video }: TranscodeOrder): Uint8Array<ArrayBuffer> {
  const height = video?.scaling?.height;
  return cmaf(height === undefined ? {} : { size: [Math.round((height * 16) / 9), height] });
}

/** Makes the same sound of every source, renditions of streams, and stills that name their time. */
export function fakeTranscoder(): FakeTranscoder {
  const transcoder: FakeTranscoder = {
    name: 'fake',
    draws: [],
    orders: [],
    stillOrders: [],
    cutOrders: [],
    joinOrders: [],
    open: 0,
    missing: undefined,
    failures: [],
    beyond: undefined,
    abilities: async () => (transcoder.missing === undefined ? able : { missing: transcoder.missing }),
    unable: async () => transcoder.beyond,
    lacks: async () => ['HEIC needs ffmpeg 8.1 or later'],
    async run(source, order, { progress }) {
      const failure = transcoder.failures.shift();
      if (failure) throw failure;
      await source.read({ from: 0, end: source.size });
      transcoder.orders.push(order);
      progress(0.5);
      const bytes = order.format === 'cmaf' ? rendition(order) : new Uint8Array(await wav({ seconds: 0.1 }));
      transcoder.open++;
      return {
        size: bytes.byteLength,
        warnings: [],
        body: () => new Blob([bytes]).stream(),
        async close() {
          transcoder.open--;
        },
      };
    },
    async join(order: JoinOrder, { progress }) {
      const failure = transcoder.failures.shift();
      if (failure) throw failure;
      for (const { source } of order.parts) await source?.read({ from: 0, end: source.size });
      transcoder.joinOrders.push(order);
      progress(0.5);
      const bytes = new Uint8Array(await wav({ seconds: 0.1 }));
      transcoder.open++;
      return {
        size: bytes.byteLength,
        warnings: [],
        body: () => new Blob([bytes]).stream(),
        async close() {
          transcoder.open--;
        },
      };
    },
    async cut(source: MediaSource, order: CutOrder) {
      const failure = transcoder.failures.shift();
      if (failure) throw failure;
      transcoder.cutOrders.push(order);
      const whole = new TextDecoder().decode(await source.read({ from: 0, end: source.size }));
      const bytes = new TextEncoder().encode(`part of ${whole}`);
      transcoder.open++;
      return {
        size: bytes.byteLength,
        // The media is shorter than such a start.
        warnings: order.from > 100 ? ['Expected 2 seconds: found 1'] : [],
        body: () => new Blob([bytes]).stream(),
        async close() {
          transcoder.open--;
        },
      };
    },
    async stills(_source, order, each) {
      const failure = transcoder.failures.shift();
      if (failure) throw failure;
      transcoder.stillOrders.push(order);
      for (const seconds of order.seconds) {
        await each({ seconds, bytes: order.type === 'image/png' ? png : jpeg(`at ${seconds}`) });
      }
    },
  };
  return transcoder;
}
