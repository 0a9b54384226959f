import { isRecord } from '../../core/lib/checks.ts';
import { nearest } from '../../core/lib/messages.ts';
import { componentKinds } from '../../security/ini/registry.ts';
import type { Plugin, PropertyType } from '../../spi/index.ts';
import { broken, type CheckResult, errorSentence, inspect, isTexts, showValue } from './result.ts';

/** Defect of a property: the expectation and the actual value. */
type Problem = readonly [expected: string, found: string];

interface Problems {
  /** Defect of the description. */
  readonly shape: Problem | undefined;
  /** Defect of the default. */
  readonly fallback: Problem | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Expectation for a default, by type. */
const fits: Readonly<Record<Extract<PropertyType, string>, readonly [what: string, (value: unknown) => boolean]>> = {
  string: ['a text', (value) => typeof value === 'string'],
  secret: ['nothing, because a secret that everybody knows is none', () => false],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  integer: ['a whole number', Number.isSafeInteger],
  duration: ['whole milliseconds, 0 or more', (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  url: ['a URL with its scheme', (value) => URL.canParse(String(value))],
  list: ['a list of texts', isTexts],
  map: [
    'a Map or an object of texts',
    (value) => isObject(value) && isTexts(value instanceof Map ? [...value.values()] : Object.values(value)),
  ],
};

const typeNames = [...Object.keys(fits), '{ reference }', '{ references }', '{ choice }', '{ nested }'].join(', ');

function propertyProblems(property: unknown): Problems {
  if (!isObject(property)) return { shape: ['an object with type and says', showValue(property)], fallback: undefined };
  const { type, says, required, fallback, check } = property;
  return {
    shape: shapeProblem(type, says, required, check),
    fallback: fallbackProblem(type, required, fallback, check),
  };
}

function shapeProblem(type: unknown, says: unknown, required: unknown, check: unknown): Problem | undefined {
  if (!isType(type)) return [`of one of the types ${typeNames}`, showValue(type)];
  if (typeof says !== 'string' || says.trim() === '') return ['described by a sentence (says)', showValue(says)];
  if (required !== undefined && typeof required !== 'boolean')
    return ['required or not, true or false', showValue(required)];
  if (check !== undefined && typeof check !== 'function') return ['checked by a function', showValue(check)];
  if (isObject(type) && 'nested' in type) {
    for (const [name, inner] of Object.entries(type['nested'] as object)) {
      const { shape, fallback } = propertyProblems(inner);
      const [expected, actual] = shape ?? fallback ?? [];
      if (expected && actual) return [`such that ${name} is ${expected}`, actual];
    }
  }
  return undefined;
}

function isType(type: unknown): boolean {
  if (typeof type === 'string') return Object.hasOwn(fits, type);
  if (!isObject(type) || Object.keys(type).length !== 1) return false;
  const { reference, references, choice, nested } = type;
  if (choice !== undefined) return isTexts(choice) && (choice as string[]).length > 0;
  return nested === undefined ? typeof (reference ?? references) === 'string' : isObject(nested);
}

function fallbackProblem(type: unknown, required: unknown, fallback: unknown, check: unknown): Problem | undefined {
  if (fallback === undefined) return undefined;
  if (required === true) return ['either required or with a default', 'both'];
  const [what, allows] = rulesOf(type);
  if (!allows(fallback)) return [`by default ${what}`, showValue(fallback)];
  if (typeof check !== 'function') return undefined;
  try {
    const complaint: unknown = check(fallback);
    return complaint === undefined ? undefined : ['by default what its own check allows', showValue(complaint)];
  } catch (error) {
    return ['by default what its own check allows', `it threw ${errorSentence(error)}`];
  }
}

function rulesOf(type: unknown): readonly [string, (value: unknown) => boolean] {
  if (typeof type === 'string' && Object.hasOwn(fits, type)) return fits[type as keyof typeof fits];
  if (isObject(type) && isTexts(type['choice'])) {
    const words = type['choice'] as readonly string[];
    return [`one of ${words.join(', ')}`, (value) => words.includes(value as string)];
  }
  return ['nothing, because objects are named in security.ini', () => false];
}

type Loose = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** All components of a plugin by kind and class name, whatever their defects. */
function componentsOf(plugin: Loose): readonly (readonly [className: string, component: unknown])[] {
  return componentKinds.flatMap((kind) => (isRecord(plugin[kind]) ? Object.entries(plugin[kind]) : []));
}

/** The shape of a plugin: what can be told without making anything. */
export function checkPlugin(candidate: Plugin): Promise<CheckResult[]> {
  const plugin: Loose = isRecord(candidate) ? candidate : {};
  return inspect({
    'is one plain object with a name and a version'() {
      if (!isRecord(candidate)) broken('an object as default export', showValue(candidate));
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
      const [expected, actual] = select(propertyProblems(described)) ?? [];
      if (expected !== undefined) broken(`${name}.${property} to be ${expected}`, String(actual));
    }
  }
}
