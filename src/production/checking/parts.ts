import type { ItemSettings } from '../../assets/items/public.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import { constant, mebibyte, type SettingsOf, setting, text, whole } from '../../core/settings/kinds.ts';
import type { RoomContext } from '../../room/context.ts';

/** Settings of the media check. */
export const checkingSettings = {
  mediaChildren: setting(whole(1, 64), 1, 'Maximum number of separate processes that open uploaded media.'),
  mediaChildMegabytes: setting(
    whole(128, 65_536),
    1024,
    'Maximum memory of such a process in MiB. A process that needs more is ended.',
  ),
  probeSeconds: constant(20, 'Seconds after which the probe of a file is ended.'),
  probeBytes: constant(64 * mebibyte, 'Maximum number of bytes of a file that a probe reads.'),
  exiftool: setting(text, 'exiftool', 'Program that writes XMP into copies of files for exports. Empty: none.'),
  ffprobe: setting(text, 'ffprobe', 'Program that probes formats that no built-in prober knows. Empty: none.'),
};

export type CheckingSettings = SettingsOf<typeof checkingSettings> & CoreSettings;

/** Parts of a media check, which every room has. */
export type CheckParts = Pick<
  RoomContext<CheckingSettings & ItemSettings>,
  | 'settings'
  | 'store'
  | 'hooks'
  | 'clock'
  | 'log'
  | 'media'
  | 'security'
  | 'sharesWork'
  | 'secretKey'
  | 'random'
  | 'services'
>;
