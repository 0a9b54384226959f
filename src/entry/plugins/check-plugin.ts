import { isRecord } from '../../core/lib/is-record.ts';
import { nearest } from '../../core/lib/nearest.ts';
import { sentenceOf } from '../../core/lib/sentence.ts';
import { componentKinds } from '../../security/ini/component-kinds.ts';
import type { Component, ComponentKind, Plugin } from '../../spi/index.ts';
import { checkProberProperties, checkProperties } from './check-properties.ts';
import { Defect } from './plugin-finding.ts';
import { shownValue } from './shown.ts';

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
