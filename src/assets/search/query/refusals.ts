import { ServiceError } from '../../../core/lib/errors.ts';

/** Refusal of a search that is invalid or too expensive. */
export function badSearch(context: string, explanation: string, value?: string): ServiceError {
  const detail = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-value', { context: `search/${context}`, explanation, ...detail });
}

/** Refuses searches that exceed the expression depth of the engine, which depends on the criteria. */
export async function refusingTooDeep<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServiceError && error.detail.explanation === 'parser stack overflow')) throw error;
    throw badSearch('operator', 'Expected fewer operators, items, shapes and files inside each other');
  }
}
