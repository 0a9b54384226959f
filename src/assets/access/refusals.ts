import { ServiceError } from '../../lib/errors.ts';

/** What a caller may not do although the entity is within its reach. */
export const notYours = (explanation: string, id: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'access', id, explanation });
