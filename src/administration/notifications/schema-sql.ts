import { counting } from '../../core/store/revision.ts';
import { deleted, inserted, triggers, updated } from '../../core/store/triggers-sql.ts';

const atPlace = (row: string): string => `'notifications ' || ${row}.resource || ' ' || ${row}.entity`;
const oneMore = `INSERT INTO counter (name, value) VALUES (${atPlace('NEW')}, 1)
  ON CONFLICT (name) DO UPDATE SET value = value + 1`;
const oneLess = () => [
  counting(atPlace('OLD'), '-'),
  `DELETE FROM counter WHERE name = ${atPlace('OLD')} AND value = 0`,
];
const isBuried = 'OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL';

const counted = (_row: string, sign: '+' | '-'): string => counting(`'notifications'`, sign);
const isLimited = (row: string): string => `${row}.resource <> 'mail'`;
const parked = (row: string, sign: string): string =>
  `UPDATE queue SET parked = parked ${sign} 1 WHERE notification_id = ${row}.notification_id`;
const laneGone =
  'DELETE FROM lane WHERE name = OLD.lane AND ready IS NULL AND NOT EXISTS (SELECT 1 FROM queue WHERE lane = OLD.lane)';

/**
 * Invariants that hold for every writer. `queue.head` is the first row of its notification in the outbox. A lane exists as
 * long as a queue is in it. While an active queue in it has a head, the lane has a time for the next look. A deleted
 * notification is removed with its last row. Counters hold the number of notifications, in all and of each entity. Those
 * for the mail of users count to no limit.
 */
export const notificationsSchema = (): readonly string[] => [
  `INSERT INTO counter (name, value) VALUES ('notifications', 0)`,
  ...triggers({
    notification_made: inserted('notification', counted, isLimited),
    notification_gone: deleted('notification', counted, isLimited),
    outbox_filled: inserted(
      'outbox',
      `UPDATE queue SET head = NEW.sequence
        WHERE notification_id = NEW.notification_id AND (head IS NULL OR head > NEW.sequence)`,
    ),
    outbox_emptied: deleted(
      'outbox',
      `UPDATE queue SET head = (SELECT min(sequence) FROM outbox WHERE notification_id = OLD.notification_id)
        WHERE notification_id = OLD.notification_id AND head = OLD.sequence`,
    ),
    queue_waits: updated(
      'queue',
      'lane, head, state',
      `UPDATE lane SET ready = (SELECT CASE NEW.every WHEN 0 THEN at ELSE (at / NEW.every + 1) * NEW.every END
          FROM outbox WHERE notification_id = NEW.notification_id AND sequence = NEW.head)
        WHERE name = NEW.lane AND ready IS NULL`,
      `NEW.head IS NOT NULL AND NEW.state = 'active'`,
    ),
    queue_moved: updated('queue', 'lane', laneGone, 'OLD.lane <> NEW.lane'),
    queue_gone: deleted('queue', laneGone),
    queue_done: updated(
      'queue',
      'head',
      'DELETE FROM notification WHERE id = NEW.notification_id AND deleted_at IS NOT NULL',
      'NEW.head IS NULL',
    ),
    parked_filled: inserted('parked', parked),
    parked_emptied: deleted('parked', parked),
    notification_listed: inserted('notification', oneMore),
    notification_buried: updated('notification', 'deleted_at', oneLess, isBuried),
    notification_unlisted: deleted('notification', oneLess, 'OLD.deleted_at IS NULL'),
  }),
];
