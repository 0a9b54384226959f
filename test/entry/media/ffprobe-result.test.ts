import { expect, it } from 'vitest';
import { resultOf } from '../../../src/entry/media/child/ffprobe.ts';

const video = { index: 0, codec_name: 'mjpeg', codec_type: 'video', width: 64, height: 48 };
const audio = { index: 0, codec_name: 'pcm_s16le', codec_type: 'audio', sample_rate: '48000', channels: 2 };

it.each([
  ['qt  ', video, 'video/quicktime'],
  ['qt  ', audio, 'video/quicktime'],
  ['isom', video, 'video/mp4'],
  ['M4A ', audio, 'audio/mp4'],
  [undefined, video, 'video/mp4'],
])('a film of the brand "%s" has the media type of its family', (major_brand, stream, mimeType) => {
  const format = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', tags: { major_brand } };
  expect(resultOf({ format, streams: [stream] }, 'a.mov').mimeType).toBe(mimeType);
});

it('tells the colours of pictures by their code points, and leaves out what it does not know', () => {
  const colours = { color_primaries: 'bt2020', color_transfer: 'arib-std-b67', color_space: 'bt2020nc' };
  const trackOf = (stream: object) =>
    resultOf({ format: { format_name: 'mxf' }, streams: [{ ...video, ...stream }] }, 'a.mxf').tracks[0];
  expect(trackOf({ ...colours, color_range: 'tv' })).toMatchObject({
    colour: { primaries: 9, transfer: 18, matrix: 9, isFullRange: false },
  });
  expect(trackOf({ color_primaries: 'constructor', color_space: 'gbr' })).toMatchObject({ colour: { matrix: 0 } });
  expect(trackOf({ color_range: 'pc' })).not.toHaveProperty('colour');
});
