import { ServiceError } from './errors.ts';
import { typeInWords } from './messages.ts';

const attempts = 8;

/**
 * Decides on the current state, and again when another request was faster. Gives up after many times. `isRetry`: earlier
 * reads are stale.
 */
export async function retryWhenChanged<T>(
  decide: (isRetry: boolean) => Promise<T>,
  stale: (error: ServiceError) => boolean = isChanged,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide(attempt > 1);
    } catch (error) {
      if (!(error instanceof ServiceError) || !stale(error) || attempt === attempts) throw error;
    }
  }
}

/** Whether the error means a concurrent change. */
export const isChanged = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'changed-meanwhile';

/** Whether the error means a concurrent change or deletion. */
export const isChangedOrGone = (error: unknown): boolean =>
  isChanged(error) || (error instanceof ServiceError && error.code === 'no-such-entity');

/**
 * Error for guards: the decision is valid only for the state that was read. `type`: as in refusals, such as
 * `QuotaRule`.
 */
export function changedMeanwhile(type: string, name: string): ServiceError {
  const explanation = `Somebody else changed the ${typeInWords(type)} at the same time: try again`;
  return new ServiceError('changed-meanwhile', { type, id: name, explanation });
}
