import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import { StoreStartError } from '../../core/store/faults.ts';
import { iniPaths } from '../plugins/find-ini.ts';
import { secretKeyPath } from '../secret-key.ts';
import { backup, restore } from './backup.ts';
import { copyTree, type SkippedEntries } from './copy-tree.ts';
import { rootsOf } from './file-storage/roots.ts';

/** A whole instance in a folder: what its files are called there. */
const names = { database: 'portico.db', root: 'root', media: 'media', key: 'secret.key' } as const;

type Where = Pick<Settings, 'root' | 'storageRoots' | 'pluginFolders' | 'secretKey'>;

interface Parts {
  readonly media: boolean;
  readonly key: boolean;
}

/** Sentences on what was taken, and what was not. */
type Sentences = readonly string[];

/** The folder gets its name when it is whole. It is for its owner alone. */
export async function backupInstance(
  database: string,
  settings: Where,
  target: string,
  parts: Parts,
): Promise<Sentences> {
  const [folder, temporary] = [resolve(target), `${resolve(target)}.writing`];
  if (existsSync(folder)) throw new StoreStartError(`Cannot write "${folder}": it exists already`);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  try {
    // Bytes of files that the copy of the database names are kept for a grace time: so they come after it.
    await backup(database, join(temporary, names.database));
    const copied = ['the database', ...(await copyFiles(settings, join(temporary, names.root)))];
    copied.push(await copyKey(settings, join(temporary, names.key), parts.key));
    copied.push(...(await copyMedia(settings, join(temporary, names.media), parts.media)));
    await rename(temporary, folder);
    return copied;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

interface RestoreParts extends Parts {
  readonly force: boolean;
}

/** Nothing is replaced without force, and what stands in the way is found before anything is changed. */
export async function restoreInstance(
  source: string,
  database: string,
  settings: Where,
  parts: RestoreParts,
): Promise<Sentences> {
  const from = resolve(source);
  const files = await filesBelow(join(from, names.root));
  const taken: [from: string, to: string][] = files.map((file) => [
    join(from, names.root, file),
    join(settings.root, file),
  ]);
  const key = join(from, names.key);
  if (parts.key && existsSync(key)) taken.push([key, secretKeyPath(settings)]);
  if (!parts.force) await refuseConflicts(taken);
  await mkdir(dirname(database), { recursive: true });
  await restore(join(from, names.database), database, parts);
  for (const [path, to] of taken) {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(path, to);
  }
  const restored = ['the database', ...kindsOf(files)];
  if (parts.key) restored.push(existsSync(key) ? 'secret.key' : 'not secret.key: the backup has none');
  else
    restored.push(
      `not secret.key: ${existsSync(secretKeyPath(settings)) ? 'the one in the root stays' : 'the root has none, so stored secrets cannot be read'}`,
    );
  restored.push(...(await restoreMedia(settings, join(from, names.media), parts)));
  return restored;
}

async function refuseConflicts(taken: readonly (readonly [string, string])[]): Promise<void> {
  for (const [path, to] of taken) {
    if (existsSync(to) && !(await readFile(to)).equals(await readFile(path)))
      throw new StoreStartError(`Cannot restore "${to}": another file is there already, use force to replace it`);
  }
}

async function copyFiles(settings: Where, target: string): Promise<Sentences> {
  await mkdir(target, { recursive: true });
  const ini = iniPaths(settings).find((path) => existsSync(path));
  const paths = [ini, join(settings.root, 'plugins'), join(settings.root, 'lib', 'ext')];
  for (const path of paths) {
    if (path === undefined || !existsSync(path)) continue;
    const inside = relative(settings.root, path);
    // A file in the current directory of a start by hand.
    const name = inside.startsWith('..') ? 'security.ini' : inside;
    await cp(path, join(target, name), { recursive: true, verbatimSymlinks: true });
  }
  const outside = settings.pluginFolders.map((folder) => `not the plugins in ${folder}: they are outside of the root`);
  return [...kindsOf(await filesBelow(target)), ...outside];
}

function kindsOf(files: readonly string[]): Sentences {
  const ini = files.find((file) => file.endsWith('security.ini') && !/^(?:plugins|lib)\b/.test(file));
  const plugins = files.filter((file) => file !== ini).length;
  return [ini ?? 'not security.ini: there is none', `plugins (${plugins} files)`];
}

async function copyKey(settings: Where, target: string, wanted: boolean): Promise<string> {
  const path = secretKeyPath(settings);
  if (settings.secretKey !== undefined) return 'not the key: it is the setting PORTICO_SECRET_KEY';
  if (!existsSync(path)) return 'not secret.key: there is none';
  if (!wanted) return 'not secret.key: keep it in another place, or ask for it with --key';
  await copyFile(path, target);
  await chmod(target, 0o600);
  return 'secret.key';
}

/** Staged bytes are useless after a restore. */
const isKept = (path: string): boolean => !/[/\\]\.portico[/\\]tmp(?:[/\\]|$)/.test(path);

async function copyMedia(settings: Where, target: string, wanted: boolean): Promise<Sentences> {
  const { folders } = rootsOf(settings);
  if (!wanted) return [`not the media in ${folders.join(', ')}: ask for it with --media`];
  const copiedFolders: string[] = [];
  for (const [number, folder] of folders.entries()) {
    if (!existsSync(folder)) {
      copiedFolders.push(`not the media in ${folder}: it is not there`);
      continue;
    }
    const left = await copyTree(folder, join(target, String(number)), { force: true, isKept });
    copiedFolders.push(`the media in ${folder}`, ...tellLeft(left));
  }
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'folders.json'), `${JSON.stringify(folders)}\n`);
  return copiedFolders;
}

function tellLeft({ odd, gone, nameless }: SkippedEntries): Sentences {
  const tell = (paths: readonly string[], why: string): Sentences =>
    paths.length === 0 ? [] : [`not ${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}: ${why}`];
  return [
    ...tell(odd, 'it is no file, folder or link'),
    ...tell(gone, 'it went meanwhile'),
    ...tell(nameless, 'its name is no text'),
  ];
}

/** Restores media into the folders of the settings, in their order. Existing files stay, unless forced. */
async function restoreMedia(settings: Where, source: string, { media, force }: RestoreParts): Promise<Sentences> {
  const { folders } = rootsOf(settings);
  const isThere = existsSync(source);
  if (!media) return [isThere ? 'not the media: ask for it with --media' : 'not the media: the backup has none'];
  if (!isThere) return ['not the media: the backup has none'];
  const numbers = (await readdir(source)).filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(a) - Number(b));
  const restoredFolders: string[] = [];
  for (const name of numbers) {
    const folder = folders[Number(name)];
    if (folder === undefined) {
      restoredFolders.push(`not the media in ${join(source, name)}: PORTICO_STORAGE_ROOTS has no place for it`);
      continue;
    }
    const left = await copyTree(join(source, name), folder, { force, isKept });
    restoredFolders.push(`the media in ${folder}`, ...tellLeft(left));
  }
  return restoredFolders;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

export const isInstanceCopy = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
