import { toHex } from '../../../core/lib/bytes.ts';
import { ownFolder } from '../../../storage/public.ts';
import { systemCode, toRead, unlessMissing } from './disk.ts';
import type { StorageFolder } from './place-folder.ts';
import type { Staging } from './staging.ts';

const marker = 'id';

/**
 * Identity of the file system, by a marker file in the folder. Device numbers change at a restart, on network shares
 * and in containers. A marker moves with the files to another disk. Without the right to write, the inode and birth
 * time of the folder identify it: those of an empty mount point differ.
 */
export async function identityOf(place: StorageFolder, staging?: Staging): Promise<string> {
  const identity = (await readMarker(place)) ?? (staging && (await makeMarker(place, staging)));
  if (identity !== undefined) return identity;
  const root = await place.holdNow([]);
  try {
    const { ino, birthtimeMs } = await place.disk.lstat(root.at('.'));
    return `folder ${ino}:${Math.floor(birthtimeMs)}`;
  } finally {
    await root.close();
  }
}

async function readMarker(place: StorageFolder): Promise<string | undefined> {
  const folder = await unlessMissing(place.holdNow([ownFolder]));
  if (!folder) return undefined;
  try {
    const handle = await unlessMissing(place.disk.open(folder.at(marker), toRead));
    if (!handle) return undefined;
    try {
      const bytes = Buffer.alloc(64);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return /^[0-9a-f]{32}$/m.exec(bytes.toString('latin1', 0, bytesRead))?.[0];
    } finally {
      await handle.close();
    }
  } finally {
    await folder.close();
  }
}

/**
 * Writes the marker. Undefined on a read-only storage. A full disk is an error: without a marker the storage would seem
 * to be another one later.
 */
async function makeMarker(place: StorageFolder, staging: Staging): Promise<string | undefined> {
  const id = toHex(staging.randomBytes(16));
  let token = '';
  try {
    ({ token } = await staging.stage(new Response(`${id}\n`).body!, {}, 0));
    await staging.settle(token, [ownFolder], marker);
    return id;
  } catch (error) {
    await staging.discard(token);
    const { kind } = Object(error) as { readonly kind?: unknown };
    // A concurrent process has written the marker first.
    if (kind === 'exists') return readMarker(place);
    if (kind === 'denied' || systemCode(error) === 'EROFS') return undefined;
    throw error;
  }
}
