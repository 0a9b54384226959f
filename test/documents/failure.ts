import { expect } from 'vitest';
import { DocumentError } from '../../src/documents/index.ts';

/** The DocumentError that this must end in; anything else fails the test. */
export function failure(work: () => unknown): DocumentError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(DocumentError);
    return error as DocumentError;
  }
  throw new Error('Expected a DocumentError: none was thrown');
}
