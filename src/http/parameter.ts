import { parseDateTime } from '../documents/index.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Parameters } from '../security/parameters.ts';

/** Typed reading of parameters. An empty value counts as absent, as clients send `?first=` for no wish. */

export function integerParameter(parameters: Parameters, name: string, least: number): number | undefined {
  const text = present(parameters, name);
  if (text === undefined) return undefined;
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw badParameter(name, `Expected a whole number of at least ${least}`, text);
}

/** How many of a list: no more than `most`, whatever is asked for. */
export const limitParameter = (parameters: Parameters, name: string, least: number, most: number, usual = most) =>
  Math.min(integerParameter(parameters, name, least) ?? usual, most);

/** Which part of a list: `first` counts from 1, and no page is larger than the setting. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export function pageParameters(parameters: Parameters, maxPage: number, usual = maxPage): Page {
  return {
    offset: (integerParameter(parameters, 'first', 1) ?? 1) - 1,
    limit: limitParameter(parameters, 'number', 0, maxPage, usual),
  };
}

/** A map: an object would also know `constructor`. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function booleanParameter(parameters: Parameters, name: string): boolean | undefined {
  const text = present(parameters, name);
  if (text === undefined) return undefined;
  const value = booleans.get(text.toLowerCase());
  if (value !== undefined) return value;
  throw badParameter(name, 'Expected "true" or "false"', text);
}

export function choiceParameter<T extends string>(
  parameters: Parameters,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = present(parameters, name);
  if (text === undefined) return undefined;
  const value = choices.find((choice) => choice === text.toLowerCase());
  if (value !== undefined) return value;
  throw badParameter(name, `Expected one of ${choices.join(', ')}`, text);
}

/** Milliseconds since the epoch, or a date and time as documents have them. */
export function dateParameter(parameters: Parameters, name: string): number | undefined {
  const text = present(parameters, name);
  if (text === undefined) return undefined;
  // A plus sign of an offset is a blank once the query is read.
  const value = /^\d{10,15}$/.test(text) ? Number(text) : parseDateTime(text.replace(/ (?=\d\d:?\d\d$)/, '+'));
  if (value !== undefined) return value;
  throw badParameter(name, 'Expected a date and time such as 2030-01-31T12:00:00Z', text);
}

/** A list: commas between, or the parameter repeated. */
export function listParameter(parameters: Parameters, name: string): readonly string[] | undefined {
  const items = parameters
    .all(name)
    .flatMap((text) => text.split(','))
    .filter((item) => item !== '');
  return items.length > 0 ? items : undefined;
}

function present(parameters: Parameters, name: string): string | undefined {
  const text = parameters.get(name)?.trim();
  return text === '' ? undefined : text;
}

export function badParameter(name: string, explanation: string, value: string): ServiceError {
  return new ServiceError('bad-parameter', { context: 'parameter', id: name, explanation, value: value.slice(0, 80) });
}
