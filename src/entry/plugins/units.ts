import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import { sentenceOf } from '../../lib/sentence.ts';
import type { Finding } from '../../security-ini/finding.ts';
import { codeOf } from '../../store/faults.ts';
import { type Conditions, hostConditions, packageEntry } from './package-entry.ts';
import { Defect, pluginFinding } from './plugin-finding.ts';

/** One plugin as it lies on the disk: a module, or a folder that is a package. */
export interface Unit {
  /** As findings name it. */
  readonly file: string;
  /** The module to import, without links. */
  readonly entry: string;
  /** Of a package: all that is in it belongs to it. */
  readonly folder?: string;
  /** Of a package: the module of it that was asked for. */
  readonly subpath?: string;
}

type Where = Pick<Settings, 'root' | 'pluginFolders'>;

/** The ext folders: those of the instance root need not be there. */
export function pluginFolders({ root, pluginFolders: more }: Where): readonly string[] {
  return [join(root, 'plugins'), join(root, 'lib', 'ext'), ...more];
}

/** All units of the ext folders, in the order of the folders and then of names, on any machine the same. */
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
        findings.push(pluginFinding(path, defectOf(error)));
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
    if (mustBe || codeOf(error) !== 'ENOENT') {
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
export const isModule = (name: string): boolean => moduleName.test(name) && !besideModules.test(name);

async function unitAt(path: string, name: string): Promise<Unit | undefined> {
  if (isHidden(name)) return undefined;
  const found = await stat(path).catch((error) => {
    // What goes away while we look was not installed. A link to nowhere was meant to be.
    throw new Defect('plugin-unreadable', `Expected a file that can be read: ${sentenceOf(error)}`);
  });
  if (found.isDirectory()) return packageUnit(path, path);
  return isModule(name) ? { file: path, entry: await realpath(path) } : undefined;
}

/** Undefined: the folder is no package. */
export async function packageUnit(
  path: string,
  file: string,
  subpath = '.',
  conditions: Conditions = hostConditions,
): Promise<Unit | undefined> {
  const folder = await realpath(path);
  const entry = await packageEntry(folder, conditions, subpath);
  return entry === undefined ? undefined : { file, entry: await realpath(entry), folder, subpath };
}

export const defectOf = (error: unknown): Defect =>
  error instanceof Defect
    ? error
    : new Defect('plugin-unreadable', `Expected a plugin that can be read: ${sentenceOf(error)}`);
