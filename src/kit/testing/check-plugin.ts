import { isRecord } from '../../core/lib/is-record.ts';
import { nearest } from '../../core/lib/nearest.ts';
import { componentKinds } from '../../security/ini/component-kinds.ts';
import type { Plugin } from '../../spi/index.ts';
import { type Problem, propertyProblems } from './property-problems.ts';
import { broken, type CheckResult, inspect, showValue } from './result.ts';

type Loose = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** All components of a plugin by kind and class name, whatever their defects. */
function componentsOf(plugin: Loose): readonly (readonly [className: string, component: unknown])[] {
  return componentKinds.flatMap((kind) => (isRecord(plugin[kind]) ? Object.entries(plugin[kind]) : []));
}

/** The shape of a plugin: what can be told without making anything. */
export function checkPlugin(given: Plugin): Promise<CheckResult[]> {
  const plugin: Loose = isRecord(given) ? given : {};
  return inspect({
    'is one plain object with a name and a version'() {
      if (!isRecord(given)) broken('an object as default export', showValue(given));
      for (const key of ['name', 'version'])
        if (!isText(plugin[key])) broken(`a text as ${key}`, showValue(plugin[key]));
    },

    'is written against version 1 of the contract'() {
      if (plugin['contract'] !== 1) broken('contract: 1', showValue(plugin['contract']));
    },

    'brings components of known kinds only'() {
      const keys = ['name', 'version', 'contract', ...componentKinds];
      for (const key of Object.keys(plugin)) {
        if (keys.includes(key)) continue;
        const near = nearest(key, keys);
        broken(`one of ${componentKinds.join(', ')}`, `"${key}"${near ? ` (did you mean "${near}"?)` : ''}`);
      }
      for (const kind of componentKinds) {
        const table = plugin[kind];
        if (table !== undefined && !isRecord(table)) broken(`an object as ${kind}`, showValue(table));
      }
      if (componentsOf(plugin).length === 0) broken('at least one component', 'none');
    },

    'has class names that security.ini can write'() {
      for (const [name] of componentsOf(plugin)) {
        if (name === '' || name === 'null' || /[\s$"]/.test(name))
          broken('a class name without blanks, quotes and dollar signs', showValue(name));
      }
    },

    'has components that say what they do and can be made'() {
      for (const [name, component] of componentsOf(plugin)) {
        if (!isRecord(component)) return broken(`an object as ${name}`, showValue(component));
        if (!isText(component['says'])) broken(`a sentence as "says" of ${name}`, showValue(component['says']));
        if (typeof component['create'] !== 'function')
          broken(`a function "create" of ${name}`, showValue(component['create']));
      }
    },

    'has properties of known types, each with a sentence'() {
      each(plugin, ({ shape }) => shape);
    },

    'has defaults that fit their properties'() {
      each(plugin, ({ fallback }) => fallback);
    },
  });
}

function each(plugin: Loose, select: (problems: ReturnType<typeof propertyProblems>) => Problem | undefined): void {
  for (const [name, component] of componentsOf(plugin)) {
    const table = isRecord(component) ? (component['properties'] ?? {}) : {};
    if (!isRecord(table)) broken(`an object as properties of ${name}`, showValue(table));
    for (const [property, described] of Object.entries(table)) {
      const [expected, found] = select(propertyProblems(described)) ?? [];
      if (expected !== undefined) broken(`${name}.${property} to be ${expected}`, String(found));
    }
  }
}
