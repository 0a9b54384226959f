/** By extension: for files that no prober knows. */
const byExtension: Readonly<Record<string, string>> = {
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  avi: 'video/x-msvideo',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  edl: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  m2ts: 'video/mp2t',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  mxf: 'application/mxf',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  scc: 'text/x-scc',
  srt: 'application/x-subrip',
  ttml: 'application/ttml+xml',
  txt: 'text/plain',
  vtt: 'text/vtt',
  wma: 'audio/x-ms-wma',
  wmv: 'video/x-ms-wmv',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** Media that the shipped probers know. Without them its name tells. */
const byMediaExtension: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  bmp: 'image/bmp',
  flac: 'audio/flac',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  jp2: 'image/jp2',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mka: 'audio/x-matroska',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  png: 'image/png',
  psd: 'image/vnd.adobe.photoshop',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ts: 'video/mp2t',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

export const octets = 'application/octet-stream';

/** Types that players and pictures of pages ask for. The answer has the one of the shape. */
export const mediaTypes = [
  octets,
  ...['mp4', 'quicktime', 'webm', 'x-matroska', 'mp2t', 'mpeg'].map((name) => `video/${name}`),
  ...['mpeg', 'mp4', 'wav', 'ogg', 'flac', 'aac'].map((name) => `audio/${name}`),
  ...['jpeg', 'png', 'gif', 'webp', 'avif'].map((name) => `image/${name}`),
];

function typeIn(types: Readonly<Record<string, string>>, name = ''): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? types[extension]! : octets;
}

export const mimeTypeByName = (name?: string): string => typeIn(byExtension, name);
export const typeOfMediaName = (name?: string): string => typeIn(byMediaExtension, name);

/** Whether the name promises media that the shipped probers know, or moving pictures or sound. */
export const promisesMedia = (name: string): boolean =>
  typeOfMediaName(name) !== octets || soundsLikeMedia(mimeTypeByName(name));

type MediaKind = 'film' | 'sound' | 'picture' | 'document';

/** Kind of a thing by its type, or by its name where the type says nothing. Undefined: not known, so perhaps a film. */
export function mediaKind(type: string, name?: string): MediaKind | undefined {
  const media = typeOfMediaName(name);
  const best = type !== '' && type !== octets ? type : media === octets ? mimeTypeByName(name) : media;
  if (best === octets) return undefined;
  if (best === 'application/mxf' || best.startsWith('video/')) return 'film';
  if (best.startsWith('audio/')) return 'sound';
  return best.startsWith('image/') ? 'picture' : 'document';
}

const pagePictures = new Set(['jpeg', 'png', 'gif', 'webp', 'avif', 'svg+xml'].map((name) => `image/${name}`));

/** Whether browsers show pictures of a type. */
export const isPagePicture = (mimeType: string): boolean => pagePictures.has(mimeType);

/** Whether a type is of moving pictures or sound. */
export const soundsLikeMedia = (mimeType: string): boolean => ['film', 'sound'].includes(mediaKind(mimeType) ?? '');
