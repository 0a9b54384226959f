/** File extension and media type of a format. */
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
  cmaf: { ending: '.mp4', type: 'video/mp4' },
  jpg: { ending: '.jpg', type: 'image/jpeg' },
  jpeg: { ending: '.jpg', type: 'image/jpeg' },
  png: { ending: '.png', type: 'image/png' },
};

/** Media types that files of these formats have elsewhere. */
const otherTypes: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/x-m4a': 'm4a',
  'video/x-m4v': 'mp4',
  'audio/x-flac': 'flac',
  'video/avi': 'avi',
};

/**
 * Container of a cut part: by the file's extension, or else by its media types. Undefined: no timed media, or no
 * support for cutting.
 */
export function cutFormat(path: string, types: readonly string[]): string | undefined {
  const ending = /\.\w+$/.exec(path)?.[0].toLowerCase();
  const named = types.map((type) => type.trim().toLowerCase());
  const format =
    Object.keys(formats).find((name) => formats[name]!.ending === ending) ??
    named.map((type) => otherTypes[type]).find((name) => name !== undefined) ??
    Object.keys(formats).find((name) => named.includes(formats[name]!.type));
  return format === undefined || isPictureFormat(format) ? undefined : format;
}

export const isPictureFormat = (name: string): boolean => formatOfOutput(name).type.startsWith('image/');

export const formatOfOutput = (name: string): Format =>
  Object.hasOwn(formats, name) ? formats[name]! : { ending: '', type: 'application/octet-stream' };
