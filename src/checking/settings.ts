import type { CoreSettings } from '../settings/core.ts';
import { mebibyte, type SettingsOf, setting, text, whole } from '../settings/kinds.ts';

/** Settings of the media check. */
export const checkingSettings = {
  mediaChildren: setting(whole(1, 64), 1, 'Processes that open foreign media at a time, beside the service.'),
  mediaChildMegabytes: setting(
    whole(128, 65_536),
    1024,
    'Mebibytes of memory that one of these processes may use. One that wants more ends.',
  ),
  probeSeconds: setting(whole(1, 3600), 20, 'Seconds after which the probe of a file is ended.'),
  probeBytes: setting(whole(mebibyte, 1024 * mebibyte), 64 * mebibyte, 'Most bytes of a file that a probe reads.'),
  ffprobe: setting(text, 'ffprobe', 'The program that probes what no shipped prober knows. Empty: none.'),
};

export type CheckingSettings = SettingsOf<typeof checkingSettings> & CoreSettings;
