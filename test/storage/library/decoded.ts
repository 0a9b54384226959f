import { join } from 'node:path';
import { importModule } from '../../../src/entry/plugins/import-module.ts';
import { folder } from './folder.ts';

/** As much of FFmpeg as reads one picture: nobody of ours. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly linesize: readonly number[];
  readonly data: readonly Uint8Array[];
}
interface Ffmpeg {
  readonly Demuxer: { open(bytes: Buffer): Promise<{ video(): unknown; packets(): AsyncIterable<unknown> }> };
  readonly Decoder: {
    create(stream: unknown): Promise<{ frames(packets: AsyncIterable<unknown>): AsyncIterable<Frame | null> }>;
  };
}

// Streams of the package need a method of Node 22; the transcoder uses none of them.
Object.defineProperty(Promise, 'withResolvers', {
  configurable: true,
  value() {
    const made = {};
    const promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    return Object.assign(made, { promise });
  },
});

export type Colour = readonly [red: number, green: number, blue: number];

export interface Decoded {
  readonly width: number;
  readonly height: number;
  /** In the middle of the left and of the right half. */
  readonly left: Colour;
  readonly right: Colour;
}

const { Demuxer, Decoder } = (await importModule(join(folder, 'node_modules/node-av/dist/index.js'), false)) as Ffmpeg;

/** A PNG or a JPEG, as FFmpeg sees it. */
export async function decoded(bytes: Uint8Array): Promise<Decoded> {
  const demuxer = await Demuxer.open(Buffer.from(bytes));
  const decoder = await Decoder.create(demuxer.video());
  for await (const frame of decoder.frames(demuxer.packets())) {
    if (!frame) continue;
    const { width, height } = frame;
    const at = (share: number) => colourAt(frame, Math.floor(width * share), height >> 1);
    return { width, height, left: at(0.25), right: at(0.75) };
  }
  throw new Error('Expected a picture');
}

function colourAt({ data, linesize }: Frame, x: number, y: number): Colour {
  const value = (plane: number, column: number) => data[plane]![y * linesize[plane]! + column]!;
  // A single plane holds red, green and blue beside each other.
  if (data.filter(({ byteLength }) => byteLength > 0).length === 1)
    return [value(0, 3 * x), value(0, 3 * x + 1), value(0, 3 * x + 2)];
  const [bright, blue, red] = [value(0, x), value(1, x) - 128, value(2, x) - 128];
  return [bright + 1.402 * red, bright - 0.344136 * blue - 0.714136 * red, bright + 1.772 * blue];
}
