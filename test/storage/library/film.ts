import type * as mediabunny from 'mediabunny';
import { findMediaLibrary } from '../../../src/entry/media/library-transcoder.ts';
import { importModule } from '../../../src/entry/plugins/import-module.ts';
import { folder } from './folder.ts';

type Library = typeof mediabunny;

const found = await findMediaLibrary(folder);
if (!found) throw new Error(`Expected @mediabunny/server in ${folder}: run "npm run test:media"`);

const library = (await importModule(found.place.library, false)) as Library;
const server = (await importModule(found.place.server, false)) as {
  registerMediabunnyServer(options: { hardwareContext: null }): void;
};
server.registerMediabunnyServer({ hardwareContext: null });

const [width, height, rate] = [320, 180, 25];

/** A film in MP4 that is red, then green, then blue, a second each, with a tone of 440 hertz. */
export async function film(seconds: number): Promise<Uint8Array> {
  const pictures = new library.VideoSampleSource({ codec: 'avc', bitrate: 1_000_000 });
  const sound = new library.AudioSampleSource({ codec: 'aac', bitrate: 128_000 });
  const target = new library.BufferTarget();
  const output = new library.Output({ format: new library.Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  output.addVideoTrack(pictures, { frameRate: rate });
  output.addAudioTrack(sound);
  await output.start();
  for (let at = 0; at < seconds * rate; at++) {
    const sample = new library.VideoSample(colourful(Math.floor(at / rate) % 3), {
      format: 'RGBA',
      codedWidth: width,
      codedHeight: height,
      timestamp: at / rate,
      duration: 1 / rate,
    });
    await pictures.add(sample);
    sample.close();
  }
  const sample = tone(seconds);
  await sound.add(sample);
  sample.close();
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/** Picture with one bright channel of three, and with a darker half on the right. */
function colourful(channel: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data[pixel * 4 + channel] = pixel % width < width / 2 ? 230 : 120;
    data[pixel * 4 + 3] = 255;
  }
  return data;
}

function tone(seconds: number): mediabunny.AudioSample {
  const sampleRate = 48_000;
  const data = new Float32Array(seconds * sampleRate * 2);
  for (let at = 0; at < data.length; at++) data[at] = 0.3 * Math.sin(((at >> 1) * 2 * Math.PI * 440) / sampleRate);
  return new library.AudioSample({ data, format: 'f32', numberOfChannels: 2, sampleRate, timestamp: 0 });
}
