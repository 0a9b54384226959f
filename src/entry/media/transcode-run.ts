import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaSource } from '../../spi/index.ts';

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

const piece = 1024 * 1024;

/** Copies media to a new file, for a program that reads no addresses. */
export async function copyMedia(source: MediaSource, path: string, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let from = 0; from < source.size; from += piece) {
      signal.throwIfAborted();
      await file.appendFile(await source.read({ from, end: Math.min(from + piece, source.size) }));
    }
  } finally {
    await file.close();
  }
}

export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
