import { ServiceError } from '../core/lib/errors.ts';
import type { Random } from '../core/lib/random.ts';

/** Upper case without letters that look like others: 32 symbols, five bits each. */
const symbols = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const prefix = 'VSID';
const length = 16;
const pattern = new RegExp(`^${prefix}[${symbols}]{${length}}$`);

/** In basic authentication the id stands where a user name would: no user can have such a name. */
export const isKeyId = (name: string): boolean => name.startsWith(prefix) && pattern.test(name);

export function newKeyId(random: Random): string {
  return prefix + Array.from(random.bytes(length), (byte) => symbols[byte & 31]).join('');
}

/** Names of the service itself, and words that stand where a path has the name of a user. */
const reserved = new Set(['system', 'graph']);
/** Paths below /group. */
const reservedGroups = new Set(['notification']);

const maxLength = 255;

/**
 * Forbidden parts of names. Names of users and groups are sent in paths and basic headers: a name that does not fit
 * there could not be used.
 */
const unusable: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'at least one character'],
  [/[\p{Cc}\p{Zl}\p{Zp}]/u, 'no control characters'],
  // Characters that are invisible or change the text direction: two names would look the same.
  [/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u, 'no invisible characters, and none that change direction'],
  [/[/\\%;]/, 'none of the characters / \\ % ;, which a path could not carry'],
  [/^\.{1,2}$/, 'another name than a dot segment'],
  [/^\s|\s$/, 'no blank at either end'],
  [/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/, 'well-formed Unicode'],
];

export function checkUserName(name: string, place: string): void {
  checkName(name, place);
  if (isKeyId(name)) throw badName(name, place, 'another name than an access key has');
  if (name.includes(':')) throw badName(name, place, 'no colon, which ends the user name in basic authentication');
  if (reserved.has(name)) throw nameReserved(name, place);
}

/** The name as it is compared regardless of case, and of the form of its characters. */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Role names begin with an underscore, and only they: a later release may add any of them. */
export const isRoleName = (name: string): boolean => name.startsWith('_');

export function checkGroupName(name: string, place: string): void {
  checkName(name, place);
  if (reservedGroups.has(name)) throw nameReserved(name, place);
  if (isRoleName(name)) {
    const explanation = 'Expected a group: roles, whose names begin with an underscore, come with the release';
    throw new ServiceError('role-fixed', { context: place, id: name, explanation });
  }
}

export function checkName(name: string, place: string): void {
  for (const [form, expected] of unusable) if (form.test(name)) throw badName(name, place, expected);
  if (name.length > maxLength) throw badName(name, place, `at most ${maxLength} characters`);
}

function nameReserved(name: string, place: string): ServiceError {
  const explanation = 'Expected a name that is not reserved';
  return new ServiceError('name-reserved', { context: place, id: name, explanation });
}

function badName(name: string, place: string, expected: string): ServiceError {
  return new ServiceError('bad-value', {
    context: place,
    explanation: `Expected ${expected}`,
    value: name.slice(0, 80),
  });
}
