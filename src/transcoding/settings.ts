import { setting, text, whole } from '../settings/kinds.ts';

/** Settings of what makes other forms of media. */
export const transcodingSettings = {
  ffmpeg: setting(text, 'ffmpeg', 'Program that transcodes and creates still images. Empty: none.'),
  mediaLibrary: setting(
    text,
    '',
    'The folder whose `node_modules` have `@mediabunny/server`, which transcodes without ffmpeg. Empty: the root.',
  ),
  transcodings: setting(whole(1, 64), 1, 'Maximum number of concurrent transcodings on this server.'),
  transcodeMegabytes: setting(
    whole(256, 262_144),
    4096,
    'Maximum memory of a transcoding in MiB. A transcoding that needs more is ended.',
  ),
};
