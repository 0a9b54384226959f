import type { Settings } from '../../composition/settings.ts';
import type { Finding } from '../../security/ini/finding.ts';
import type { Plugin } from '../../spi/index.ts';
import { type LoadedUnit, unitLoader } from './load-unit.ts';
import { Defect, pluginFinding } from './plugin-finding.ts';
import { findUnits, type Unit } from './units.ts';

export interface LoadedPlugin {
  readonly plugin: Plugin;
  readonly unit: Unit;
}

interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  readonly findings: readonly Finding[];
}

/** Loads all plugins of the ext folders. A failing plugin gives a finding, and does not affect the others. */
export async function loadPlugins(
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
