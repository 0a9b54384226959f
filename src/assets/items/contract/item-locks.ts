import { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { findLock, notLockedByOthers } from './store.ts';

const day = 24 * 60 * 60 * 1000;
/** Maximum duration of a lock. */
const maxLength = 3650 * day;

/** Guard for commits that change an item: no other user has locked it. */
export function unlockedFor(call: Caller, itemId: string, now: number): Statement {
  const userId = subjectOf(call).user?.id ?? '';
  return notLockedByOthers({ itemId, userId, now }, lockedByAnother(itemId));
}

/** Refuses locked items ahead of the commit, for requests with a long body. */
export async function mustBeUnlocked(reader: Reader, call: Caller, itemId: string, now: number): Promise<void> {
  const lock = await findLock(reader, { itemId, now });
  if (lock && lock.userId !== subjectOf(call).user?.id) throw lockedByAnother(itemId);
}

const lockedByAnother = (id: string): ServiceError =>
  new ServiceError('entity-locked', { type: 'Item', id, explanation: 'Expected an item that nobody else has locked' });

const units: readonly (readonly [pattern: string, milliseconds: number])[] = [
  ['D', day],
  ['H', day / 24],
  ['M', 60_000],
  ['S', 1000],
];
const form =
  /^P(?:(\d{1,5})W|(?=\d|T\d)(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10}(?:\.\d{1,3})?)S)?)?)$/;

/** Milliseconds of an ISO 8601 duration in weeks, or in days and less. Months differ in length. */
function durationOf(text: string): number {
  if (text === '0') return 0;
  const match = form.exec(text);
  if (!match) throw badParameter('duration', 'Expected an ISO 8601 duration of days or less, such as PT90M', text);
  const [, weeks = '0', ...parts] = match;
  const sum = parts.reduce((total, part, index) => total + Number(part ?? 0) * units[index]![1], 0);
  const duration = Math.round(sum + Number(weeks) * 7 * day);
  if (duration <= maxLength) return duration;
  throw badParameter('duration', `Expected at most ${maxLength / day} days`, text);
}

/** Expiry time of a lock. Default: after a day. */
export function expiryOf(duration: string | undefined, timestamp: number | undefined, now: number): number {
  if (duration === undefined && timestamp === undefined) return now + day;
  const until = (timestamp ?? now) + durationOf(duration ?? '0');
  if (until <= now + maxLength) return until;
  throw badParameter('timestamp', `Expected a time within ${maxLength / day} days`, String(until));
}
