import { isRecord } from '../../core/lib/checks.ts';
import { nearest, sentenceOf } from '../../core/lib/messages.ts';
import { componentKinds, isComponentKind } from '../../security/ini/registry.ts';
import type { Component, ComponentKind, Plugin, Property, PropertyTable, PropertyType } from '../../spi/index.ts';
import { Defect } from './plugin-finding.ts';

/** A value as a finding names it: short texts and numbers themselves, everything else by what it is. */
function shownValue(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const words: Readonly<Record<Extract<PropertyType, string>, true>> = {
  string: true,
  secret: true,
  boolean: true,
  integer: true,
  duration: true,
  url: true,
  list: true,
  map: true,
};
/** Deeper than any file would be written; a table that contains itself ends here. */
const maxDepth = 8;

/** A table of properties as plain objects. The reader of security.ini relies on these types. */
function checkProperties(given: unknown, where: string, depth = 0): PropertyTable {
  if (!isRecord(given)) throw bad(`Expected a table of properties in ${where}: ${shownValue(given)}`);
  if (depth > maxDepth) throw bad(`Expected at most ${maxDepth} levels of properties in ${where}: more`);
  return Object.fromEntries(
    Object.entries(given).map(([name, property]) => [
      name,
      propertyOf(property, `${where}.${name.slice(0, 80)}`, depth),
    ]),
  );
}

function propertyOf(given: unknown, where: string, depth: number): Property {
  if (!isRecord(given)) throw bad(`Expected a property in ${where}: ${shownValue(given)}`);
  const { type, says, required, check } = given;
  if (says !== undefined && typeof says !== 'string')
    throw bad(`Expected a sentence as "says" in ${where}: ${shownValue(says)}`);
  if (required !== undefined && typeof required !== 'boolean') {
    throw bad(`Expected true or false as "required" in ${where}: ${shownValue(required)}`);
  }
  if (check !== undefined && typeof check !== 'function')
    throw bad(`Expected a method check in ${where}: ${shownValue(check)}`);
  return {
    type: typeOf(type, where, depth),
    says: says ?? '',
    ...(required === undefined ? {} : { required }),
    ...('fallback' in given ? { fallback: given['fallback'] } : {}),
    ...(check === undefined ? {} : { check: (value: unknown) => check.call(given, value) as string | undefined }),
  };
}

function typeOf(type: unknown, where: string, depth: number): PropertyType {
  if (typeof type === 'string' && Object.hasOwn(words, type)) return type as PropertyType;
  if (isRecord(type)) {
    const { reference, references, choice, nested } = type;
    if (isComponentKind(reference)) return { reference };
    if (isComponentKind(references)) return { references };
    if (Array.isArray(choice) && choice.every((word) => typeof word === 'string')) return { choice: [...choice] };
    if (nested !== undefined) return { nested: checkProperties(nested, where, depth + 1) };
  }
  const expected = [...Object.keys(words), '{ reference }', '{ references }', '{ choice }', '{ nested }'].join(', ');
  throw bad(`Expected a type of ${where}, one of ${expected}: ${shownValue(type)}`);
}

const plainTypes: readonly PropertyType[] = ['string', 'boolean', 'integer', 'duration', 'url', 'list'];

/** A media process makes probers once more: their properties are sent there, and secrets never. */
function checkProberProperties(properties: PropertyTable, where: string): void {
  for (const [name, { type }] of Object.entries(properties)) {
    if (plainTypes.includes(type) || Object.hasOwn(Object(type), 'choice')) continue;
    const expected = [...plainTypes, '{ choice }'].join(', ');
    throw bad(`Expected a type of ${where}.${name.slice(0, 80)}, one of ${expected} for a prober: ${shownValue(type)}`);
  }
}

const bad = (message: string): Defect => new Defect('plugin-component', message);

const contract = 1;

/**
 * The plugin of a module, or the one defect that it has. What it gives is a copy of plain objects: nothing that
 * answers differently when it is looked at again gets any further.
 */
export function readPlugin(module: unknown): Plugin {
  try {
    return plain(exported(module as Record<string, unknown>));
  } catch (error) {
    if (error instanceof Defect) throw error;
    throw new Defect(
      'plugin-object',
      `Expected a plugin of plain objects: looking at it throws "${sentenceOf(error)}"`,
    );
  }
}

function exported(module: Record<string, unknown>): Record<string, unknown> {
  if (!('default' in module)) {
    const others = Object.keys(module);
    const actual = others.length === 0 ? 'none' : `only ${others.slice(0, 5).join(', ')}`;
    throw new Defect('plugin-export', `Expected a default export, the plugin: ${actual}`);
  }
  const { default: value } = module;
  // Former CommonJS modules have their own default in `default`.
  const inner = isRecord(value) && !('contract' in value) && isRecord(value['default']) ? value['default'] : value;
  if (!isRecord(inner)) throw new Defect('plugin-object', `Expected an object as default export: ${shownValue(inner)}`);
  return inner;
}

function plain(given: Record<string, unknown>): Plugin {
  const { name, version, contract: written } = given;
  if (written !== contract) {
    const actual =
      written === undefined ? 'the plugin names none' : `the plugin is written against ${shownValue(written)}`;
    throw new Defect('plugin-contract', `Expected contract ${contract}, which this version has: ${actual}`);
  }
  if (typeof name !== 'string' || !/^\S{1,100}$/.test(name)) {
    throw new Defect('plugin-name', `Expected a name, a text without blanks: ${shownValue(name)}`);
  }
  if (name === 'portico') {
    throw new Defect('plugin-name', 'Expected another name: "portico" is reserved for the service');
  }
  if (typeof version !== 'string' || version.trim() === '') {
    throw new Defect('plugin-version', `Expected a version, a text that is not empty: ${shownValue(version)}`);
  }
  const copies = new Map<object, Component<unknown>>();
  const brought = componentKinds.flatMap((kind) => {
    const components = componentsOf(given[kind], kind, copies);
    return components && Object.keys(components).length > 0 ? [[kind, components] as const] : [];
  });
  if (brought.length === 0) throw nothingBrought(given);
  return { name, version, contract, ...Object.fromEntries(brought) };
}

function nothingBrought(given: Record<string, unknown>): Defect {
  const others = Object.keys(given).filter((key) => !['name', 'version', 'contract', ...componentKinds].includes(key));
  const near = others.map((key) => nearest(key, componentKinds)).find((key) => key !== undefined);
  const actual = others.length === 0 ? 'none' : `only ${others.slice(0, 5).join(', ')}`;
  const hint = near === undefined ? '' : `, which is called "${near}"`;
  return new Defect(
    'plugin-empty',
    `Expected at least one component in ${componentKinds.join(', ')}: ${actual}${hint}`,
  );
}

function componentsOf(
  given: unknown,
  kind: ComponentKind,
  copies: Map<object, Component<unknown>>,
): Readonly<Record<string, Component<unknown>>> | undefined {
  if (given === undefined) return undefined;
  if (!isRecord(given))
    throw new Defect('plugin-component', `Expected an object of components in ${kind}: ${shownValue(given)}`);
  const entries = Object.entries(given).map(([className, component]) => {
    const where = `${kind}["${className.slice(0, 80)}"]`;
    if (!isRecord(component))
      throw new Defect('plugin-component', `Expected a component in ${where}: ${shownValue(component)}`);
    // An object with two names stays one object: the registry compares by identity.
    const copy = copies.get(component) ?? componentOf(component, where);
    if (kind === 'probers') checkProberProperties(copy.properties ?? {}, where);
    copies.set(component, copy);
    return [className, copy] as const;
  });
  return Object.fromEntries(entries);
}

function componentOf(given: Record<string, unknown>, where: string): Component<unknown> {
  const { says, properties, create } = given;
  if (typeof create !== 'function') {
    throw new Defect('plugin-component', `Expected a method create in ${where}: ${shownValue(create)}`);
  }
  if (says !== undefined && typeof says !== 'string') {
    throw new Defect('plugin-component', `Expected a sentence as "says" in ${where}: ${shownValue(says)}`);
  }
  return {
    says: says ?? '',
    ...(properties === undefined ? {} : { properties: checkProperties(properties, where) }),
    create: (values, host) => create.call(given, values, host),
  };
}

/** Location of a plugin's prober, so that a media process can load it. */
export interface ProberModule {
  readonly path: string;
  /** Folder with all files of the plugin. */
  readonly folder: string;
  readonly isTypeScript: boolean;
  /** Class name among the plugin's probers. */
  readonly className: string;
}

const moduleByProber = new WeakMap<object, ProberModule>();

/** Remembers the module that a component was loaded from. */
export function rememberProbers({ probers = {} }: Plugin, module: Omit<ProberModule, 'className'>): void {
  for (const [className, component] of Object.entries(probers)) {
    if (!moduleByProber.has(component)) moduleByProber.set(component, { ...module, className });
  }
}

export const proberModule = (component: object): ProberModule | undefined => moduleByProber.get(component);
