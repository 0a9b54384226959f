import type { Migration } from './migration.ts';

/**
 * Notifications, what waits for them, and what became of it. Tables that a commit writes beside an event are WITHOUT
 * ROWID: an insert into another one would change what last_insert_rowid() says between two of them.
 * The triggers keep promises for all writers: `queue.head` is the first row of its notification in the outbox; a lane
 * with such a head in an active queue has a time at which it is looked at, and is there as long as a queue is in it;
 * a deleted notification goes with its last row.
 */
export const notifications: Migration = {
  number: 3,
  name: 'notifications',
  statements: [
    `ALTER TABLE event ADD COLUMN depth INTEGER NOT NULL DEFAULT 0`,
    `CREATE TABLE notification (
       id TEXT PRIMARY KEY NOT NULL,
       resource TEXT NOT NULL,
       entity TEXT NOT NULL,
       document TEXT NOT NULL,
       sealed TEXT,
       synchronous INTEGER NOT NULL,
       version INTEGER NOT NULL,
       created_at INTEGER NOT NULL,
       created_by TEXT NOT NULL,
       changed_at INTEGER NOT NULL,
       deleted_at INTEGER
     ) WITHOUT ROWID`,
    `CREATE INDEX notification_place ON notification (resource, entity, created_at, id) WHERE deleted_at IS NULL`,
    `CREATE TABLE subscription (
       event TEXT NOT NULL,
       entity TEXT NOT NULL,
       selector TEXT NOT NULL,
       notification_id TEXT NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
       version INTEGER NOT NULL,
       exact INTEGER NOT NULL,
       PRIMARY KEY (event, entity, selector, notification_id)
     ) WITHOUT ROWID`,
    `CREATE INDEX subscription_notification ON subscription (notification_id)`,
    `CREATE TABLE outbox (
       notification_id TEXT NOT NULL,
       sequence INTEGER NOT NULL,
       at INTEGER NOT NULL,
       attempts INTEGER NOT NULL DEFAULT 0,
       failing_since INTEGER,
       earlier INTEGER NOT NULL DEFAULT 0,
       PRIMARY KEY (notification_id, sequence)
     ) WITHOUT ROWID`,
    `CREATE TABLE lane (
       name TEXT PRIMARY KEY NOT NULL,
       ready INTEGER,
       owner TEXT,
       fence INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX lane_ready ON lane (ready) WHERE ready IS NOT NULL`,
    `CREATE TABLE queue (
       notification_id TEXT PRIMARY KEY NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
       lane TEXT NOT NULL,
       head INTEGER,
       state TEXT NOT NULL,
       state_since INTEGER NOT NULL,
       reason TEXT,
       resume_at INTEGER,
       pauses INTEGER NOT NULL DEFAULT 0,
       failures INTEGER NOT NULL DEFAULT 0,
       failing_since INTEGER,
       delivered INTEGER NOT NULL DEFAULT 0,
       failed INTEGER NOT NULL DEFAULT 0,
       parked INTEGER NOT NULL DEFAULT 0,
       lost INTEGER NOT NULL DEFAULT 0,
       delivered_at INTEGER,
       failed_at INTEGER
     ) WITHOUT ROWID`,
    `CREATE INDEX queue_lane ON queue (lane, state, head)`,
    `CREATE INDEX queue_head ON queue (head) WHERE head IS NOT NULL`,
    `CREATE INDEX queue_resume ON queue (resume_at) WHERE resume_at IS NOT NULL`,
    `CREATE TABLE parked (
       notification_id TEXT NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
       sequence INTEGER NOT NULL,
       at INTEGER NOT NULL,
       reason TEXT NOT NULL,
       attempts INTEGER NOT NULL,
       PRIMARY KEY (notification_id, sequence)
     ) WITHOUT ROWID`,
    `CREATE INDEX parked_sequence ON parked (sequence)`,
    `CREATE TABLE attempt (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       notification_id TEXT NOT NULL,
       sequence INTEGER,
       event TEXT NOT NULL,
       entity_id TEXT NOT NULL,
       number INTEGER NOT NULL,
       started INTEGER NOT NULL,
       ended INTEGER NOT NULL,
       state TEXT NOT NULL,
       status INTEGER,
       error TEXT,
       address TEXT,
       answer TEXT
     )`,
    `CREATE INDEX attempt_started ON attempt (notification_id, started)`,
    `CREATE INDEX attempt_state ON attempt (notification_id, state, started)`,
    `CREATE INDEX attempt_entity ON attempt (notification_id, entity_id, started)`,
    `CREATE INDEX attempt_sequence ON attempt (notification_id, sequence)`,
    `CREATE TABLE replay (
       notification_id TEXT PRIMARY KEY NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
       since INTEGER NOT NULL,
       only_parked INTEGER NOT NULL,
       dry_run INTEGER NOT NULL,
       next INTEGER NOT NULL,
       until INTEGER NOT NULL,
       scanned INTEGER NOT NULL,
       found INTEGER NOT NULL,
       state TEXT NOT NULL,
       asked_by TEXT NOT NULL,
       asked_at INTEGER NOT NULL,
       ended_at INTEGER
     ) WITHOUT ROWID`,
    `CREATE INDEX replay_state ON replay (state)`,
    `CREATE TABLE signing_secret (
       notification_id TEXT NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
       number INTEGER NOT NULL,
       sealed TEXT NOT NULL,
       public_key TEXT NOT NULL,
       created_at INTEGER NOT NULL,
       ends_at INTEGER,
       PRIMARY KEY (notification_id, number)
     ) WITHOUT ROWID`,
    `CREATE TABLE external_id (
       entity_type TEXT NOT NULL,
       external_id TEXT NOT NULL,
       entity_id TEXT NOT NULL,
       PRIMARY KEY (entity_type, external_id)
     ) WITHOUT ROWID`,
    `CREATE INDEX external_id_entity ON external_id (entity_type, entity_id, external_id)`,
    `INSERT INTO counter (name, value) VALUES ('notifications', 0)`,
    `CREATE TRIGGER notification_made AFTER INSERT ON notification BEGIN
       UPDATE counter SET value = value + 1 WHERE name = 'notifications';
     END`,
    `CREATE TRIGGER notification_gone AFTER DELETE ON notification BEGIN
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
       UPDATE lane SET ready = (SELECT at FROM outbox WHERE notification_id = NEW.notification_id AND sequence = NEW.head)
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
  ],
};
