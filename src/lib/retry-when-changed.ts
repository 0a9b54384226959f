import { ServiceError } from './errors.ts';
import { inWords } from './sentence.ts';

const attempts = 4;

/** Decides on the current state, and again when another request was faster. Gives up after many times. */
export async function retryWhenChanged<T>(
  decide: () => Promise<T>,
  stale: (error: ServiceError) => boolean = isChanged,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof ServiceError) || !stale(error) || attempt === attempts) throw error;
    }
  }
}

/** For whatever was thrown: somebody else was faster. */
export const isChanged = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'changed-meanwhile';

/** The same, or somebody else deleted it. */
export const isChangedOrGone = (error: unknown): boolean =>
  isChanged(error) || (error instanceof ServiceError && error.code === 'no-such-entity');

/** For guards: what was decided holds only as long as this is what was read. `type`: as refusals call it, `QuotaRule`. */
export function changedMeanwhile(type: string, name: string): ServiceError {
  const explanation = `Somebody else changed the ${inWords(type)} at the same time: try again`;
  return new ServiceError('changed-meanwhile', { type, id: name, explanation });
}
