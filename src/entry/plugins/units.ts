import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import { sentenceOf } from '../../core/lib/messages.ts';
import { databaseCode } from '../../core/store/faults.ts';
import type { Finding } from '../../security/ini/findings.ts';
import { type ExportConditions, hostConditions, packageEntry } from './package-entry.ts';
import { Defect, pluginFinding } from './plugin-finding.ts';

/** A plugin on disk: a module, or a folder with a package. */
export interface Unit {
  /** Path for findings. */
  readonly file: string;
  /** Real path of the module to import. */
  readonly entry: string;
  /** Folder of a package. All files in it belong to the plugin. */
  readonly folder?: string;
  /** Requested module of a package. */
  readonly subpath?: string;
}

type Where = Pick<Settings, 'root' | 'pluginFolders'>;

/** Plugin folders. Those of the instance root are optional. */
export function pluginFolders({ root, pluginFolders: more }: Where): readonly string[] {
  return [join(root, 'plugins'), join(root, 'lib', 'ext'), ...more];
}

/** All units of the ext folders, in the order of the folders and then of names, equal on every machine. */
export async function findUnits(settings: Where): Promise<{ units: readonly Unit[]; findings: readonly Finding[] }> {
  const units = new Map<string, Unit>();
  const findings: Finding[] = [];
  for (const folder of pluginFolders(settings)) {
    for (const name of await namesIn(folder, settings.pluginFolders.includes(folder), findings)) {
      const path = join(folder, name);
      try {
        const unit = await unitAt(path, name);
        if (unit && !units.has(unit.entry)) units.set(unit.entry, unit);
      } catch (error) {
        findings.push(pluginFinding(path, unitDefect(error)));
      }
    }
  }
  return { units: [...units.values()], findings };
}

async function namesIn(folder: string, mustBe: boolean, findings: Finding[]): Promise<readonly string[]> {
  try {
    // By code units: the order of a locale would differ from machine to machine.
    return (await readdir(folder)).sort();
  } catch (error) {
    if (mustBe || databaseCode(error) !== 'ENOENT') {
      const message = `Expected a folder with plugins that can be read: ${sentenceOf(error)}`;
      findings.push(pluginFinding(folder, new Defect('plugin-folder', message)));
    }
    return [];
  }
}

/** Tests and type declarations stand beside a plugin without being one. */
const moduleName = /\.m?[jt]s$/;
const besideModules = /\.d\.m?ts$|\.(?:test|spec|config)\.m?[jt]s$/;
export const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
const isModule = (name: string): boolean => moduleName.test(name) && !besideModules.test(name);

async function unitAt(path: string, name: string): Promise<Unit | undefined> {
  if (isHidden(name)) return undefined;
  const stats = await stat(path).catch((error) => {
    // A file that disappears meanwhile was not installed. A broken link is a defect.
    throw new Defect('plugin-unreadable', `Expected a file that can be read: ${sentenceOf(error)}`);
  });
  if (stats.isDirectory()) return packageUnit(path, path);
  return isModule(name) ? { file: path, entry: await realpath(path) } : undefined;
}

/** Unit of a package folder. Undefined: the folder is no package. */
export async function packageUnit(
  path: string,
  file: string,
  subpath = '.',
  conditions: ExportConditions = hostConditions,
): Promise<Unit | undefined> {
  const folder = await realpath(path);
  const entry = await packageEntry(folder, conditions, subpath);
  return entry === undefined ? undefined : { file, entry: await realpath(entry), folder, subpath };
}

export const unitDefect = (error: unknown): Defect =>
  error instanceof Defect
    ? error
    : new Defect('plugin-unreadable', `Expected a plugin that can be read: ${sentenceOf(error)}`);
