import { ServiceError } from '../../lib/errors.ts';

/** A part of a search document that cannot be read, or that costs too much. */
export function badSearch(context: string, explanation: string, value?: string): ServiceError {
  const found = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-value', { context: `search/${context}`, explanation, ...found });
}
