import { describe, expect, it } from 'vitest';
import { type LadderSource, renditionsOf } from '../../../src/production/transcoding/streams/ladder.ts';
import { JobFails } from '../../../src/room/jobs/job-type.ts';

const hls = { format: 'cmaf', audio: { codec: 'aac' }, video: { codec: 'h264' } };

const heights = (size: LadderSource['size'], hasSound = false) =>
  renditionsOf(hls, { size, hasSound }).map(({ name, preset }) => `${name} ${preset.video?.scaling?.height}`);

describe('the ladder of a stream', () => {
  const rows: readonly (readonly [source: string, size: LadderSource['size'], expected: readonly string[]])[] = [
    [
      'a film in 4K',
      { width: 3840, height: 2160 },
      ['2160p 2160', '1440p 1440', '1080p 1080', '720p 720', '480p 480', '360p 360'],
    ],
    [
      'a film in 4K of cinemas',
      { width: 4096, height: 1716 },
      ['2160p 1608', '1440p 1072', '1080p 804', '720p 536', '480p 358', '360p 268'],
    ],
    ['a film in HD with bars cut off', { width: 1920, height: 800 }, ['1080p 800', '720p 534', '480p 356', '360p 266']],
    ['a portrait', { width: 1080, height: 1920 }, ['1080p 1920', '720p 1280', '480p 854', '360p 640']],
    ['a television of PAL, with its own size', { width: 720, height: 576 }, ['576p 576', '480p 480', '360p 360']],
    ['a portrait of a telephone, with its own size', { width: 404, height: 720 }, ['404p 720', '360p 640']],
    [
      'a very wide film, with its own size',
      { width: 2400, height: 1080 },
      ['2400w 1080', '1080p 864', '720p 576', '480p 384', '360p 288'],
    ],
    ['a small picture', { width: 320, height: 240 }, ['240p 240']],
    ['a picture with odd sides', { width: 321, height: 241 }, ['241p 240']],
    ['a square', { width: 500, height: 500 }, ['480p 480', '360p 360']],
  ];
  it.each(rows)('of %s is never larger than it', (_source, size, expected) => {
    expect(heights(size)).toEqual(expected);
    for (const { preset } of renditionsOf(hls, { size, hasSound: false })) {
      expect(preset.video!.scaling!.height).toBeLessThanOrEqual(size!.height);
      expect(preset.video!.scaling!.height! % 2).toBe(0);
    }
  });

  it('has the sound once, apart from the pictures', () => {
    const [first, last] = renditionsOf(hls, { size: { width: 640, height: 360 }, hasSound: true });
    expect(first).toMatchObject({ name: '360p', preset: { audio: { noAudio: true }, video: { bitrate: 800_000 } } });
    expect(last).toMatchObject({
      name: 'audio',
      preset: { video: { noVideo: true }, audio: { bitrate: 128_000, channel: [0, 1] } },
    });
    expect(renditionsOf(hls, { size: undefined, hasSound: true }).map(({ name }) => name)).toEqual(['audio']);
  });

  it('keeps what a preset says of codecs and settings, and its own sizes and rates', () => {
    const video = {
      codec: 'H264',
      preset: ['veryfast'],
      resolution: { width: 9, height: 9 },
      setting: [
        { key: 'maxrate', value: '1' },
        { key: 'tune', value: 'film' },
      ],
    };
    const [only] = renditionsOf({ ...hls, video }, { size: { width: 640, height: 360 }, hasSound: false });
    expect(only!.preset.video).toEqual({
      codec: 'H264',
      preset: ['veryfast'],
      scaling: { height: 360 },
      bitrate: 800_000,
      setting: [
        { key: 'tune', value: 'film' },
        { key: 'maxrate', value: '960000' },
        { key: 'bufsize', value: '1600000' },
      ],
    });
  });

  const refused = [
    ['a still', hls, undefined, 'neither'],
    ['a preset with HEVC', { ...hls, video: { codec: 'hevc' } }, { width: 640, height: 360 }, '"hevc"'],
    ['a preset with Opus', { ...hls, audio: { codec: 'opus' } }, { width: 640, height: 360 }, '"opus"'],
    ['a preset without pictures', { ...hls, video: { noVideo: true } }, { width: 640, height: 360 }, 'neither'],
  ] as const;
  it('refuses a source of more than half a day, before anything is made', () => {
    const source = { size: undefined, hasSound: true, seconds: 12 * 3600 };
    expect(renditionsOf(hls, source)).toHaveLength(1);
    expect(() => renditionsOf(hls, { ...source, seconds: source.seconds + 1 })).toThrow('at most 12 hours');
  });

  it.each(refused)('refuses %s', (_what, preset, size, said) => {
    const make = () => renditionsOf(preset, { size, hasSound: false });
    expect(make).toThrow(JobFails);
    expect(make).toThrow(said);
  });
});
