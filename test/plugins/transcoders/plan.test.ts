import { describe, expect, it } from 'vitest';
import { conversionPlan, sizeWithin } from '../../../plugins/transcoders/plan.ts';
import type { TranscodeAudio, TranscodeOrder, TranscodeVideo } from '../../../src/spi/index.ts';

const encodes = { video: ['h264', 'vp9', 'prores'], audio: ['aac', 'opus', 'mp3', 'pcm_s16le'] };
const video: TranscodeVideo = { presets: [], profiles: [], settings: [] };
const audio: TranscodeAudio = { channels: [], streams: [], settings: [] };
const order: TranscodeOrder = { format: 'mp4', video, audio, fastStart: true };
const plan = (more: Partial<TranscodeOrder>) => conversionPlan({ ...order, ...more }, encodes);

describe('an order for the library', () => {
  it('has what its container usually has where a preset says nothing', () => {
    expect(plan({})).toEqual({
      container: 'mp4',
      video: { codec: 'avc' },
      audio: { codec: 'aac', streams: [0] },
      isIndexFirst: true,
    });
    expect(plan({ format: 'webm' })).toMatchObject({ video: { codec: 'vp9' }, audio: { codec: 'opus' } });
    expect(plan({ format: 'mp3' })).toMatchObject({ video: undefined, audio: { codec: 'mp3' } });
    expect(plan({ audio: null })).toMatchObject({ video: { codec: 'avc' }, audio: undefined });
  });

  it('says sizes in even pixels, and rates as numbers', () => {
    const scaling = { width: 641, height: 359, rotate: -90 };
    const frame = { numerator: 1, denominator: 25 };
    expect(plan({ video: { ...video, bitrate: 5, scaling, frame, gopSize: 50 } })).toMatchObject({
      video: { bitrate: 5, width: 640, height: 358, rotate: 270, frameRate: 25, keyFrameInterval: 2 },
    });
    const sample = { numerator: 1, denominator: 44_100 };
    expect(plan({ audio: { ...audio, sample, channels: [0, 1], streams: [0, 2] } })).toMatchObject({
      audio: { sampleRate: 44_100, channels: 2, streams: [0, 2] },
    });
  });

  it.each([
    ['a film of 4K', [3840, 2160], {}, [1920, 1080]],
    ['one of cinemas', [4096, 2160], {}, [1920, 1012]],
    ['an upright one', [2160, 3840], {}, [1080, 1920]],
    ['a square', [3000, 3000], {}, [1080, 1080]],
    ['one that the preset turns', [3840, 2160], { rotate: 90 }, [1080, 1920]],
    ['one that the preset makes wider', [1280, 720], { width: 3840 }, [1920, 1080]],
    ['one that fits, which stays', [1919, 1080], {}, undefined],
  ] as const)('bounds the size of %s', (_title, [width, height], change, wanted) => {
    const within = { width: 1920, height: 1080 };
    const size = sizeWithin({ width, height }, { codec: 'avc', within, ...change });
    expect(size && [size.width, size.height]).toEqual(wanted);
    expect(plan({ video: { ...video, presets: ['veryfast'], within } })).toMatchObject({ video: { within } });
  });

  it.each([
    [{ format: 'mxf' }, 'format=mxf'],
    [{ format: 'constructor' }, 'format=constructor'],
    [{ video: null, audio: null }, 'format=mp4 without pictures and sound'],
    [{ startTimecode: '10:00:00:00' }, 'startTimecode=10:00:00:00'],
    [{ video: { ...video, codec: 'av1' } }, 'video.codec=av1'],
    [{ video: { ...video, codec: 'toString' } }, 'video.codec=toString'],
    [{ audio: { ...audio, codec: 'flac' } }, 'audio.codec=flac'],
    [{ video: { ...video, maxBFrames: 2 } }, 'video.maxBFrames=2'],
    [{ video: { ...video, pixelFormat: 'yuv422p' } }, 'video.pixelFormat=yuv422p'],
    [{ video: { ...video, presets: ['slow', 'ipod'] } }, 'video.preset=ipod'],
    [{ video: { ...video, profiles: ['main'] } }, 'video.profile=main'],
    [{ video: { ...video, settings: [['crf', '20']] } }, 'video.setting=crf'],
    [{ video: { ...video, constantRate: true } }, 'video.forceCFR=true'],
    [{ video: { ...video, gopSize: 10 } }, 'video.gopSize=10'],
    [{ video: { ...video, scaling: { left: 4 } } }, 'video.scaling.left=4'],
    [{ video: { ...video, scaling: { rotate: 45 } } }, 'video.scaling.rotate=45'],
    [{ video: { ...video, scaling: { displayAspect: [16, 9] } } }, 'video.scaling.targetDAR=16:9'],
    [{ audio: { ...audio, channels: [1] } }, 'audio.channel=1'],
    [{ audio: { ...audio, streams: [1, 0] } }, 'audio.stream=1,0'],
    [{ audio: { ...audio, settings: [['q', '1']] } }, 'audio.setting=q'],
  ] as [Partial<TranscodeOrder>, string][])('that it cannot carry out is named: %o', (more, unable) => {
    expect(plan(more)).toEqual({ unable });
  });
});
