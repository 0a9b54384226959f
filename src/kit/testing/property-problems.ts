import type { PropertyType } from '../../spi/index.ts';
import { errorSentence, showValue } from './result.ts';

/** Defect of a property: the expectation and the actual value. */
export type Problem = readonly [expected: string, found: string];

interface Problems {
  /** Defect of the description. */
  readonly shape: Problem | undefined;
  /** Defect of the default. */
  readonly fallback: Problem | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

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

export function propertyProblems(given: unknown): Problems {
  if (!isObject(given)) return { shape: ['an object with type and says', showValue(given)], fallback: undefined };
  const { type, says, required, fallback, check } = given;
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
