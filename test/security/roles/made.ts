import { type Description, type Scalar, type Structure, writeJson } from '../../../src/core/documents/index.ts';
import { formList } from '../../../src/http/forms.ts';
import { isDocument } from '../../../src/http/openapi/operation.ts';
import type { Route } from '../../../src/http/route.ts';
import type { Rule } from './rule.ts';

/**
 * The rule of a route whose request follows from what it says of itself. Undefined where something must be there before
 * or cannot be guessed: a part of the path, a required parameter, bytes.
 */
export function madeRule({ method, path, access, query = {}, reads }: Route): Rule | undefined {
  const form = formList(reads).find((each) => each !== 'nothing') ?? 'nothing';
  const guessed = path.includes(':') || Object.values(query).some(({ required }) => required) || form === 'bytes';
  if (guessed) return undefined;
  const body = isDocument(form) ? JSON.parse(leastJson(form)) : form === 'text' ? 'text' : undefined;
  const needs = access.needs.role as Rule['needs'];
  const also = access.needs.also as Rule['also'];
  return { route: `${method} ${path}`, needs, also, request: () => ({ request: `${method} /API${path}`, body }) };
}

/** The document that says as little as its description allows. */
export const leastJson = (description: Description): string => writeJson(description, leastOf(description.structure));

function leastOf({ fields, rules }: Structure): Readonly<Record<string, unknown>> {
  const chosen = rules.flatMap(({ kind, keys }) => (kind === 'atMostOne' ? [] : keys.slice(0, 1)));
  const asked = Object.entries(fields).filter(([key, { data }]) => data.mandatory || chosen.includes(key));
  return Object.fromEntries(
    asked.map(([key, { data }]) => {
      const { type } = data;
      const value =
        type.kind === 'scalar'
          ? scalars[type.name](type)
          : type.kind === 'marker' || leastOf(type.kind === 'lazy' ? type.target() : type);
      return [key, data.repeated ? [value] : value];
    }),
  );
}

const scalars: Readonly<Record<Scalar['name'], (scalar: Scalar) => unknown>> = {
  string: () => 'a',
  integer: () => 1,
  decimal: () => 1.5,
  boolean: () => true,
  dateTime: () => 0,
  enumeration: ({ values = [] }) => values[0],
};
