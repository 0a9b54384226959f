import type { ComponentKind, Components, Plugin } from '../../spi/index.ts';
import type { Finding } from './findings.ts';
import { builtIns, originalFilters } from './objects/builtins.ts';
import { type ClassEntry, propertyTable } from './objects/types.ts';

// A table, so that the compiler asks for a kind that the contract gains.
const kinds: Readonly<Record<ComponentKind, true>> = {
  realms: true,
  filters: true,
  logins: true,
  listeners: true,
  userInfoProviders: true,
  matchers: true,
  actions: true,
  storages: true,
  searchEngines: true,
  probers: true,
  transcoders: true,
};

/** Kinds of components in plugins, in the order of their check. */
export const componentKinds = Object.keys(kinds) as readonly ComponentKind[];

export const isComponentKind = (value: unknown): value is ComponentKind =>
  typeof value === 'string' && Object.hasOwn(kinds, value);

/** Class names for `[main]`. */
export interface Registry {
  find(className: string): ClassEntry | undefined;
  names(): Iterable<string>;
  /** Why the loader could not bring what a file or package reference names. */
  why(className: string): string | undefined;
  /** Filters that exist without being declared: name and class. */
  readonly defaultFilters: ReadonlyMap<string, string>;
}

/** Component named by its file or package: `class = file:./realm.ts#Name`. */
export interface DirectReference {
  /** Reference as written in the file. */
  readonly text: string;
  readonly plugin: Plugin;
  /** Class name of the component in the plugin. Undefined: the plugin must have exactly one. */
  readonly component?: string | undefined;
}

export interface RegistryOptions {
  readonly loaded?: readonly DirectReference[];
  /** By the text of the reference: a sentence. */
  readonly failed?: ReadonlyMap<string, string>;
  /** Filters that exist without being declared; without this, those of the original under its class names. */
  readonly defaultFilters?: Readonly<Record<string, string>>;
}

/** The class names of the plugins, in their order: a name that is taken stays with the first, and is a finding. */
export function registryOf(
  plugins: readonly Plugin[],
  { loaded = [], failed = new Map(), defaultFilters }: RegistryOptions = {},
): { readonly registry: Registry; readonly findings: readonly Finding[] } {
  const classes = new Map<string, ClassEntry>(builtIns.map((entry) => [entry.className, entry]));
  const failures = new Map(failed);
  const findings: Finding[] = [];
  for (const plugin of plugins) {
    for (const entry of entriesOf(plugin)) {
      const holder = classes.get(entry.className);
      // The shipped plugins may list one component under the same name twice without harm.
      if (holder && holder.component === entry.component) continue;
      const problem = holder
        ? `Expected a class name that is free: "${entry.className}" is taken by ${holder.plugin}`
        : nameProblem(entry.className);
      if (problem === undefined) classes.set(entry.className, entry);
      else findings.push(pluginFinding(plugin.name, holder ? 'name-taken' : 'class-name', problem));
    }
  }
  for (const reference of loaded) {
    const entry = directEntry(reference);
    if (typeof entry === 'string') failures.set(reference.text, entry);
    // A class name that is known is no file and no package.
    else if (!classes.has(reference.text)) classes.set(reference.text, entry);
  }
  const registry: Registry = {
    find: (className) => classes.get(className),
    names: () => classes.keys(),
    why: (className) => failures.get(className),
    defaultFilters: defaultFilters ? new Map(Object.entries(defaultFilters)) : originalFilters,
  };
  return { registry, findings };
}

const nameProblem = (name: string): string | undefined =>
  name === '' || /[\s$"]/.test(name) || name === 'null'
    ? `Expected a class name without blanks, quotes and dollar signs: "${name.slice(0, 60)}"`
    : undefined;

function* entriesOf(plugin: Plugin): Generator<ClassEntry> {
  for (const kind of componentKinds) {
    const components: Components<unknown> = plugin[kind] ?? {};
    for (const [className, component] of Object.entries(components)) {
      yield { className, kind, component, table: propertyTable(component.properties), plugin: plugin.name };
    }
  }
}

function directEntry({ text, plugin, component }: DirectReference): ClassEntry | string {
  const entries = [...entriesOf(plugin)];
  const names = entries.map((entry) => entry.className).join(', ');
  const fitting = component === undefined ? entries : entries.filter((entry) => entry.className === component);
  if (fitting.length === 1) return { ...fitting[0]!, className: text };
  return component === undefined
    ? `it brings ${entries.length} components, so the reference ends with "#" and one of their names: ${names}`
    : `it brings no component named "${component.slice(0, 60)}", only: ${names}`;
}

/** Not in an INI: the file is the plugin, by its name. */
const pluginFinding = (file: string, code: string, message: string): Finding => ({
  severity: 'error',
  file,
  line: 1,
  column: 1,
  code,
  message,
});
