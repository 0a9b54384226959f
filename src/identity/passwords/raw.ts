import type { Call } from '../../http/call.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Passwords are sent as they are. The md5 of older clients would be stored as a password that nobody knows. */
export function rawPasswords(call: Call, parameter: 'type' | 'passwordType'): void {
  const given = call.parameters.get(parameter)?.toLowerCase();
  if (given === undefined || given === '' || given === 'raw') return;
  const explanation = 'Expected "raw": passwords are sent as they are, over TLS, and stored under a slow salted hash';
  throw new ServiceError('bad-parameter', {
    context: 'parameter',
    id: parameter,
    explanation,
    value: given.slice(0, 80),
  });
}
