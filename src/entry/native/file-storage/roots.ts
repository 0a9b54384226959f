import { join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { ExportSettings } from '../../../production/exporting/public.ts';
import type { IngestSettings } from '../../../production/ingest/public.ts';
import type { StorageUse } from '../../../spi/index.ts';
import { DriverError, isOwn, ownFolder, type StorageSettings } from '../../../storage/public.ts';

/** The names of a path, from the outside in. Throws `bad-path` for a path that has a second spelling or leads out. */
export function partsOf(path: string, platform: string = process.platform): readonly string[] {
  const parts = path.split('/');
  for (const part of parts) {
    const defect = partDefect(part, platform);
    if (defect !== undefined) throw new DriverError('bad-path', `Expected ${defect}: "${shownPath(path)}"`);
  }
  return parts;
}

export const shownPath = (path: string): string => (path.length > 80 ? `${path.slice(0, 77)}...` : path);

function partDefect(part: string, platform: string): string | undefined {
  if (part === '' || part === '.' || part === '..') return 'a path without empty parts, "." and ".."';
  if (part.includes('\0')) return 'a path without NUL';
  if (!part.isWellFormed()) return 'a path of whole characters';
  if (isOwn(part)) return `a path outside of the folder ${ownFolder}, which the service keeps for itself`;
  return platform === 'win32' ? windowsDefect(part) : undefined;
}

/** There these are separators, streams, devices, or names with a second spelling. */
function windowsDefect(part: string): string | undefined {
  if (/[<>:"\\|?*\u0000-\u001f]/.test(part)) return 'a path that Windows can hold, without < > : " \\ | ? *';
  if (/[. ]$/.test(part)) return 'a path that Windows can hold, whose names do not end with a dot or a blank';
  const isDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i.test(part);
  return isDevice ? 'a path that Windows can hold, without names of devices' : undefined;
}

export type RootSettings = Pick<StorageSettings, 'root' | 'storageRoots'> &
  Partial<Pick<ExportSettings, 'exportRoots'> & Pick<IngestSettings, 'importRoots'>>;

/** The setting that lists the folders of storages. */
export const storageRootsSetting = 'PORTICO_STORAGE_ROOTS';

/** The folders below which file storages may lie. */
export interface Roots {
  readonly folders: readonly string[];
  /** The settings that list them, as refusals name them. Absent: that of storages. */
  readonly says?: string;
  /** Made when it is first used. Folders that the operator lists are never made: a disk may only be missing. */
  readonly own?: string;
}

export function rootsOf({ root, storageRoots }: RootSettings): Roots {
  if (storageRoots.length > 0) return { folders: storageRoots.map((folder) => resolve(folder)) };
  const own = resolve(join(root, 'media'));
  return { folders: [own], own };
}

/** Imports read also below folders of their own. */
export function rootsFor(use: StorageUse, settings: RootSettings): Roots {
  const roots = rootsOf(settings);
  if (use !== 'import') return roots;
  const { importRoots = [] } = settings;
  const folders = [...importRoots.map((folder) => resolve(folder)), ...roots.folders];
  return { ...roots, folders, says: `PORTICO_IMPORT_ROOTS or ${storageRootsSetting}` };
}

export const isBelow = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);

/** The folder of an address, or a sentence about what is wrong with it. */
export function folderOfUri(uri: string): { readonly folder: string } | { readonly defect: string } {
  const path = /^file:(?:\/\/)?(\/(?!\/).*)$/i.exec(uri)?.[1];
  // Masked, because a file address may contain a password by mistake.
  const masked = shownPath(uri.replace(/\/\/[^/]*@/, '//***@'));
  const defect = `Expected an address such as file:///srv/media/: "${masked}"`;
  if (path === undefined || /[?#]/.test(path)) return { defect };
  try {
    // Before a URL hides what is not canonical.
    const inner = path.replace(/^\//, '').replace(/\/$/, '');
    if (inner !== '') for (const part of inner.split('/')) checkPart(decodeURIComponent(part));
    return { folder: resolve(fileURLToPath(`file://${path}`)) };
  } catch {
    return { defect };
  }
}

function checkPart(part: string): void {
  if (/[\\/]/.test(part)) throw new Error('Expected no separator in a part');
  // A drive such as C: is no name, and no way out.
  if (!/^[a-z]:$/i.test(part)) partsOf(part);
}

/** Defect in the address of a file storage. Undefined: none. */
export function addressDefect(uri: string): string | undefined {
  const place = folderOfUri(uri);
  return 'defect' in place ? place.defect : undefined;
}

/** Reason why a folder is not allowed. Links are resolved when the folder is used, not here. */
export function closedOf(uri: string, { folders, says = storageRootsSetting }: Roots): string | undefined {
  const place = folderOfUri(uri);
  if ('defect' in place || folders.some((root) => isBelow(root, place.folder))) return undefined;
  return `Expected a folder below those of the setting ${says}: "${shownPath(uri)}"`;
}

/** Folder for exports: the nearest allowed root, and the path below it. */
export function exportFolder(
  uri: string,
  { folders, own }: Roots,
  { exportRoots = [] }: Pick<RootSettings, 'exportRoots'>,
): { readonly roots: Roots; readonly root: string; readonly path: string } | { readonly defect: string } {
  const place = folderOfUri(uri);
  if ('defect' in place) return place;
  const all = [...folders, ...exportRoots.map((folder) => resolve(folder))];
  const [root] = all.filter((each) => isBelow(each, place.folder)).sort((a, b) => b.length - a.length);
  if (root === undefined) {
    return { defect: 'Expected an address below a folder of PORTICO_EXPORT_ROOTS or PORTICO_STORAGE_ROOTS' };
  }
  const parts = relative(root, place.folder).split(sep);
  const path = parts[0] === '' ? '' : `${parts.join('/')}/`;
  return { roots: { folders: [root], ...(root === own && { own }) }, root, path };
}
