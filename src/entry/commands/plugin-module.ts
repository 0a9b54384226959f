import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import type { PluginExamples, PluginModule } from '../../kit/testing/index.ts';
import type { Plugin } from '../../spi/index.ts';
import { copySources } from '../plugins/copy.ts';
import { importDefect } from '../plugins/import-defect.ts';
import { importModule } from '../plugins/import-module.ts';
import type { DefectPosition } from '../plugins/plugin-finding.ts';
import { sourcesOf } from '../plugins/sources.ts';
import { packageUnit, type Unit } from '../plugins/units.ts';
import { CommandError } from './command.ts';

/** The module of a plugin with its examples, imported as the service would: from a copy that says how it is read. */
export async function loadPluginModule(path: string): Promise<PluginModule> {
  const unit = await unitOf(path);
  const module = await imported(unit);
  // Former CommonJS modules have their exports in `default`.
  const inner = isObject(module['default']) && !('contract' in module['default']) ? module['default'] : module;
  const { default: plugin, examples } = 'default' in inner ? inner : module;
  if (plugin === undefined) throw new CommandError(`Expected a default export in ${path}, the plugin: none`);
  if (examples !== undefined && !Array.isArray(examples)) {
    throw new CommandError(`Expected a list as examples in ${path}: something else`);
  }
  return { default: plugin as Plugin, ...(examples ? { examples: examples as PluginExamples } : {}) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function unitOf(given: string): Promise<Unit> {
  const path = resolve(given);
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw new CommandError(`Expected the file or the folder of a plugin: "${given}" is not there`);
  if (!stats.isDirectory()) return { file: given, entry: await realpath(path) };
  const unit = await packageUnit(path, given);
  if (!unit)
    throw new CommandError(`Expected a package, or the file of a plugin: "${given}" is a folder without an entry`);
  return unit;
}

async function imported(unit: Unit): Promise<Readonly<Record<string, unknown>>> {
  const sources = await sourcesOf(unit);
  const base = (await copySources(sources, 'test')) ?? sources.base;
  const typescript = [...sources.files.keys()].some((name) => /\.m?ts$/.test(name));
  try {
    return (await importModule(join(base, relative(sources.base, unit.entry)), typescript)) as Record<string, unknown>;
  } catch (error) {
    const { message, place } = await importDefect(error, sources, base);
    throw new CommandError(place.file === undefined ? message : `${positionText(place)}: ${message}`);
  }
}

const positionText = ({ file, line, column }: DefectPosition): string =>
  [relative(process.cwd(), file!) || file, line, column].filter((part) => part !== undefined).join(':');
