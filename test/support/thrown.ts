import { expect } from 'vitest';
import { DocumentError } from '../../src/core/documents/index.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';

type Kind<E extends Error> = abstract new (...given: never[]) => E;

/** The error of that kind that this must end in; anything else fails the test. */
function thrown<E extends Error>(kind: Kind<E>, work: () => unknown): E {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error as E;
  }
  throw new Error(`Expected a ${kind.name}: none was thrown`);
}

export const failure = (work: () => unknown): DocumentError => thrown(DocumentError, work);

export const refusal = (work: () => unknown): ServiceError => thrown(ServiceError, work);
