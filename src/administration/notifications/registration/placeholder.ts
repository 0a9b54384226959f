import type { Pairs } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { JobQuery } from '../../../room/jobs/parameters.ts';
import { readStored } from '../documents/notification.ts';
import { noSuchNotification } from './rules.ts';
import { findAnywhere, unchangedAndThere } from './store.ts';

/** For requests that start jobs: what `notification=` and `notificationData=` say, and what must hold in its commit. */
export async function jobNotification(reader: Reader, query: Pick<JobQuery, 'notification' | 'notificationData'>) {
  const data = notificationDataFrom(query.notificationData);
  const name = placeholderIn(query.notification);
  const placeholder = name === undefined ? undefined : await checkPlaceholder(reader, name);
  return {
    says: {
      ...(placeholder === undefined ? {} : { notification: placeholder.id }),
      ...(data.length > 0 ? { notificationData: data } : {}),
    },
    guards: placeholder === undefined ? [] : [placeholder.guard],
  };
}

/** The only placeholder of the job. Undefined: none. */
function placeholderIn(names: readonly string[]): string | undefined {
  const ids = new Set(names.map((text) => text.trim()));
  ids.delete('');
  const [id, another] = ids;
  if (another !== undefined) throw badParameter('notification', 'Expected one placeholder', another);
  return id;
}

/**
 * Refuses a name that no notification has, and one of a notification that fires by itself. Gives its id, and the guard that it is
 * still so: where it does not hold, the request that starts the job reads and decides again.
 */
export async function checkPlaceholder(reader: Reader, name: string): Promise<{ id: string; guard: Statement }> {
  const [row] = await findAnywhere(reader, { name });
  if (!row) {
    const { detail } = noSuchNotification(name);
    throw new ServiceError('no-such-entity', { ...detail, context: 'parameter notification' });
  }
  const { trigger } = readStored(row.document);
  // Only placeholders may lack a trigger.
  if (trigger !== undefined && trigger.job?.placeholder !== true) {
    const expected =
      'Expected a placeholder: created at /notification, or at /job/notification with <placeholder>true</placeholder>';
    throw badParameter('notification', expected, name);
  }
  const { id, version } = row;
  return { id, guard: unchangedAndThere({ id, version }, changedMeanwhile('Notification', id)) };
}

const maxPairs = 100;
const maxLength = 4_096;

/** `key=value`, once for each pair; clients encode the equals sign or do not. Becomes keys of what the job tells. */
export function notificationDataFrom(given: readonly string[]): Pairs {
  if (given.length > maxPairs)
    throw badParameter('notificationData', `Expected at most ${maxPairs} pairs`, String(given.length));
  return given.map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1 || text.length > maxLength)
      throw badParameter('notificationData', `Expected key=value, at most ${maxLength} characters`, text);
    return [text.slice(0, equals), text.slice(equals + 1)];
  });
}
