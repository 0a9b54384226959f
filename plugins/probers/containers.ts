/** A container, as FFmpeg calls it, and its media type where it holds no pictures that move. */
export interface Container {
  readonly format: string;
  readonly ofVideo: string;
  readonly ofAudio: string;
}

/** Container types by their name in the library. */
export const libraryContainers: Readonly<Record<string, Container>> = {
  MP4: { format: 'mov,mp4,m4a,3gp,3g2,mj2', ofVideo: 'video/mp4', ofAudio: 'audio/mp4' },
  'QuickTime File Format': {
    format: 'mov,mp4,m4a,3gp,3g2,mj2',
    ofVideo: 'video/quicktime',
    ofAudio: 'video/quicktime',
  },
  Matroska: { format: 'matroska,webm', ofVideo: 'video/x-matroska', ofAudio: 'audio/x-matroska' },
  WebM: { format: 'matroska,webm', ofVideo: 'video/webm', ofAudio: 'audio/webm' },
  MP3: { format: 'mp3', ofVideo: 'audio/mpeg', ofAudio: 'audio/mpeg' },
  WAVE: { format: 'wav', ofVideo: 'audio/wav', ofAudio: 'audio/wav' },
  Ogg: { format: 'ogg', ofVideo: 'video/ogg', ofAudio: 'audio/ogg' },
  FLAC: { format: 'flac', ofVideo: 'audio/flac', ofAudio: 'audio/flac' },
  ADTS: { format: 'aac', ofVideo: 'audio/aac', ofAudio: 'audio/aac' },
  'MPEG Transport Stream': { format: 'mpegts', ofVideo: 'video/mp2t', ofAudio: 'video/mp2t' },
};

/** FFmpeg's names for codecs that it calls otherwise. */
const renamed: Readonly<Record<string, string>> = {
  avc: 'h264',
  'pcm-u8': 'pcm_u8',
  'pcm-s8': 'pcm_s8',
  'pcm-s16': 'pcm_s16le',
  'pcm-s16be': 'pcm_s16be',
  'pcm-s24': 'pcm_s24le',
  'pcm-s24be': 'pcm_s24be',
  'pcm-s32': 'pcm_s32le',
  'pcm-s32be': 'pcm_s32be',
  'pcm-f32': 'pcm_f32le',
  'pcm-f32be': 'pcm_f32be',
  'pcm-f64': 'pcm_f64le',
  'pcm-f64be': 'pcm_f64be',
  ulaw: 'pcm_mulaw',
  alaw: 'pcm_alaw',
};

export const codecName = (codec: string | null): string | null => (codec === null ? null : (renamed[codec] ?? codec));

const text = (bytes: Uint8Array, from: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(from, end));

/** Whether the library may know a file by its first bytes. */
export function knownBytes(head: Uint8Array, name = ''): 'yes' | 'maybe' | 'no' {
  const [one, two, three, four] = head;
  if (/^(?:ftyp|moov|mdat|wide|free|skip|pnot)$/.test(text(head, 4, 8))) return 'yes';
  if (one === 0x1a && two === 0x45 && three === 0xdf && four === 0xa3) return 'yes';
  if (/^(?:OggS|fLaC)$/.test(text(head, 0, 4)) || text(head, 0, 3) === 'ID3') return 'yes';
  if (/^(?:RIFF|RF64)$/.test(text(head, 0, 4)) && text(head, 8, 12) === 'WAVE') return 'yes';
  const isTransport = (first: number, pace: number) =>
    head.byteLength > first + 2 * pace && [0, 1, 2].every((at) => head[first + at * pace] === 0x47);
  if (isTransport(0, 188) || isTransport(4, 192)) return 'yes';
  const isFrame = one === 0xff && ((two ?? 0) & 0xe0) === 0xe0;
  return isFrame || /\.(?:mp3|aac)$/i.test(name) ? 'maybe' : 'no';
}
