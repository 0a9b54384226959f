import fc from 'fast-check';
import { placeholderNotificationDocument } from '../../../src/administration/notifications/documents/notification.ts';
import type { Description, Field, Rule, Scalar, Structure } from '../../../src/core/documents/index.ts';
import { catalogue } from '../../support/declared.ts';

/** Every description there is. The cast: a loop over documents of different types can say only that each is one. */
export const descriptions = [...catalogue, placeholderNotificationDocument] as readonly Description[];

const awkward = [
  '',
  ' ',
  ' a ',
  '\t\n\r',
  '\r\n',
  ']]>',
  '&amp;',
  '<a/>',
  '"\'',
  '\u0000',
  '\ufffe',
  '😀',
  '\ud800',
  'true',
  '1',
];

const scalars: Record<Scalar['name'], (scalar: Scalar) => fc.Arbitrary<unknown>> = {
  string: () => fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom(...awkward)),
  integer: () => fc.maxSafeInteger(),
  decimal: () => fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  boolean: () => fc.boolean(),
  dateTime: () => fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
  enumeration: (scalar) => fc.constantFrom(...(scalar.values ?? [])),
};

/** At most so many of the optional elements with elements of their own are in one element: trees grow by a power of it. */
const maxBranches = 3;

/** Values that a description allows, without what is read but never written. */
export function valuesOf(structure: Structure, depth = 3): fc.Arbitrary<Record<string, unknown>> {
  const choices = structure.rules.map(choiceOf);
  const branches = Object.keys(structure.fields).filter((key) => isTree(structure.fields[key]!));
  const kept = fc.subarray(branches, { maxLength: Math.min(maxBranches, branches.length) });
  return fc.tuple(kept, ...choices).chain(([branchesKept, ...chosen]) => {
    const ruled = new Set(structure.rules.flatMap((rule) => rule.keys));
    const wanted = new Set(chosen.flat());
    const model: Record<string, fc.Arbitrary<unknown>> = {};
    const requiredKeys: string[] = [];
    for (const [key, field] of Object.entries(structure.fields)) {
      // Elements of any names are not read back.
      if (field.data.place === 'named' || field.data.direction === 'in' || (ruled.has(key) && !wanted.has(key)))
        continue;
      // In XML an element without text and one with an empty text are the same.
      const isText =
        field.data.place === 'content' && field.data.type.kind === 'scalar' && field.data.type.name === 'string';
      const must = field.data.mandatory || wanted.has(key) || isText;
      if (!must && isTree(field) && (depth <= 0 || !branchesKept.includes(key))) continue;
      model[key] = fieldOf(field, depth - 1);
      if (must) requiredKeys.push(key);
    }
    return fc.record(model, { requiredKeys });
  });
}

function choiceOf({ kind, keys }: Rule): fc.Arbitrary<readonly string[]> {
  if (kind === 'atLeastOne') return fc.subarray([...keys], { minLength: 1 });
  return fc.subarray([...keys], { minLength: kind === 'exactlyOne' ? 1 : 0, maxLength: 1 });
}

function fieldOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  const { data } = field;
  const { type } = data;
  const one =
    type.kind === 'marker'
      ? fc.constant(true)
      : type.kind === 'scalar'
        ? scalars[type.name](type)
        : valuesOf(type.kind === 'lazy' ? type.target() : type, depth);
  if (!data.repeated) return one;
  // A tree with fifteen lists in each of its elements would fill the memory.
  return fc.array(one, { minLength: 1, maxLength: Math.min(isTree(field) && depth < 2 ? 1 : 3, data.max ?? 3) });
}

const isTree = ({ data: { type } }: Field): boolean => type.kind === 'structure' || type.kind === 'lazy';

/** The same value with every text put through a function. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]));
}
