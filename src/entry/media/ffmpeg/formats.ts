/** Names of codecs as presets say them, with the encoders of ffmpeg, the better one first. */
export const videoEncoders: Readonly<Record<string, readonly string[]>> = {
  h264: ['libx264', 'libopenh264'],
  avc: ['libx264', 'libopenh264'],
  h265: ['libx265'],
  hevc: ['libx265'],
  mpeg2video: ['mpeg2video'],
  mpeg4: ['mpeg4'],
  vp8: ['libvpx'],
  vp9: ['libvpx-vp9'],
  av1: ['libsvtav1', 'libaom-av1', 'librav1e'],
  prores: ['prores_ks', 'prores'],
  dnxhd: ['dnxhd'],
  mjpeg: ['mjpeg'],
  png: ['png'],
};

export const audioEncoders: Readonly<Record<string, readonly string[]>> = {
  aac: ['aac'],
  mp3: ['libmp3lame', 'libshine'],
  opus: ['libopus'],
  vorbis: ['libvorbis'],
  flac: ['flac'],
  ac3: ['ac3'],
  eac3: ['eac3'],
  pcm_s16le: ['pcm_s16le'],
  pcm_s16be: ['pcm_s16be'],
  pcm_s24le: ['pcm_s24le'],
  pcm_s32le: ['pcm_s32le'],
  pcm_f32le: ['pcm_f32le'],
};

interface Container {
  readonly muxer: string;
  readonly ending: string;
  /** Default codec. Undefined: none. */
  readonly video?: string;
  readonly audio?: string;
  /** Whether the container holds a single picture. */
  readonly isPicture?: true;
  readonly isMovie?: true;
  /** Whether the file has one track, in fragments of equal length with an index ahead of them. */
  readonly isFragmented?: true;
}

const movie = { isMovie: true, video: 'h264', audio: 'aac' } as const;

export const ffmpegContainers: Readonly<Record<string, Container>> = {
  mp4: { muxer: 'mp4', ending: '.mp4', ...movie },
  cmaf: { muxer: 'mp4', ending: '.mp4', video: 'h264', audio: 'aac', isFragmented: true },
  m4a: { muxer: 'ipod', ending: '.m4a', audio: 'aac', isMovie: true },
  mov: { muxer: 'mov', ending: '.mov', ...movie },
  mkv: { muxer: 'matroska', ending: '.mkv', video: 'h264', audio: 'aac' },
  matroska: { muxer: 'matroska', ending: '.mkv', video: 'h264', audio: 'aac' },
  webm: { muxer: 'webm', ending: '.webm', video: 'vp9', audio: 'opus' },
  mxf: { muxer: 'mxf', ending: '.mxf', video: 'mpeg2video', audio: 'pcm_s16le' },
  avi: { muxer: 'avi', ending: '.avi', video: 'mpeg4', audio: 'mp3' },
  mpegts: { muxer: 'mpegts', ending: '.ts', video: 'h264', audio: 'aac' },
  ts: { muxer: 'mpegts', ending: '.ts', video: 'h264', audio: 'aac' },
  wav: { muxer: 'wav', ending: '.wav', audio: 'pcm_s16le' },
  wave: { muxer: 'wav', ending: '.wav', audio: 'pcm_s16le' },
  mp3: { muxer: 'mp3', ending: '.mp3', audio: 'mp3' },
  ogg: { muxer: 'ogg', ending: '.ogg', audio: 'vorbis' },
  flac: { muxer: 'flac', ending: '.flac', audio: 'flac' },
  adts: { muxer: 'adts', ending: '.aac', audio: 'aac' },
  aac: { muxer: 'adts', ending: '.aac', audio: 'aac' },
  jpg: { muxer: 'image2', ending: '.jpg', video: 'mjpeg', isPicture: true },
  jpeg: { muxer: 'image2', ending: '.jpg', video: 'mjpeg', isPicture: true },
  png: { muxer: 'image2', ending: '.png', video: 'png', isPicture: true },
};

/**
 * Allowed protocols and formats of FFmpeg, for its command line before the input. A playlist that poses as media
 * reaches no other host and no file: its format and other protocols are not allowed.
 */
export const inputWords: readonly string[] = [
  '-protocol_whitelist',
  'http,tcp',
  '-format_whitelist',
  [
    ...['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm', 'avi', 'asf', 'flv', 'mxf', 'gxf', 'lxf', 'dv'],
    ...['mpeg', 'mpegts', 'mpegvideo', 'h264', 'hevc', 'm4v', 'vc1', 'ivf', 'rm', 'wtv', 'nut', 'swf', 'yuv4mpegpipe'],
    ...[
      'mp3',
      'aac',
      'ac3',
      'eac3',
      'dts',
      'flac',
      'ogg',
      'wav',
      'w64',
      'aiff',
      'au',
      'caf',
      'amr',
      'ape',
      'tta',
      'wv',
    ],
    ...['gif', 'apng', 'png_pipe', 'jpeg_pipe', 'bmp_pipe', 'tiff_pipe', 'webp_pipe', 'psd_pipe', 'dpx_pipe'],
    ...['exr_pipe', 'j2k_pipe', 'jpegxl_pipe', 'jpegxl_anim', 'qoi_pipe', 'sgi_pipe', 'pcx_pipe'],
  ].join(','),
];
