import { describe, expect, it } from 'vitest';
import { cutArguments, inputArguments, orderArguments } from '../../../../src/entry/media/ffmpeg/arguments.ts';
import type { TranscodeAudio, TranscodeOrder, TranscodeVideo } from '../../../../src/spi/index.ts';

const encoders = new Set(['libx264', 'aac', 'mpeg2video', 'pcm_s16le', 'mjpeg', 'prores_ks', 'libmp3lame']);
const video: TranscodeVideo = { presets: [], profiles: [], settings: [] };
const audio: TranscodeAudio = { channels: [], streams: [], settings: [] };
const order: TranscodeOrder = { format: 'mp4', video, audio, fastStart: true };
const making = { encoders, filters: new Set<string>() };
const line = (change: Partial<TranscodeOrder>) => orderArguments({ ...order, ...change }, making).join(' ');

describe('the arguments of ffmpeg', () => {
  it('open no format that names other files or hosts, and no protocol but the one of the source', () => {
    const words = inputArguments[inputArguments.indexOf('-format_whitelist') + 1]!;
    const names = new Set(words.split(','));
    for (const name of [
      'concat',
      'hls',
      'dash',
      'image2',
      'sdp',
      'rtsp',
      'lavfi',
      'imf',
      'webm_dash_manifest',
      'svg_pipe',
    ]) {
      expect(names.has(name), name).toBe(false);
    }
    expect(inputArguments.join(' ')).toContain('-protocol_whitelist http,tcp -format_whitelist ');
  });

  const lines: readonly (readonly [title: string, change: Partial<TranscodeOrder>, has: string])[] = [
    [
      'usual codecs',
      {},
      '-c:v libx264 -pix_fmt yuv420p -vf scale=trunc(iw*sar/2)*2:trunc(ih/2)*2,setsar=1 -map 0:a:0? -c:a aac',
    ],
    ['the index ahead', {}, '-movflags +faststart -f mp4'],
    ['bitrates', { video: { ...video, bitrate: 500_000 }, audio: { ...audio, bitrate: 64_000 } }, '-b:v 500000'],
    ['one size', { video: { ...video, scaling: { width: 640 } } }, 'scale=640:-2,scale=trunc'],
    ['a cut', { video: { ...video, scaling: { top: 10, left: 4 } } }, 'crop=iw-4:ih-10:4:10'],
    ['a border', { video: { ...video, scaling: { top: -8, padColor: '#ff0000' } } }, 'pad=iw+0:ih+8:0:8:#ff0000'],
    ['a turn', { video: { ...video, scaling: { rotate: 90 } } }, '-vf transpose=clock'],
    ['a rate of pictures', { video: { ...video, frame: { numerator: 1001, denominator: 30000 } } }, 'fps=30000/1001'],
    ['a rate of sound', { audio: { ...audio, sample: { numerator: 1, denominator: 48000 } } }, '-ar 48000'],
    ['more channels than there may be', { audio: { ...audio, channels: [0, 1] } }, '-ac 2'],
    ['some of the channels', { audio: { ...audio, channels: [2, 3] } }, '-af pan=stereo|c0=c2|c1=c3'],
    ['a preset of the documentation', { video: { ...video, presets: ['ipod'] } }, '-profile:v baseline -level 3.0'],
    ['a speed', { video: { ...video, presets: ['VeryFast'] } }, '-preset veryfast'],
    [
      'no speed to an encoder without these',
      { format: 'mov', video: { ...video, codec: 'prores', presets: ['veryfast'] } },
      '-c:v prores_ks -map 0:a:0?',
    ],
    [
      'a box for pictures',
      { video: { ...video, within: { width: 1080, height: 1920 } } },
      "-vf scale='trunc(iw*sar*min(1,min(1920/max(iw*sar,ih),1080/min(iw*sar,ih)))/2+0.001)*2':",
    ],
    ['a setting', { video: { ...video, settings: [['crf', '23']] } }, '-crf:v 23'],
    ['a time code', { startTimecode: '10:00:00:00' }, '-timecode 10:00:00:00'],
    ['sound alone', { format: 'mp3', audio: { ...audio, codec: 'mp3' } }, '-vn -map 0:a:0? -c:a libmp3lame'],
    ['pictures of a stream', { format: 'cmaf', audio: null }, '-movflags +cmaf+global_sidx+frag_keyframe -f mp4'],
    [
      'its segments',
      { format: 'cmaf', audio: null },
      '-force_key_frames expr:gte(t,n_forced*6) -g 100000 -sc_threshold 0',
    ],
    ['sound of a stream', { format: 'cmaf', video: null }, '-frag_duration 6000000 -movflags +cmaf+global_sidx -f mp4'],
    ['one picture', { format: 'jpg', audio: null }, '-frames:v 1 -update 1 -f image2'],
    ['a profile of ProRes', { format: 'mov', video: { ...video, codec: 'prores', profiles: ['HQ'] } }, '-profile:v 3'],
  ];
  it.each(lines)('say %s', (_title, change, has) => expect(line(change)).toContain(has));

  const refused: readonly (readonly [element: string, change: Partial<TranscodeOrder>])[] = [
    ['format=hls', { format: 'hls' }],
    ['format=constructor', { format: 'constructor' }],
    ['video.codec=theora', { video: { ...video, codec: 'theora' } }],
    ['audio.codec=opus', { audio: { ...audio, codec: 'opus' } }],
    ['video.pixelFormat=yuv420p,movie=/etc/passwd', { video: { ...video, pixelFormat: 'yuv420p,movie=/etc/passwd' } }],
    ['video.scaling.padColor=red,movie=a', { video: { ...video, scaling: { top: -1, padColor: 'red,movie=a' } } }],
    ['video.scaling.rotate=45', { video: { ...video, scaling: { rotate: 45 } } }],
    ['video.setting=filter_complex', { video: { ...video, settings: [['filter_complex', 'movie=a']] } }],
    ['video.setting=x264-params', { video: { ...video, settings: [['x264-params', 'stats=/tmp/a']] } }],
    ['video.setting.crf=23 -i /etc/passwd', { video: { ...video, settings: [['crf', '23 -i /etc/passwd']] } }],
    ['audio.setting=af', { audio: { ...audio, settings: [['af', 'amovie=a']] } }],
    ['video.profile=../x', { video: { ...video, profiles: ['../x'] } }],
    ['video.preset=placebo', { video: { ...video, presets: ['placebo'] } }],
    ['startTimecode=1 -f lavfi', { startTimecode: '1 -f lavfi' }],
    ['format=cmaf with several tracks', { format: 'cmaf' }],
    ['format=mp4 without pictures and sound', { video: null, audio: null }],
  ];
  it.each(refused)('refuse %s', (element, change) => expect(() => line(change)).toThrow(element));
});

it('a part of the input is copied into the same container, and pictures have no parts', () => {
  expect(cutArguments({ format: 'mov', from: 1.5, to: 3 }, 'URI').join(' ')).toBe(
    '-ss 1.500000 -i URI -t 1.500000 -map 0:v? -map 0:a? -c copy -sn -dn -map_chapters -1 ' +
      '-avoid_negative_ts make_zero -movflags +faststart -f mov',
  );
  expect(cutArguments({ format: 'wav', from: 2 }, 'URI').join(' ')).not.toContain('-t ');
  for (const format of ['png', 'constructor', 'gif']) {
    expect(() => cutArguments({ format, from: 0 }, 'URI')).toThrow(format);
  }
});
