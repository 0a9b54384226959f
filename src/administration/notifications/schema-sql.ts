const atPlace = (row: string): string => `'notifications ' || ${row}resource || ' ' || ${row}entity`;
const oneLess = `UPDATE counter SET value = value - 1 WHERE name = ${atPlace('OLD.')};
       DELETE FROM counter WHERE name = ${atPlace('OLD.')} AND value = 0;`;

/**
 * Invariants that hold for every writer. `queue.head` is the first row of its notification in the outbox. A lane exists as
 * long as a queue is in it. While an active queue in it has a head, the lane has a time for the next look. A deleted
 * notification is removed with its last row. Counters hold the number of notifications, in all and of each entity. Those
 * for the mail of users count to no limit.
 */
export const notificationsSchema = (): readonly string[] => [
  `INSERT INTO counter (name, value) VALUES ('notifications', 0)`,
  `CREATE TRIGGER notification_made AFTER INSERT ON notification WHEN NEW.resource <> 'mail' BEGIN
       UPDATE counter SET value = value + 1 WHERE name = 'notifications';
     END`,
  `CREATE TRIGGER notification_gone AFTER DELETE ON notification WHEN OLD.resource <> 'mail' BEGIN
       UPDATE counter SET value = value - 1 WHERE name = 'notifications';
     END`,
  `CREATE TRIGGER outbox_filled AFTER INSERT ON outbox BEGIN
       UPDATE queue SET head = NEW.sequence
         WHERE notification_id = NEW.notification_id AND (head IS NULL OR head > NEW.sequence);
     END`,
  `CREATE TRIGGER outbox_emptied AFTER DELETE ON outbox BEGIN
       UPDATE queue SET head = (SELECT min(sequence) FROM outbox WHERE notification_id = OLD.notification_id)
         WHERE notification_id = OLD.notification_id AND head = OLD.sequence;
     END`,
  `CREATE TRIGGER queue_waits AFTER UPDATE OF lane, head, state ON queue
       WHEN NEW.head IS NOT NULL AND NEW.state = 'active' BEGIN
       UPDATE lane SET ready = (SELECT CASE NEW.every WHEN 0 THEN at ELSE (at / NEW.every + 1) * NEW.every END FROM outbox WHERE notification_id = NEW.notification_id AND sequence = NEW.head)
         WHERE name = NEW.lane AND ready IS NULL;
     END`,
  `CREATE TRIGGER queue_moved AFTER UPDATE OF lane ON queue WHEN OLD.lane <> NEW.lane BEGIN
       DELETE FROM lane WHERE name = OLD.lane AND ready IS NULL AND NOT EXISTS (SELECT 1 FROM queue WHERE lane = OLD.lane);
     END`,
  `CREATE TRIGGER queue_gone AFTER DELETE ON queue BEGIN
       DELETE FROM lane WHERE name = OLD.lane AND ready IS NULL AND NOT EXISTS (SELECT 1 FROM queue WHERE lane = OLD.lane);
     END`,
  `CREATE TRIGGER queue_done AFTER UPDATE OF head ON queue WHEN NEW.head IS NULL BEGIN
       DELETE FROM notification WHERE id = NEW.notification_id AND deleted_at IS NOT NULL;
     END`,
  `CREATE TRIGGER parked_filled AFTER INSERT ON parked BEGIN
       UPDATE queue SET parked = parked + 1 WHERE notification_id = NEW.notification_id;
     END`,
  `CREATE TRIGGER parked_emptied AFTER DELETE ON parked BEGIN
       UPDATE queue SET parked = parked - 1 WHERE notification_id = OLD.notification_id;
     END`,
  `CREATE TRIGGER notification_listed AFTER INSERT ON notification BEGIN
       INSERT INTO counter (name, value) VALUES (${atPlace('NEW.')}, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
     END`,
  `CREATE TRIGGER notification_buried AFTER UPDATE OF deleted_at ON notification
       WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
       ${oneLess}
     END`,
  `CREATE TRIGGER notification_unlisted AFTER DELETE ON notification WHEN OLD.deleted_at IS NULL BEGIN
       ${oneLess}
     END`,
];
