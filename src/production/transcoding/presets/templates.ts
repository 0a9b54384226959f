import type { Statement } from '../../../core/store/contract.ts';
import { putDefaults } from '../store.ts';

const h264 = { codec: 'h264' };
const aac = { codec: 'aac' };
/** Most films for the web: full HD at most, and the speed whose figures are in the guide. */
const web = { ...h264, preset: ['veryfast'], setting: [{ key: 'maxResolution', value: '1920x1080' }] };
const small = { ...h264, bitrate: 1_000_000, scaling: { width: 640, height: 360 } };

/** Presets of the release. Their names begin with two underscores, which protects them from changes. */
export const templates: Readonly<Record<string, object>> = {
  __mp4: { format: 'mp4', audio: aac, video: web },
  __mp4_small: { format: 'mp4', audio: { ...aac, bitrate: 128_000 }, video: small },
  __mov: { format: 'mov', audio: aac, video: h264 },
  __mov_prores: { format: 'mov', audio: { codec: 'pcm_s16le' }, video: { codec: 'prores' } },
  __mxf_mpeg2: { format: 'mxf', audio: { codec: 'pcm_s16le' }, video: { codec: 'mpeg2video', bitrate: 50_000_000 } },
  __hls: { format: 'cmaf', audio: aac, video: h264 },
  __webm: { format: 'webm', audio: { codec: 'opus' }, video: { codec: 'vp9' } },
  __mp3: { format: 'mp3', audio: { codec: 'mp3' }, video: { noVideo: true } },
  __wav: { format: 'wav', audio: { codec: 'pcm_s16le' }, video: { noVideo: true } },
  __jpeg: { format: 'jpg', audio: { noAudio: true }, video: { codec: 'mjpeg' } },
};

/** Tags that clients ask for by name. One that is there stays as it is. */
export const defaultTags: Readonly<Record<string, object>> = {
  lowres: { format: 'mp4', audio: { ...aac, bitrate: 128_000 }, video: small },
};

/** Clients transcode to these tags without making them. */
export const defaultTagRows = (): readonly Statement[] =>
  Object.entries(defaultTags).map(([name, preset]) => putDefaults({ name, document: JSON.stringify(preset) }));
