import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const prefix = 'transcode-';
const day = 24 * 60 * 60 * 1000;

/** An empty folder for one run. What a killed server has left goes after a day. */
export async function emptyFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const stats = name.startsWith(prefix) ? await stat(path).catch(() => undefined) : undefined;
    if (stats && Date.now() - stats.mtimeMs > day) await removeFolder(path);
  }
  return mkdtemp(join(root, prefix));
}

export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
