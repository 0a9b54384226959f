import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import { StoreStartError } from '../../core/store/faults.ts';
import { iniPaths } from '../plugins/find-ini.ts';
import { secretKeyPath } from '../secret-key.ts';
import { backup, readyBackup } from './backup.ts';
import { copyTree, leadsOut, type SkippedEntries } from './copy-tree.ts';
import { isBelow, rootsOf } from './file-storage/roots.ts';

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

/**
 * Everything is checked before anything is changed, and nothing is replaced without force. Of the folder only what a
 * backup has is taken: it may come from others.
 */
export async function restoreInstance(
  source: string,
  database: string,
  settings: Where,
  parts: RestoreParts,
): Promise<Sentences> {
  const from = resolve(source);
  const contents = await partsIn(from);
  const files = contents.root ? await rootFiles(join(from, names.root)) : { taken: [], left: [] };
  const taken: TakenFile[] = files.taken.map((file) => ({
    ...file,
    to: join(settings.root, relative(join(from, names.root), file.from)),
  }));
  if (parts.key && contents.key) taken.push({ from: join(from, names.key), to: secretKeyPath(settings), mode: 0o600 });
  await refuseConflicts(taken, parts.force);
  await mkdir(dirname(database), { recursive: true });
  const backup = await readyBackup(join(from, names.database), database, parts);
  const staged: string[] = [];
  try {
    for (const file of taken) staged.push(await stage(file));
    await backup.replace();
  } catch (error) {
    await backup.discard();
    for (const path of staged) await rm(path, { force: true });
    throw error;
  }
  for (const [index, { to }] of taken.entries()) await rename(staged[index]!, to);
  const paths = files.taken.map((file) => relative(join(from, names.root), file.from));
  const restored = ['the database', ...kindsOf(paths), ...files.left];
  if (parts.key) restored.push(contents.key ? names.key : `not ${names.key}: the backup has none`);
  else
    restored.push(
      `not secret.key: ${existsSync(secretKeyPath(settings)) ? 'the one in the root stays' : 'the root has none, so stored secrets cannot be read'}`,
    );
  restored.push(...(await restoreMedia(settings, join(from, names.media), contents.media, parts)));
  return restored;
}

interface TakenFile {
  readonly from: string;
  readonly to: string;
  readonly mode?: number;
  /** Where a link leads. */
  readonly leadsTo?: string;
}

/** Parts that the folder has. Each is what it should be: a link or a pipe in its place would be read from elsewhere. */
async function partsIn(folder: string): Promise<Readonly<Record<'root' | 'media' | 'key', boolean>>> {
  const has = async (name: string, is: 'isFile' | 'isDirectory'): Promise<boolean> => {
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (stats && !stats[is]())
      throw new StoreStartError(
        `Expected a ${is === 'isFile' ? 'file' : 'folder'}, found something else: "${join(folder, name)}"`,
      );
    return stats !== undefined;
  };
  await has(names.database, 'isFile');
  return {
    root: await has(names.root, 'isDirectory'),
    media: await has(names.media, 'isDirectory'),
    key: await has(names.key, 'isFile'),
  };
}

const inis: ReadonlySet<string> = new Set(['security.ini', 'config/security.ini']);
const isPlugin = (path: string): boolean => /^(?:plugins|lib\/ext)\//.test(path);
const isAbove = (path: string): boolean => /^(?:plugins|lib|lib\/ext|config)$/.test(path);

/** Files of a root that a backup has. Anything else is refused: it would take the place of a database, a key or media. */
async function rootFiles(root: string): Promise<{ readonly taken: Omit<TakenFile, 'to'>[]; readonly left: string[] }> {
  const [taken, left]: [Omit<TakenFile, 'to'>[], string[]] = [[], []];
  const pluginFolders = [join(root, 'plugins'), join(root, 'lib', 'ext')];
  const folders = [root];
  for (let folder = folders.pop(); folder; folder = folders.pop())
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const from = join(folder, entry.name);
      const path = relative(root, from).replaceAll(sep, '/');
      if (entry.isDirectory() && (isAbove(path) || isPlugin(path))) folders.push(from);
      else if (entry.isFile() && (inis.has(path) || isPlugin(path))) taken.push({ from });
      else if (!isPlugin(path))
        throw new StoreStartError(
          `Expected security.ini and plugins alone in "${root}", found another entry: "${path}"`,
        );
      else if (!entry.isSymbolicLink()) left.push(`not ${path}: it is no file, folder or link`);
      else {
        const leadsTo = await readlink(from);
        if (leadsOut(leadsTo, folder, pluginFolders)) left.push(`not ${path}: the link leads out of the backup`);
        else taken.push({ from, leadsTo });
      }
    }
  return { taken, left };
}

async function refuseConflicts(taken: readonly TakenFile[], force: boolean): Promise<void> {
  for (const file of taken) {
    const stats = await lstat(file.to).catch(() => undefined);
    if (stats?.isDirectory()) throw new StoreStartError(`Cannot restore "${file.to}": a folder is there`);
    if (stats && !force && !(await isAlike(file, stats.isSymbolicLink())))
      throw new StoreStartError(`Cannot restore "${file.to}": another file is there already, use force to replace it`);
  }
}

async function isAlike({ from, to, leadsTo }: TakenFile, isLink: boolean): Promise<boolean> {
  if (leadsTo !== undefined) return isLink && (await readlink(to)) === leadsTo;
  const bytes = await readFile(to).catch(() => undefined);
  return bytes?.equals(await readFile(from)) === true;
}

/** Writes the file beside its place, so that a full disk changes nothing. A rename also replaces a link, and not what it leads to. */
async function stage({ from, to, mode, leadsTo }: TakenFile): Promise<string> {
  const staged = `${to}.restoring`;
  await mkdir(dirname(to), { recursive: true });
  await rm(staged, { force: true });
  if (leadsTo !== undefined) await symlink(leadsTo, staged);
  else await copyFile(from, staged);
  if (mode !== undefined) await chmod(staged, mode);
  return staged;
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
    await copyWithLinks(await realpath(path), join(target, name), [await realpath(settings.root), resolve(target)]);
  }
  const outside = settings.pluginFolders.map((folder) => `not the plugins in ${folder}: they are outside of the root`);
  return [...kindsOf(await filesBelow(target)), ...outside];
}

/**
 * Copies a folder or file. A link that leads out of it becomes what it leads to, because elsewhere it would lead to
 * nothing. `above`: folders that it is in, among them the instance root: a link to one of them has no end.
 */
async function copyWithLinks(from: string, to: string, above: readonly string[], top = from): Promise<void> {
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) {
    const leadsTo = await readlink(from);
    if (!isAbsolute(leadsTo) && !leadsOut(leadsTo, dirname(from), [top])) return symlink(leadsTo, to);
    const end = await realpath(from).catch(() => undefined);
    if (end === undefined || above.some((folder) => isBelow(end, folder))) return;
    await copyWithLinks(end, to, [...above, end]);
  } else if (stats.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await copyWithLinks(join(from, name), join(to, name), above, top);
  } else if (stats.isFile()) {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
  }
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

function tellLeft({ odd, gone, nameless, outward, blocked }: SkippedEntries): Sentences {
  const tell = (paths: readonly string[], why: string): Sentences =>
    paths.length === 0 ? [] : [`not ${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}: ${why}`];
  return [
    ...tell(odd, 'it is no file, folder or link'),
    ...tell(gone, 'it went meanwhile'),
    ...tell(nameless, 'its name is no text'),
    ...tell(outward, 'the link leads out of the storage'),
    ...tell(blocked, 'something else is there'),
  ];
}

/** Restores media into the folders of the settings, in their order. Existing files stay, unless forced. */
async function restoreMedia(
  settings: Where,
  source: string,
  isThere: boolean,
  { media, force }: RestoreParts,
): Promise<Sentences> {
  const { folders } = rootsOf(settings);
  if (!isThere) return ['not the media: the backup has none'];
  if (!media) return ['not the media: ask for it with --media'];
  const entries = (await readdir(source, { withFileTypes: true })).filter(({ name }) => name !== 'folders.json');
  const restoredFolders: string[] = [];
  for (const entry of entries.sort((a, b) => Number(a.name) - Number(b.name))) {
    // A number has one spelling, or two folders would be one root.
    const folder = /^(?:0|[1-9]\d*)$/.test(entry.name) ? folders[Number(entry.name)] : undefined;
    const from = join(source, entry.name);
    if (folder === undefined) {
      restoredFolders.push(`not the media in ${from}: PORTICO_STORAGE_ROOTS has no place for it`);
    } else if (!entry.isDirectory()) restoredFolders.push(`not ${from}: it is no folder`);
    else {
      const left = await copyTree(from, folder, { force, isKept, within: folders });
      restoredFolders.push(`the media in ${folder}`, ...tellLeft(left));
    }
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
