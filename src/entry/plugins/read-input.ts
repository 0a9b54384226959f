import { resolve } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import type { Finding } from '../../security/ini/findings.ts';
import type { DirectReference } from '../../security/ini/registry.ts';
import type { SecurityInput } from '../../security/ini/security-parts.ts';
import type { Plugin } from '../../spi/index.ts';
import { findIni, readIniFile } from './find-ini.ts';
import { type LoadedUnit, type TimeLimit, unitLoader } from './load-unit.ts';
import { Defect, pluginFinding } from './plugin-finding.ts';
import { findReferences } from './references.ts';
import { findUnits, pluginFolders, type Unit } from './units.ts';

interface LoadedPlugin {
  readonly plugin: Plugin;
  readonly unit: Unit;
}

interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  readonly findings: readonly Finding[];
}

/** Loads all plugins of the ext folders. A failing plugin gives a finding, and does not affect the others. */
async function loadPlugins(
  settings: Pick<Settings, 'root' | 'pluginFolders'>,
  load = unitLoader(),
): Promise<LoadedPlugins> {
  const { units, findings: ofFolders } = await findUnits(settings);
  const findings = [...ofFolders];
  const loaded: LoadedUnit[] = [];
  // Loaded in sequence, so that side effects on the process can be attributed.
  for (const unit of units) loaded.push(await load(unit));
  const byName = new Map<string, LoadedPlugin>();
  for (const each of loaded) {
    const { unit, outcome } = each;
    if ('defect' in outcome) {
      if (!isPartOfAnother(each, loaded)) findings.push(pluginFinding(unit.file, outcome.defect));
      continue;
    }
    const { plugin } = outcome;
    const holder = byName.get(plugin.name);
    if (holder) findings.push(pluginFinding(unit.file, nameTaken(plugin.name, holder)));
    else byName.set(plugin.name, { plugin, unit });
  }
  return { plugins: [...byName.values()], findings };
}

/** A module without a plugin that another one imports is not meant to be one. */
function isPartOfAnother({ unit, outcome }: LoadedUnit, all: readonly LoadedUnit[]): boolean {
  if (!('defect' in outcome) || outcome.defect.code !== 'plugin-export') return false;
  return all.some((other) => other.unit !== unit && other.files.includes(unit.entry));
}

const nameTaken = (name: string, { unit }: LoadedPlugin): Defect =>
  new Defect('plugin-name-taken', `Expected a unique plugin name: ${unit.file} already has "${name}"`);

export type SecuritySettings = Pick<Settings, 'root' | 'pluginFolders'>;

interface ReadOptions extends TimeLimit {
  /** File that replaces the instance's own. */
  readonly file?: string;
}

export interface GatheredSecurity {
  readonly input: SecurityInput;
  /** Sources of the plugins and of the referenced components. */
  readonly plugins: readonly LoadedPlugin[];
  readonly references: readonly { readonly reference: DirectReference; readonly unit: Unit }[];
}

/** security.ini and the plugins of an instance, as they are now. Never throws: whatever is wrong is a finding. */
export async function readSecurityInput(settings: SecuritySettings, options: ReadOptions = {}): Promise<SecurityInput> {
  return (await gatherSecurity(settings, options)).input;
}

export async function gatherSecurity(
  settings: SecuritySettings,
  { file: given, ...limit }: ReadOptions = {},
): Promise<GatheredSecurity> {
  const load = unitLoader(limit);
  const {
    text,
    file,
    folder,
    findings: ofIni,
  } = given === undefined ? await findIni(settings) : await readIniFile(given);
  const { plugins, findings } = await loadPlugins(settings, load);
  const roots = [settings.root, ...pluginFolders(settings)].map((path) => resolve(path));
  const { found, failed } = await findReferences(text, folder, roots);
  const references: { reference: DirectReference; unit: Unit }[] = [];
  const sentences = new Map([...failed].map(([name, defect]) => [name, defect.message]));
  const harm: Finding[] = [];
  for (const { text: name, component, unit } of found) {
    const { outcome } = await load(unit);
    if ('plugin' in outcome) references.push({ reference: { text: name, plugin: outcome.plugin, component }, unit });
    else {
      const finding = pluginFinding(unit.file, outcome.defect);
      sentences.set(name, `${finding.file}:${finding.line}:${finding.column}: ${finding.message}`);
      if (finding.severity === 'error' && !findings.some((each) => each.file === unit.file)) harm.push(finding);
    }
  }
  const input: SecurityInput = {
    text,
    file,
    plugins: plugins.map(({ plugin }) => plugin),
    direct: { loaded: references.map(({ reference }) => reference), failed: sentences },
    findings: [...ofIni, ...findings, ...harm],
  };
  return { input, plugins, references };
}
