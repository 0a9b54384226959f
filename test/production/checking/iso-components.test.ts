import { beforeAll, describe, expect, it } from 'vitest';
import { pictureForm, soundForm } from '../../../plugins/probers/codecs.ts';
import { firstBoxes, isoHeader, isoTracks } from '../../../plugins/probers/iso-header.ts';
import { probeWithShipped } from '../../../src/composition/shipped-probers.ts';
import { componentsOf } from '../../../src/production/checking/deducing/components.ts';
import { checkedResult } from '../../../src/production/checking/probing/checked-result.ts';
import { sourceOf } from './counted-source.ts';
import { mov, mp4, withLie } from './samples.ts';

const options = { maxBytes: 1 << 26, signal: new AbortController().signal };
const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (each) => Number.parseInt(each, 16));

/** Configurations as encoders have written them. */
const high = '0164000dffe100196764000dacd94141fb011000000300100000030320f142996001000668ebe3cb22c0fdf8f800';
const interlaced = '017a001effe1001a677a001eb6cd940b424d808800000300080000030190f8a14cb001000668fba3cb22c0fefafa00';
const main10 = '0102200000009000000000003cf000fcfdfafa00000f0420';

describe('the configuration of a codec', () => {
  it.each([
    ['h264', null, high, { bitDepth: 8, pixelFormat: 'yuv420p', fieldOrder: 'progressive' }],
    ['h264', null, interlaced, { bitDepth: 10, pixelFormat: 'yuv422p10le' }],
    ['h264', null, high.slice(0, 30), {}],
    ['h264', null, '', {}],
    ['hevc', null, main10, { bitDepth: 10, pixelFormat: 'yuv420p10le', fieldOrder: 'progressive' }],
    ['hevc', null, '0102', {}],
    ['vp9', 'vp09.02.10.10.03', undefined, { bitDepth: 10, pixelFormat: 'yuv444p10le', fieldOrder: 'progressive' }],
    ['av1', 'av01.0.04M.10.0.110', undefined, { bitDepth: 10, pixelFormat: 'yuv420p10le', fieldOrder: 'progressive' }],
    ['prores', 'ap4h', undefined, { bitDepth: 12, pixelFormat: 'yuv444p12le' }],
    ['mpeg4', 'mp4v.20.9', undefined, {}],
  ])('%s %s %s says how pictures are stored', (codec, parameters, description, form) => {
    const bytes = description === undefined ? undefined : hex(description);
    expect(pictureForm(codec, parameters, bytes)).toEqual(form);
  });

  it('no length of a foreign configuration makes it read on', () => {
    for (let end = 0; end < high.length; end += 2) {
      expect(() => pictureForm('h264', null, hex(high.slice(0, end)))).not.toThrow();
    }
    expect(pictureForm('h264', null, hex(`0164000dffe1ffff67640000${'00'.repeat(60)}`))).toEqual({});
  });

  it.each([
    ['aac', 6, 48_000, { sampleFormat: 'fltp', frameSize: 1024, channelMask: 63 }],
    ['mp3', 2, 22_050, { sampleFormat: 'fltp', frameSize: 576, channelMask: 3 }],
    ['pcm_s24le', 1, 48_000, { sampleFormat: 's32', channelMask: 4 }],
    ['pcm_s16le', 16, 48_000, { sampleFormat: 's16' }],
    [null, 2, 48_000, { channelMask: 3 }],
  ])('%s of %d channels says how sound is stored', (codec, channels, rate, form) => {
    expect(soundForm(codec, channels, rate)).toEqual(form);
  });
});

describe('components of MP4 and MOV', () => {
  let film: Uint8Array;
  beforeAll(async () => {
    film = await mp4();
  });
  const componentsIn = async (bytes: Uint8Array) =>
    componentsOf(checkedResult(await probeWithShipped(sourceOf(bytes, 'a.mp4').source, options)), bytes.length);

  it('have the properties that recorded items have', async () => {
    const [container, video] = await componentsIn(film);
    expect(container).toMatchObject({
      metadata: expect.arrayContaining([
        ['major_brand', 'isom'],
        ['compatible_brands', expect.stringContaining('mp41')],
      ]),
      properties: { startTimestamp: { samples: 0 } },
    });
    expect(video).toMatchObject({
      metadata: expect.arrayContaining([['handler_name', expect.any(String)]]),
      properties: {
        numberOfPackets: 25,
        startTimestamp: { samples: 0 },
        displayWidth: { numerator: 64, denominator: 1 },
        displayHeight: { numerator: 48, denominator: 1 },
        bitDepth: 8,
        pixelFormat: 'yuv420p',
        fieldOrder: 'progressive',
      },
    });
    const sound = (await componentsIn(await mov({ channels: 1 }))).find(({ kind }) => kind === 'audio');
    expect(sound).toMatchObject({ properties: { channelLayout: 4, sampleFormat: 's16', channelCount: 1 } });
  });

  const tracksIn = async (bytes: Uint8Array) => {
    const { source } = sourceOf(bytes);
    const header = await isoHeader(source, await firstBoxes(source, 8));
    return [...isoTracks(header!).values()];
  };

  it('a header that lies or ends early does not stop the check', async () => {
    expect(await tracksIn(withLie(film, 'stts', 4, 0x7fffffff))).toMatchObject([{ metadata: {} }]);
    const lies = ['tkhd', 'hdlr', 'mdhd', 'stts', 'stsd', 'mdia', 'minf', 'stbl'].flatMap((name) =>
      [8, 9, 12, 20, 0xffff].map((length) => withLie(film, name, -8, length)),
    );
    for (const bytes of lies) await expect(tracksIn(bytes)).resolves.toBeDefined();
  });

  it('pixels that are not square widen the display', () => {
    const track = { kind: 'video', codec: 'h264', index: 0, width: 720, height: 576 } as const;
    const pixelAspect = { numerator: 64, denominator: 45 };
    const result = { by: '', format: 'mov', mimeType: 'video/mp4', isPartial: false, bytesRead: 0, warnings: [] };
    const [, video] = componentsOf({ ...result, tracks: [{ ...track, pixelAspect }] }, 1);
    expect(video?.properties['displayWidth']).toEqual({ numerator: 1024, denominator: 1 });
  });

  it('tags of a foreign file are cut, and have no control characters', () => {
    const tags = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`tag${at}`, 'x\u0000'.repeat(500)]));
    const { metadata = {} } = checkedResult({ tracks: [], metadata: { ...tags, 'a b': 'c' } });
    expect(Object.keys(metadata)).toHaveLength(20);
    expect(Object.values(metadata).every((text) => text.length === 200 && !text.includes('\u0000'))).toBe(true);
  });
});
