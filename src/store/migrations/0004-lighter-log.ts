import type { Migration } from './migration.ts';

const place = (row: string): string => `'notifications ' || ${row}resource || ' ' || ${row}entity`;
const oneLess = `UPDATE counter SET value = value - 1 WHERE name = ${place('OLD.')};
       DELETE FROM counter WHERE name = ${place('OLD.')} AND value = 0;`;

/**
 * Each delivery pays for each index of its log: the states together are all attempts, so one index answers for both.
 * What a failure was is kept as a sentence: a word for it helps machines. And how many notifications are at a place
 * is kept, because lists tell it.
 */
export const lighterLog: Migration = {
  number: 4,
  name: 'lighter-log',
  statements: [
    'DROP INDEX attempt_started',
    'ALTER TABLE attempt ADD COLUMN says TEXT',
    `INSERT INTO counter (name, value)
       SELECT ${place('')}, count(*) FROM notification WHERE deleted_at IS NULL GROUP BY resource, entity`,
    `CREATE TRIGGER notification_listed AFTER INSERT ON notification BEGIN
       INSERT INTO counter (name, value) VALUES (${place('NEW.')}, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
     END`,
    `CREATE TRIGGER notification_buried AFTER UPDATE OF deleted_at ON notification
       WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
       ${oneLess}
     END`,
    `CREATE TRIGGER notification_unlisted AFTER DELETE ON notification WHEN OLD.deleted_at IS NULL BEGIN
       ${oneLess}
     END`,
  ],
};
