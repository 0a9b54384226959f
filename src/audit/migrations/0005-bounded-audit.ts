import type { Migration } from '../../store/migrations/index.ts';

/**
 * Equal requests add to one row of the audit log, found by `fold`. Two counters say how many rows have a user
 * and how many have none: the sweep asks for them every minute and must not count rows.
 */
export const boundedAudit: Migration = {
  number: 5,
  name: 'bounded-audit',
  statements: [
    'ALTER TABLE audit ADD COLUMN last_at INTEGER',
    'ALTER TABLE audit ADD COLUMN fold TEXT',
    'CREATE UNIQUE INDEX audit_fold ON audit (fold) WHERE fold IS NOT NULL',
    `INSERT INTO counter (name, value)
       SELECT 'audit of users', count(user) FROM audit UNION ALL SELECT 'audit of others', count(*) - count(user) FROM audit`,
    `CREATE TRIGGER audit_made AFTER INSERT ON audit BEGIN
       UPDATE counter SET value = value + 1 WHERE name = iif(NEW.user IS NULL, 'audit of others', 'audit of users');
     END`,
    `CREATE TRIGGER audit_gone AFTER DELETE ON audit BEGIN
       UPDATE counter SET value = value - 1 WHERE name = iif(OLD.user IS NULL, 'audit of others', 'audit of users');
     END`,
  ],
};
