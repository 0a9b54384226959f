import type { CoreSettings } from '../core/settings/core.ts';
import {
  constant,
  folderLocations,
  list,
  mebibyte,
  oneOf,
  type SettingsOf,
  setting,
  whole,
} from '../core/settings/kinds.ts';

const gibibyte = 1024 * mebibyte;

/** Settings of storages, files and bytes. */
export const storageSettings = {
  storageRoots: setting(
    list,
    [],
    'Folders below which file storages may lie, with commas between. Without it: the folder "media" of the instance root.',
  ),
  sendfile: setting(
    oneOf('off', 'x-accel-redirect', 'x-sendfile'),
    'off',
    'Header by which a trusted proxy on the same machine sends the bytes of files in place of this service. nginx: "x-accel-redirect".',
  ),
  sendfileLocations: setting(
    folderLocations,
    [],
    'Folders and the internal locations under which nginx has them, as FOLDER=/location/, with commas between. Bytes of other folders are sent by this service.',
  ),
  minFreeBytes: setting(
    whole(0, 1024 * gibibyte),
    gibibyte,
    'Minimum free bytes on a disk. An upload that would leave less is refused with 507.',
  ),
  deleteGraceHours: setting(
    whole(0, 8760),
    0,
    'Hours until the bytes of a deleted file are removed, so that a restored database still finds them.',
  ),
  maxTransfers: constant(1000, 'Maximum number of open uploads in parts of one user.'),
  maxTransferBytes: setting(
    whole(mebibyte, 9_000_000_000_000_000),
    1024 * gibibyte,
    'Maximum number of bytes that all open uploads of one user announce together.',
  ),
  transferIdleHours: constant(24, 'Hours without a byte after which an upload in parts ends as ABORTED.'),
  closeLimit: setting(
    whole(0, 86_400),
    10,
    'Seconds without a change after which a file is closed. The key "closeLimit" of a storage takes precedence.',
  ),
  hotFolderRest: constant(
    3,
    'Seconds without a change after which a file of a hot folder is closed, if the system reports changes. The key "closeLimit" of a storage takes precedence.',
  ),
  mediaHashes: constant(2, 'Storages whose files one instance hashes concurrently.'),
  maxLostPercent: setting(
    whole(1, 100),
    10,
    'Percentage of missing files of a storage above which a scan stops and waits for approval.',
  ),
};

export type StorageSettings = SettingsOf<typeof storageSettings> & CoreSettings;
