import { ServiceError } from '../../../core/lib/errors.ts';
import type { TranscodingResource } from './documents.ts';

/** Kinds of resources that the service keeps. */
const keptTypes = ['thumbnail', 'transcoder', 'externalTranscoder', 'network', 'unknown'] as const;

/** Kinds that need an external system, which this service does not call. */
const foreignTypes = ['cerify', 'cloudconvert', 'finalcutserver', 'ldap', 'mxfserver', 'signiant'] as const;

export const allTypes: readonly string[] = [...keptTypes, ...foreignTypes].toSorted();

export const noSuchResource = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'resource', id: id.slice(0, 80) });

/** Clients write types in small letters. */
export function resourceTypeNamed(name: string): string {
  const type = allTypes.find((each) => each.toLowerCase() === name.toLowerCase());
  if (type !== undefined) return type;
  throw new ServiceError('no-such-entity', { type: 'resource-type', id: name.slice(0, 80) });
}

function refused(context: string, explanation: string, value: string): ServiceError {
  return new ServiceError('bad-value', { context, explanation, value: value.slice(0, 80) });
}

/** Limit for a resource document. */
const maxLength = 1000;

/** Element of a document for its type. */
export function partOf(type: string, document: TranscodingResource): unknown {
  const keptType = keptTypes.find((each) => each === type);
  if (keptType === undefined) {
    throw refused('path', `Expected a type of resources that this service keeps (${keptTypes.join(', ')})`, type);
  }
  const part = document[keptType];
  if (part === undefined) throw refused('/ResourceDocument', `Expected the element ${keptType}`, '');
  if (keptType === 'thumbnail' && (document.thumbnail?.path ?? []).length === 0) {
    throw refused('/ResourceDocument/thumbnail/path', 'Expected a path', '');
  }
  if (JSON.stringify(part).length > maxLength) {
    throw refused('/ResourceDocument', `Expected at most ${maxLength} characters`, '');
  }
  return part;
}

/**
 * State of a resource. External ones are not monitored, so they are OFFLINE. Pictures are in the database, whatever the
 * path.
 */
export const resourceState = (type: string): string => (type === 'thumbnail' ? 'ONLINE' : 'OFFLINE');

/** Path of the storage for pictures, which the service creates. */
export const databasePath = 'portico:database';
