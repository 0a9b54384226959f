import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { type CheckResult, checkModule, type PluginExamples, type PluginModule } from '../../kit/testing/index.ts';
import { openPathLines } from '../../security/ini/objects/blocked-paths.ts';
import { componentKinds } from '../../security/ini/registry.ts';
import type { Plugin } from '../../spi/index.ts';
import { scrypt } from '../crypto.ts';
import { printLine } from '../output.ts';
import { importDefect } from '../plugins/import-defect.ts';
import { importModule } from '../plugins/import-module.ts';
import type { DefectPosition } from '../plugins/plugin-finding.ts';
import { copySources, sourcesOf } from '../plugins/sources.ts';
import { packageUnit, type Unit } from '../plugins/units.ts';
import { type Command, CommandError, type CommandInput } from './command.ts';
import { configOf, furtherCommands } from './new-project.ts';
import type { Template } from './plugin-template.ts';
import { pluginTemplates, templateTest } from './plugin-templates.ts';

/** The module of a plugin with its examples, imported as the service would: from a copy that says how it is read. */
async function loadPluginModule(path: string): Promise<PluginModule> {
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
    const { message, position } = await importDefect(error, sources, base);
    throw new CommandError(position.file === undefined ? message : `${positionText(position)}: ${message}`);
  }
}

const positionText = ({ file, line, column }: DefectPosition): string =>
  [relative(process.cwd(), file!) || file, line, column].filter((part) => part !== undefined).join(':');

export const pluginCommands: readonly (readonly [string, Command])[] = [
  [
    'plugin new',
    {
      usage: `plugin new ${[...pluginTemplates.keys()].join('|')} NAME [--folder DIR]`,
      says: 'Writes a small plugin that works, with its test, and says what to put into security.ini.',
      words: ['KIND', 'NAME'],
      options: ['--folder'],
      about: { '--folder': 'The folder for the files; without it, the current one.' },
      run: writePlugin,
    },
  ],
  [
    'plugin test',
    {
      usage: 'plugin test PATH [--property NAME=VALUE]',
      says: 'Tests a plugin against its contract. --property may be repeated.',
      words: ['PATH'],
      options: ['--property'],
      about: { '--property': 'A property for the component, as security.ini would set it. May be repeated.' },
      run: testPlugin,
    },
  ],
];

async function writePlugin({ words, option, settings }: CommandInput): Promise<void> {
  const [kind, name] = words as [string, string];
  const template = templateOf(kind);
  const names = { name, object: objectName(name, template) };
  const folder = option('--folder').at(-1) ?? '.';
  const [module, test, config] = [`${name}.ts`, `${name}.test.ts`, 'tsconfig.json'].map((file) => join(folder, file));
  const files = [
    [module!, template.module(names)],
    [test!, templateTest(names)],
  ] as const;
  for (const [path] of files)
    if (await exists(path)) throw new CommandError(`Expected no file of that name: "${path}"`);
  await mkdir(folder, { recursive: true });
  // Never over one that came in the meantime.
  for (const [path, text] of files) await writeFile(path, text, { flag: 'wx' });
  printLine(files.map(([path]) => `Wrote ${path}`).join('\n'));
  // Shared by all plugins of the folder. The author may have written it.
  if (await writeUnlessThere(config!, configOf(folder))) printLine(`Wrote ${config}`);
  printLine(`\nTry it: portico plugin test ${module}`);
  for (const line of furtherCommands(folder, test!)) printLine(line);
  printLine('');
  const place = join(settings().root, 'plugins');
  const isThere = resolve(folder) === resolve(place);
  printLine(isThere ? `It is in the folder of plugins, ${place}` : `Put it into the folder of plugins, ${place}`);
  printLine('Put these lines into security.ini, each in the place of one that begins in the same way:\n\n[main]');
  printLine([...openPathLines, ...template.main(names)].join('\n'));
  if (template.urls) printLine(`\n[urls]\n${template.urls(names).join('\n')}`);
}

function templateOf(kind: string): Template {
  const template = pluginTemplates.get(kind);
  if (template) return template;
  throw new CommandError(`Expected one of ${[...pluginTemplates.keys()].join(', ')}: "${kind.slice(0, 80)}"`);
}

/** Objects that every security.ini has, or may have without saying so. */
const taken = new Set(['serviceRealm', 'iniRealm']);

function objectName(name: string, { suffix }: Template): string {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 60) {
    throw new CommandError(`Expected a name of lower-case letters, digits and single hyphens: "${name.slice(0, 80)}"`);
  }
  const camel = name.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase());
  const object = camel.endsWith(suffix) ? camel : `${camel}${suffix}`;
  if (taken.has(object))
    throw new CommandError(`Expected another name, because "${object}" is an object of the service: "${name}"`);
  return object;
}

/** Writes the file atomically: a separate check would race with another command. */
const writeUnlessThere = (path: string, text: string): Promise<boolean> =>
  writeFile(path, text, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function testPlugin({ words, option }: CommandInput): Promise<void> {
  const module = await loadPluginModule(words[0]!);
  const properties = propertiesOf(option('--property'), module.default);
  const stray: unknown[] = [];
  const keep = (error: unknown) => void stray.push(error);
  // A promise that a plugin forgets would end a server.
  process.on('unhandledRejection', keep);
  const results = await checkModule(module, { properties, scrypt });
  // Node tells of them a turn later.
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off('unhandledRejection', keep);
  report([...results, unhandled(stray)]);
}

function unhandled([first]: readonly unknown[]): CheckResult {
  const name = 'the plugin: leaves no rejected promise behind';
  if (first === undefined) return { name, passed: true };
  return {
    name,
    passed: false,
    explanation: `Expected every promise to be waited for: ${String(first).slice(0, 120)}`,
  };
}

function report(results: readonly CheckResult[]): void {
  for (const { name, passed, explanation } of results) {
    printLine(passed ? `ok    ${name}` : `FAIL  ${name}\n      ${explanation}`);
  }
  const broken = results.filter(({ passed }) => !passed).length;
  if (broken > 0) throw new CommandError(`Expected every promise to be kept: ${broken} of ${results.length} broken`);
  printLine(`All ${results.length} promises are kept`);
}

function propertiesOf(texts: readonly string[], plugin: Plugin): Record<string, string> {
  // A malformed plugin has no properties. The test suite for its shape reports the defect.
  const wholePlugin: Partial<Plugin> = Object(plugin);
  const components = componentKinds.flatMap((kind) => Object.values(wholePlugin[kind] ?? {}));
  const properties = new Set(components.flatMap((component) => Object.keys(component?.properties ?? {})));
  const pairs = texts.map((text): [string, string] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandError(`Expected NAME=VALUE after --property: "${text.slice(0, 80)}"`);
    if (properties.has(name.split('.', 1)[0]!)) return [name, value];
    throw new CommandError(
      `Expected a property of a component (${[...properties].join(', ') || 'there are none'}): "${name}"`,
    );
  });
  return Object.fromEntries(pairs);
}
