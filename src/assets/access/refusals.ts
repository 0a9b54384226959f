import { ServiceError } from '../../core/lib/errors.ts';

/** Refusal (403) for an operation on an entity that the caller may see. */
export const notYours = (explanation: string, id: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'access', id, explanation });
