import { ServiceError } from '../lib/errors.ts';
import { cutText, quoted } from './error.ts';

/** A part of a document that cannot be used: what was expected there, and what was found. */
export function badValue(place: string, expected: string, actual?: string): ServiceError {
  return new ServiceError('bad-value', {
    context: place,
    explanation: `Expected ${expected}: ${actual === undefined ? 'none' : quoted(actual)}`,
    ...(actual !== undefined && { value: cutText(actual) }),
  });
}
