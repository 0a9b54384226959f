import type { CoreSettings } from '../settings/core.ts';
import { list, mebibyte, type SettingsOf, setting, whole } from '../settings/kinds.ts';

const gibibyte = 1024 * mebibyte;

/** Settings of storages, files and bytes. */
export const mediaSettings = {
  storageRoots: setting(
    list,
    [],
    'Folders below which file storages may lie, with commas between. Without it: the folder "media" of the instance root.',
  ),
  minFreeBytes: setting(
    whole(0, 1024 * gibibyte),
    gibibyte,
    'Bytes that stay free on a disk: an upload that would leave less is refused with 507.',
  ),
  deleteGraceHours: setting(
    whole(0, 8760),
    0,
    'Hours that the bytes of a deleted file wait, so that a database restored from a backup still finds them.',
  ),
  maxTransfers: setting(whole(1, 1_000_000), 1000, 'Most open uploads in parts of one user.'),
  maxTransferBytes: setting(
    whole(mebibyte, 9_000_000_000_000_000),
    1024 * gibibyte,
    'Most bytes that all open uploads of one user announce together.',
  ),
  transferIdleHours: setting(
    whole(1, 8760),
    24,
    'Hours without a byte after which an upload in parts ends as ABORTED.',
  ),
  closeLimit: setting(
    whole(0, 86_400),
    15,
    'Seconds without a change after which a scan closes a file. The key "closeLimit" of a storage comes first.',
  ),
  hotFolderRest: setting(
    whole(1, 86_400),
    3,
    'Seconds without a change after which a file of a hot folder is closed, where the system tells of changes. The key "closeLimit" of a storage comes first.',
  ),
  mediaHashes: setting(whole(1, 64), 2, 'Files that one instance hashes at a time.'),
  maxLostPercent: setting(
    whole(1, 100),
    10,
    'A scan that misses more of the files of a storage than this share stops, and waits for a person.',
  ),
};

export type MediaSettings = SettingsOf<typeof mediaSettings> & CoreSettings;
