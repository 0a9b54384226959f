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
