import type { AudioCodec, VideoCodec } from 'mediabunny';

/** Codecs as presets name them, in the words of the library. */
export const videoNames: Readonly<Record<string, VideoCodec>> = {
  h264: 'avc',
  avc: 'avc',
  h265: 'hevc',
  hevc: 'hevc',
  vp8: 'vp8',
  vp9: 'vp9',
  av1: 'av1',
  prores: 'prores',
};

export const audioNames: Readonly<Record<string, AudioCodec>> = {
  aac: 'aac',
  mp3: 'mp3',
  opus: 'opus',
  vorbis: 'vorbis',
  flac: 'flac',
  ac3: 'ac3',
  eac3: 'eac3',
  pcm_s16le: 'pcm-s16',
  pcm_s16be: 'pcm-s16be',
  pcm_s24le: 'pcm-s24',
  pcm_s32le: 'pcm-s32',
  pcm_f32le: 'pcm-f32',
};

/** Container kinds of the library. */
export type ContainerKind = 'mp4' | 'mov' | 'mkv' | 'webm' | 'mpegts' | 'wav' | 'mp3' | 'ogg' | 'flac' | 'adts';

interface ContainerName {
  readonly kind: ContainerKind;
  /** Default codec. Undefined: none. */
  readonly video?: string;
  readonly audio: string;
}

const film = { video: 'h264', audio: 'aac' };

export const containerNames: Readonly<Record<string, ContainerName>> = {
  mp4: { kind: 'mp4', ...film },
  m4a: { kind: 'mp4', audio: 'aac' },
  mov: { kind: 'mov', ...film },
  mkv: { kind: 'mkv', ...film },
  matroska: { kind: 'mkv', ...film },
  webm: { kind: 'webm', video: 'vp9', audio: 'opus' },
  mpegts: { kind: 'mpegts', ...film },
  ts: { kind: 'mpegts', ...film },
  wav: { kind: 'wav', audio: 'pcm_s16le' },
  wave: { kind: 'wav', audio: 'pcm_s16le' },
  mp3: { kind: 'mp3', audio: 'mp3' },
  ogg: { kind: 'ogg', audio: 'vorbis' },
  flac: { kind: 'flac', audio: 'flac' },
  adts: { kind: 'adts', audio: 'aac' },
  aac: { kind: 'adts', audio: 'aac' },
};
