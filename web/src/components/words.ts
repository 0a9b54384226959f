import { dayText, type Key, t } from '../texts/index.ts';

const roleForms: readonly (readonly [end: string, text: Key])[] = [
  ['_notification_read', 'role.hears'],
  ['_notification_write', 'role.tells'],
  ['_read', 'role.sees'],
  ['_write', 'role.changes'],
];

/** Sentence for what a role lets somebody do. Words that no language has are made of its name. */
export function roleWords(role: string): string {
  const words = new Map(
    t('role.words')
      .split(';')
      .map((pair) => pair.split(':') as [string, string]),
  );
  const own = words.get(role);
  if (own !== undefined) return own;
  const form = roleForms.find(([end]) => role.endsWith(end));
  if (!form) return role;
  const stem = role.slice(1, -form[0].length);
  return t(form[1], { what: words.get(stem) ?? `${stem.replaceAll('_', ' ')}s` });
}

/** A sentence of the service, with its roles in words. */
export const sentenceWords = (sentence: string): string =>
  sentence.replace(/(?<!\w)_[a-z_]+/g, (role) => {
    const words = roleWords(role);
    return words === role ? role : `“${words}”`;
  });

/** Roles are groups, too: `_administrator` is said in words, and other groups by their names. */
export const nameWords = (group: string): string => (group.startsWith('_') ? roleWords(group) : group);

const namedKinds = ['video', 'audio', 'image', 'data'];

/** Name of an item, such as the service tells it. Without one: its kind, and the day of its beginning. */
export function itemName(name: string | undefined, kind: string | undefined, created: string | undefined): string {
  if (name) return name;
  const words = t((kind && namedKinds.includes(kind) ? `media.unnamed.${kind}` : 'media.unnamed') as Key);
  const date = new Date(created ?? '');
  return Number.isNaN(date.getTime()) ? words : t('media.dated', { name: words, date: dayText(date) });
}

const codecs: Readonly<Record<string, string>> = {
  ...{ h264: 'H.264', avc1: 'H.264', hevc: 'HEVC', h265: 'HEVC', vp8: 'VP8', vp9: 'VP9', av1: 'AV1' },
  ...{ mpeg2video: 'MPEG-2', mpeg1video: 'MPEG-1', mpeg4: 'MPEG-4', prores: 'ProRes', dnxhd: 'DNxHD' },
  ...{ mjpeg: 'JPEG', aac: 'AAC', mp3: 'MP3', opus: 'Opus', vorbis: 'Vorbis', flac: 'FLAC', ac3: 'Dolby Digital' },
};

/** `h264` as H.264, and `pcm_s16le` as PCM 16 bit. */
export const codecWords = (codec: string): string => {
  const pcm = /^pcm_[suf](\d+)/.exec(codec);
  return pcm ? `PCM ${pcm[1]} bit` : (codecs[codec.toLowerCase()] ?? codec.toUpperCase());
};

const types: Readonly<Record<string, string>> = {
  ...{ 'video/quicktime': 'QuickTime', 'video/x-matroska': 'Matroska', 'video/webm': 'WebM', 'audio/mpeg': 'MP3' },
  ...{ 'audio/mp4': 'M4A', 'audio/vnd.wave': 'WAV', 'image/svg+xml': 'SVG', 'text/plain': 'TXT' },
  ...{
    'application/msword': 'Word',
    'application/vnd.ms-excel': 'Excel',
    'application/vnd.ms-powerpoint': 'PowerPoint',
  },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.oasis.opendocument.text': 'OpenDocument Text',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument Spreadsheet',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument Presentation',
};

/** `video/mp4` as MP4, and `application/pdf` as PDF. */
export const typeWords = (type: string): string =>
  type === 'application/octet-stream'
    ? t('media.unknown')
    : (types[type] ?? type.replace(/^.*\/(?:x-|vnd\.)?/, '').toUpperCase());

/** Formats of ready-made shape tags, in plain names. Another tag has its own name. */
export const tagWords = (tag: string): string => (isReady(tag) ? t(`media.tag.${tag}`) : tag);

const readyTags = [
  ...(['original', 'lowres', '__mp4', '__mp4_small', '__webm', '__mov', '__mov_prores'] as const),
  ...(['__mxf_mpeg2', '__mp3', '__wav', '__jpeg', '__hls'] as const),
];

type ReadyTag = (typeof readyTags)[number];
const isReady = (tag: string): tag is ReadyTag => (readyTags as readonly string[]).includes(tag);

/** Fields that the service fills in, beside those that it marks as its own. */
const ofService = new Set([
  ...['fieldValidationError', 'schemaValidationError', 'originalUri', 'representativeThumbnail'],
  ...['representativeThumbnailNoAuth', 'startSeconds', 'startTimeCode'],
]);

interface FieldName {
  readonly name?: string | undefined;
  readonly system?: string | undefined;
}

/** Field of subtitles. */
export const subtitle = 'stl_text';

export const isOfService = ({ name = '', system }: FieldName): boolean =>
  system === 'true' || ofService.has(name) || name.startsWith('__');

/** Whether a person fills it in for a whole item. */
export const isForItems = (field: FieldName): boolean => !isOfService(field) && field.name !== subtitle;
