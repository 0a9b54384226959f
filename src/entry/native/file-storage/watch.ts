import { type FSWatcher, watch } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeListener } from '../../../spi/index.ts';
import { isOwn } from '../../../storage/public.ts';

/** Each folder takes a watch of the system. A tree with more is left to scans. */
const maxFolders = 1000;

/**
 * Tells of files that come or change below a folder. Each folder has a watch of its own: recursive watches of Node on
 * Linux open one for each file. Links are not followed.
 */
export async function watchFolder(root: string, listener: ChangeListener): Promise<() => void> {
  const watches = new Map<string, FSWatcher>();
  const { dev, ino } = await lstat(root);
  let isOver = false;

  function stop(): void {
    isOver = true;
    for (const each of watches.values()) each.close();
    watches.clear();
  }

  function end(reason: string): void {
    if (isOver) return;
    stop();
    listener.ended(reason);
  }

  /** `folder`: its path with "/" at its end, or nothing. `isNew`: files in it may be new, too. */
  async function enter(folder: string, isNew: boolean): Promise<void> {
    if (isOver || watches.has(folder)) return;
    if (watches.size >= maxFolders) throw new Error(`Expected at most ${maxFolders} folders`);
    const each = watch(join(root, folder), { persistent: false });
    watches.set(folder, each);
    each.on('error', (error) => (folder === '' ? end(error.message) : leave(folder)));
    each.on('change', (event, name) => {
      if (name === null || isOver || isOwn(String(name))) return;
      if (event === 'change') listener.changed(folder + String(name));
      else look(folder, String(name)).catch((error: Error) => end(error.message));
    });
    // Lists after the watch has begun, so that files which come meanwhile are seen by either.
    for await (const entry of await opendir(join(root, folder))) {
      if (isOver) return;
      if (isOwn(entry.name)) continue;
      if (entry.isDirectory()) await enter(`${folder}${entry.name}/`, isNew).catch(unlessGone);
      else if (isNew) listener.changed(folder + entry.name);
    }
  }

  function leave(folder: string): void {
    for (const [path, each] of watches) {
      if (!path.startsWith(folder)) continue;
      each.close();
      watches.delete(path);
    }
  }

  /** A name has come or gone, that of the watched folder itself among them. */
  async function look(folder: string, name: string): Promise<void> {
    const path = folder + name;
    const stats = await lstat(join(root, path)).catch(() => undefined);
    if (stats?.isDirectory()) return enter(`${path}/`, true).catch(unlessGone);
    if (stats) return listener.changed(path);
    leave(`${path}/`);
    const now = await lstat(root).catch(() => undefined);
    if (now?.dev !== dev || now.ino !== ino) end('Expected the folder that was there: another one is, or none');
  }

  try {
    await enter('', false);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

/** A folder may go between its event and a look at it. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && error.code !== 'EACCES') throw error;
}
