import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { checkName } from '../../identity/public-reading.ts';
import type { ReleaseField } from '../../room/context.ts';

/** Fields of production systems have names of 49 letters. */
export const maxFieldLength = 255;
export const maxGroupLength = 128;

/** User-defined names: a category, an underscore, and the rest. Names without an underscore are predefined. */
const fieldForm = /^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+$/;

/** Segments below `/metadata-field` with read-only routes, which cannot be field names. */
const takenFields = new Set(['field-group', 'merged-access', 'terse-schema']);

export function refuseTaken(name: string): void {
  if (!takenFields.has(name)) return;
  const detail = { context: 'method', id: `/metadata-field/${name}`, explanation: 'Expected GET' };
  throw new ServiceError('method-not-allowed', detail, { allow: 'GET' });
}

/** Whether a field is predefined, like `title`: changeable by callers, and also written by the service. */
export const isOfRelease = (name: string): boolean => !name.includes('_');

/** Refuses invalid names of new fields. */
export function checkFieldName(name: string): void {
  if (name.startsWith('__')) throw badFieldName(name, 'another name than computed fields have, which begin with "__"');
  if (name.length > maxFieldLength) throw badFieldName(name, `at most ${maxFieldLength} characters`);
  if (fieldForm.test(name)) return;
  throw badFieldName(name, 'a category, an underscore and a name, of letters, digits and underscores');
}

function badFieldName(name: string, expected: string): ServiceError {
  const explanation = `Expected ${expected}: "${name.slice(0, 80)}"`;
  const value = name.slice(0, 80);
  return new ServiceError('bad-value', { context: 'metadata-field', id: value, explanation, value });
}

/** Reserved segments below `/metadata-field/field-group`. */
const takenGroups = new Set(['merged-access']);

/** `place`: where the name is written. */
export function checkFieldGroupName(name: string, place = 'path'): void {
  checkName(name, place);
  if ([...name].length > maxGroupLength) throw badValue(place, `at most ${maxGroupLength} characters`, name);
  if (takenGroups.has(name)) throw badValue(place, 'a name that no path of the API has', name);
}

/** Sort key for dictionary order: lower case, without punctuation. */
export const sortKeyOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

type Line = readonly [ReleaseField['type'], readonly string[]];

const system: readonly Line[] = [
  ['string-exact', ['itemId', 'user', 'mediaType', 'shapeTag', 'originalFilename', 'originalFormat', 'mimeType']],
  ['string-exact', ['originalVideoCodec', 'originalAudioCodec', 'collectionId', 'trackId']],
  ['string-noindex', ['durationTimeCode']],
  ['integer', ['originalWidth', 'originalHeight']],
  ['float', ['durationSeconds']],
  ['date', ['created']],
];

const open: readonly Line[] = [
  ['string', ['title', 'fieldValidationError', 'schemaValidationError']],
  ['string-exact', ['originalUri', 'representativeThumbnail', 'representativeThumbnailNoAuth', 'startTimeCode']],
  ['float', ['startSeconds']],
];

const spread = (lines: readonly Line[], isSystem: boolean): ReleaseField[] =>
  lines.flatMap(([type, names]) => names.map((name) => ({ name, type, system: isSystem })));

/** Predefined fields. Initialisation creates missing ones. */
export const releaseFields: readonly ReleaseField[] = [...spread(system, true), ...spread(open, false)];
