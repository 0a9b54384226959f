/** What files of a format are called, and which media type they have. */
interface Format {
  readonly ending: string;
  readonly type: string;
}

const formats: Readonly<Record<string, Format>> = {
  mp4: { ending: '.mp4', type: 'video/mp4' },
  m4a: { ending: '.m4a', type: 'audio/mp4' },
  mov: { ending: '.mov', type: 'video/quicktime' },
  mkv: { ending: '.mkv', type: 'video/x-matroska' },
  matroska: { ending: '.mkv', type: 'video/x-matroska' },
  webm: { ending: '.webm', type: 'video/webm' },
  mxf: { ending: '.mxf', type: 'application/mxf' },
  avi: { ending: '.avi', type: 'video/x-msvideo' },
  mpegts: { ending: '.ts', type: 'video/mp2t' },
  ts: { ending: '.ts', type: 'video/mp2t' },
  wav: { ending: '.wav', type: 'audio/x-wav' },
  wave: { ending: '.wav', type: 'audio/x-wav' },
  mp3: { ending: '.mp3', type: 'audio/mpeg' },
  ogg: { ending: '.ogg', type: 'audio/ogg' },
  flac: { ending: '.flac', type: 'audio/flac' },
  adts: { ending: '.aac', type: 'audio/aac' },
  aac: { ending: '.aac', type: 'audio/aac' },
  jpg: { ending: '.jpg', type: 'image/jpeg' },
  jpeg: { ending: '.jpg', type: 'image/jpeg' },
  png: { ending: '.png', type: 'image/png' },
};

export const formatOf = (name: string): Format =>
  Object.hasOwn(formats, name) ? formats[name]! : { ending: '', type: 'application/octet-stream' };
