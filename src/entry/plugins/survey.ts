import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findIni, iniPaths } from './find-ini.ts';
import type { SecuritySettings } from './read-input.ts';
import { findReferences } from './references.ts';
import { isHidden, pluginFolders } from './units.ts';

interface Survey {
  /** Existing folders to be watched. */
  readonly folders: ReadonlySet<string>;
  /** Digest of names, sizes and times. */
  readonly state: string;
}

/** Current files of security.ini and the plugins. */
export async function survey(settings: SecuritySettings): Promise<Survey> {
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

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
