import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';

/** Refusal of a metadata document. Clients read the context and the id. */
export function badMetadata(id: string | undefined, expected: string, found?: string): ServiceError {
  const { explanation, value } = badValue('metadata', expected, found).detail;
  return new ServiceError('bad-value', {
    context: 'metadata',
    ...(id !== undefined && { id: id.slice(0, 80) }),
    explanation: explanation!,
    ...(value !== undefined && { value }),
  });
}

export const tooManyValues = (max: number, id: string | undefined): ServiceError =>
  new ServiceError('bad-value', {
    context: 'metadata',
    ...(id !== undefined && { id: id.slice(0, 80) }),
    explanation: `Expected at most ${max} values in the metadata of one entity`,
  });

export const noSuchMetadataEntry = (uuid: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'metadata-entry', id: uuid.slice(0, 80) });

export const noSuchChangeSet = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'metadata-change-set', id: id.slice(0, 80) });
