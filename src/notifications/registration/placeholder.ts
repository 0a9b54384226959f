import { ServiceError } from '../../lib/errors.ts';
import type { Parameters } from '../../security/parameters.ts';
import type { Reader } from '../../store/statement.ts';
import { readStored } from '../stored.ts';
import { noSuchNotification } from './rules.ts';
import { findAnywhere } from './store.ts';

/** For whatever starts jobs: what `notification=` and `notificationData=` say. */

/** Refuses an id that no notification has, and one of a notification that fires by itself. */
export async function checkPlaceholder(reader: Reader, id: string): Promise<void> {
  const row = await findAnywhere(reader, { id });
  if (!row) throw noSuchNotification(id);
  if (row.resource === '/notification') return;
  if (readStored(row.document).trigger?.job?.placeholder === true) return;
  const explanation =
    'Expected a placeholder: created at /notification, or at /job/notification with <placeholder>true</placeholder>';
  throw new ServiceError('bad-parameter', {
    context: 'parameter',
    id: 'notification',
    explanation,
    value: id.slice(0, 80),
  });
}

const mostPairs = 100;
const longest = 4_096;

/** `key=value`, once for each pair; clients encode the equals sign or do not. Becomes keys of what the job tells. */
export function notificationDataFrom(parameters: Parameters): readonly (readonly [key: string, value: string])[] {
  const given = parameters.all('notificationData').filter((text) => text !== '');
  if (given.length > mostPairs) throw bad(`Expected at most ${mostPairs} pairs`, String(given.length));
  return given.map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1 || text.length > longest) throw bad(`Expected key=value, at most ${longest} characters`, text);
    return [text.slice(0, equals), text.slice(equals + 1)];
  });
}

function bad(explanation: string, value: string): ServiceError {
  return new ServiceError('bad-parameter', {
    context: 'parameter',
    id: 'notificationData',
    explanation,
    value: value.slice(0, 80),
  });
}
