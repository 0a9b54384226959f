import { ServiceError } from '../../lib/errors.ts';

/** A part of a search document that cannot be read, or that costs too much. */
export function badSearch(context: string, explanation: string, value?: string): ServiceError {
  const found = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-value', { context: `search/${context}`, explanation, ...found });
}

/** The engine reads statements only so deep. How deep criteria are in one depends on what they ask for. */
export async function refusingTooDeep<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServiceError && error.detail.explanation === 'parser stack overflow')) throw error;
    throw badSearch('operator', 'Expected fewer operators, items, shapes and files inside each other');
  }
}
