import { badValue } from '../../documents/bad-value.ts';
import { checkName } from '../../identity/names.ts';
import { ServiceError } from '../../lib/errors.ts';

const longestField = 32;
const longestGroup = 128;

/** A category, an underscore, and the rest. Names without an underscore belong to the release. */
const fieldForm = /^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+$/;

/** Segments below `/metadata-field` that name no field. They are routes of their own, and only read. */
const takenFields = new Set(['field-group', 'merged-access', 'terse-schema']);

export function refuseTaken(name: string): void {
  if (!takenFields.has(name)) return;
  const detail = { context: 'method', id: `/metadata-field/${name}`, explanation: 'Expected GET' };
  throw new ServiceError('method-not-allowed', detail, { allow: 'GET' });
}

/** Fields like `title`, which callers may change and the service writes. */
export const isOfRelease = (name: string): boolean => !name.includes('_');

/** The name that a caller gives a new field. */
export function checkFieldName(name: string): void {
  if (name.startsWith('__')) throw badFieldName(name, 'another name than computed fields have, which begin with "__"');
  if (name.length > longestField) throw badFieldName(name, `at most ${longestField} characters`);
  if (fieldForm.test(name)) return;
  throw badFieldName(name, 'a category, an underscore and a name, of letters, digits and underscores');
}

function badFieldName(name: string, expected: string): ServiceError {
  const explanation = `Expected ${expected}: "${name.slice(0, 80)}"`;
  const value = name.slice(0, 80);
  return new ServiceError('bad-value', { context: 'metadata-field', id: value, explanation, value });
}

/** Paths below `/metadata-field/field-group`. */
const takenGroups = new Set(['merged-access']);

export function checkGroupName(name: string): void {
  checkName(name, 'path');
  if ([...name].length > longestGroup) throw badValue('path', `at most ${longestGroup} characters`, name);
  if (takenGroups.has(name)) throw badValue('path', 'a name that no path of the API has', name);
}

/** Lists are in the order of dictionaries: neither capitals nor punctuation count. */
export const sortKeyOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
