import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findIni, iniPaths } from './find-ini.ts';
import type { SecuritySettings } from './read-input.ts';
import { findReferences } from './references.ts';
import { isFolder } from './sources.ts';
import { isHidden, pluginFolders } from './units.ts';

interface Survey {
  /** Existing folders to be watched. */
  readonly folders: ReadonlySet<string>;
  /** Digest of names, sizes and times. */
  readonly state: string;
}

/** Current files of security.ini and the plugins. */
async function survey(settings: SecuritySettings): Promise<Survey> {
  const folders = new Set<string>();
  const seen = new Map<string, string>();
  for (const path of iniPaths(settings)) {
    folders.add(resolve(dirname(path)));
    seen.set(path, await lookOf(path));
  }
  const { text, folder } = await findIni(settings);
  const { found } = await findReferences(text, folder, [resolve(settings.root)]);
  for (const { unit } of found) {
    if (unit.folder === undefined) await noteFile(unit.entry, folders, seen);
    else await noteFolder(unit.folder, folders, seen);
  }
  for (const path of pluginFolders(settings)) {
    folders.add(resolve(dirname(path)));
    await noteFolder(resolve(path), folders, seen);
  }
  const hash = createHash('sha256').update(JSON.stringify([...seen].sort(([a], [b]) => (a < b ? -1 : 1))));
  for (const path of folders) if (!(await isFolder(path))) folders.delete(path);
  return { folders, state: hash.digest('hex') };
}

async function noteFile(path: string, folders: Set<string>, seen: Map<string, string>): Promise<void> {
  folders.add(dirname(path));
  seen.set(path, await lookOf(path));
}

async function noteFolder(folder: string, folders: Set<string>, seen: Map<string, string>): Promise<void> {
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return;
  folders.add(folder);
  for (const name of names) {
    const path = join(folder, name);
    if (isHidden(name) || seen.has(path)) continue;
    seen.set(path, await lookOf(path));
    if (await isFolder(path)) await noteFolder(path, folders, seen);
  }
}

const lookOf = (path: string): Promise<string> =>
  stat(path).then(
    // A folder changes when we put a copy into it.
    (found) => (found.isDirectory() ? 'folder' : `${found.size} ${found.mtimeMs} ${found.ino}`),
    () => '',
  );

/** Files arrive in pieces: nothing is read before it has been quiet for so long, in milliseconds. */
const defaultQuiet = 300;
/** Milliseconds between polls, for file systems without change events, such as some network and container ones. */
const pollEvery = 5000;

/**
 * Calls back when security.ini or a plugin has changed, one call at a time. Every folder is watched by itself, which
 * works on all runtimes alike; what counts is whether the files differ, not what the system says happened. Gives what ends it.
 */
export function watchSecurity(
  settings: SecuritySettings,
  onChange: () => Promise<unknown> | unknown,
  { quiet = defaultQuiet } = {},
): () => void {
  const watchers = new Map<string, FSWatcher>();
  let before: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  let again = false;
  let closed = false;

  function soon(): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(look, quiet);
  }

  async function look(): Promise<void> {
    again = looking;
    if (looking || closed) return;
    looking = true;
    try {
      const { folders, state } = await survey(settings);
      rearm(folders);
      const changed = before !== undefined && before !== state;
      before = state;
      if (changed && !closed) await onChange();
    } catch {
      // The next look sees what this one could not; the callback reports its own failures.
    } finally {
      looking = false;
      if (again) soon();
    }
  }

  function rearm(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of watchers) if (!folders.has(folder)) stop(folder, watcher);
    for (const folder of folders) if (!watchers.has(folder)) start(folder);
  }

  function start(folder: string): void {
    if (closed) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (isOfInterest(name)) soon();
      });
      watcher.on('error', () => stop(folder, watcher));
      watchers.set(folder, watcher);
    } catch {
      // Looked at now and then all the same.
    }
  }

  function stop(folder: string, watcher: FSWatcher): void {
    watchers.delete(folder);
    watcher.close();
  }

  void look();
  const poll = setInterval(look, pollEvery);
  poll.unref?.();
  return () => {
    closed = true;
    clearTimeout(timer);
    clearInterval(poll);
    for (const [folder, watcher] of watchers) stop(folder, watcher);
  };
}

/** The database lives in the root as well, and is written all the time; our own copies begin with a dot. */
const isOfInterest = (name: string | null): boolean => name === null || !/^(?:portico\.db|\.portico-)/.test(name);
