import { setting, text, whole } from '../settings/kinds.ts';

/** Settings of what makes other forms of media. */
export const transcodingSettings = {
  ffmpeg: setting(text, 'ffmpeg', 'The program that transcodes and makes stills. Empty: none.'),
  mediaLibrary: setting(
    text,
    '',
    'The folder whose `node_modules` have `@mediabunny/server`, which transcodes without ffmpeg. Empty: the root.',
  ),
  transcodings: setting(whole(1, 64), 1, 'Transcodings that run on this server at a time.'),
  transcodeMegabytes: setting(
    whole(256, 262_144),
    4096,
    'Mebibytes of memory that one of them may use. One that wants more ends.',
  ),
};
