import { cut, quoted } from '../documents/error.ts';
import { ServiceError } from '../lib/errors.ts';

/** A part of a NotificationDocument that cannot be used: what was expected there, and what was found. */
export function badValue(place: string, expected: string, found?: string): ServiceError {
  return new ServiceError('bad-value', {
    context: place,
    explanation: `Expected ${expected}: ${found === undefined ? 'none' : quoted(found)}`,
    ...(found !== undefined && { value: cut(found) }),
  });
}
