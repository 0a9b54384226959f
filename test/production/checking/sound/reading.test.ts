import { describe, expect, it } from 'vitest';
import { pcmOf } from '../../../../plugins/probers/sound-reader.ts';
import { measureWithShipped } from '../../../../src/composition/shipped-probers.ts';
import { checkedSound } from '../../../../src/production/checking/sound/checked-sound.ts';
import type { MediaSource } from '../../../../src/spi/index.ts';
import { mkv, mov, mp4, png, wav } from '../samples.ts';

const options = { signal: new AbortController().signal };
const sourceOf = (bytes: Uint8Array): MediaSource => ({
  size: bytes.byteLength,
  read: async ({ from, end }) => bytes.slice(from, end),
});

describe('sound that needs no decoder', () => {
  it.each([
    ['WAV', wav],
    ['MOV', mov],
    ['Matroska beside pictures', mkv],
  ])('is measured: %s', async (_title, make) => {
    const found = await measureWithShipped(sourceOf(await make({ seconds: 1 })), options);
    expect(found.seconds).toBeCloseTo(1, 3);
    expect(found.channels.map(({ stream, channel }) => [stream, channel])).toEqual([
      [0, 0],
      [0, 1],
    ]);
    // The largest amplitude of the channel is 8000 of 32768.
    const { levels } = found.channels[0]!;
    expect(new DataView(levels.buffer).getUint16(20, true) / 65_535).toBeCloseTo(8000 / 32_768, 3);
    expect(found.loudness).toBeLessThan(-10);
    expect(found.loudness).toBeGreaterThan(-20);
  });

  it('other media is told apart: a decoder may know it, it has no sound, or it is damaged', async () => {
    await expect(measureWithShipped(sourceOf(png(4, 4)), options)).rejects.toMatchObject({ kind: 'unsupported' });
    expect((await measureWithShipped(sourceOf(await mp4()), options)).channels).toEqual([]);
    const cut = (await mov({ seconds: 1 })).slice(0, 4000);
    expect((await measureWithShipped(sourceOf(cut), options)).seconds).toBe(0);
  });

  it.each<readonly [codec: string, bytes: readonly number[], expected: number]>([
    ['pcm-s16', [0, 0x40], 0.5],
    ['pcm-s16be', [0xc0, 0], -0.5],
    ['pcm-s24', [0, 0, 0x40], 0.5],
    ['pcm-s24be', [0xc0, 0, 0], -0.5],
    ['pcm-s32', [0, 0, 0, 0x40], 0.5],
    ['pcm-s32be', [0xc0, 0, 0, 0], -0.5],
    ['pcm-f32', [0, 0, 0, 0x3f], 0.5],
    ['pcm-f32be', [0xbf, 0, 0, 0], -0.5],
    ['pcm-f64be', [0x3f, 0xe0, 0, 0, 0, 0, 0, 0], 0.5],
    ['pcm-u8', [192], 0.5],
    ['pcm-s8', [0xc0], -0.5],
    ['ulaw', [0xff], 0],
    ['ulaw', [0x80], 32_124 / 32_768],
    ['ulaw', [0x00], -32_124 / 32_768],
    ['alaw', [0xd5], 8 / 32_768],
    ['alaw', [0xaa], 32_256 / 32_768],
    ['alaw', [0x2a], -32_256 / 32_768],
  ])('bytes are samples: %s %j', (codec, bytes, expected) => {
    expect(pcmOf(codec)!(Uint8Array.from(bytes))[0]).toBeCloseTo(expected, 6);
  });

  it('a codec with a decoder is none of them, and half a sample is left out', () => {
    for (const codec of ['aac', 'constructor', null]) expect(pcmOf(codec)).toBeUndefined();
    expect(pcmOf('pcm-s16')!(new Uint8Array(5))).toHaveLength(2);
  });
});

describe('measures of another process', () => {
  const decode = (text: string) => new TextEncoder().encode(text);
  const good = {
    seconds: 1,
    mix: [],
    channels: [{ stream: 0, channel: 0, bucket: 0.01, levels: 'ab', energies: 'abcd' }],
  };

  it('are taken where all of them are of the right kind', () => {
    expect(checkedSound(good, decode).channels[0]!.levels).toEqual(decode('ab'));
    for (const bad of [
      undefined,
      { ...good, seconds: 'long' },
      { ...good, loudness: Number.NaN },
      { ...good, mix: {} },
      { ...good, channels: Array.from({ length: 33 }, () => good.channels[0]) },
      { ...good, channels: [{ ...good.channels[0], levels: 'a' }] },
      { ...good, channels: [{ ...good.channels[0], levels: 'ab'.repeat(1_000_000) }] },
      { ...good, channels: [{ ...good.channels[0], bucket: null }] },
      { ...good, channels: [{ ...good.channels[0], energies: undefined }] },
    ]) {
      expect(() => checkedSound(bad, decode), JSON.stringify(bad)?.slice(0, 80)).toThrow('Expected');
    }
  });
});
