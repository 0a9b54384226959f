import type { Migration } from './index.ts';

/**
 * Equal requests add to one row of the audit log, found by `fold`. Two counters say how many rows there are, and how
 * many of them have no user: the sweep asks for them every minute and must not count rows.
 */
export const boundedAudit: Migration = {
  number: 5,
  name: 'bounded-audit',
  statements: [
    'ALTER TABLE audit ADD COLUMN last_at INTEGER',
    'ALTER TABLE audit ADD COLUMN fold TEXT',
    'CREATE UNIQUE INDEX audit_fold ON audit (fold) WHERE fold IS NOT NULL',
    `INSERT INTO counter (name, value) SELECT 'audit', count(*) FROM audit`,
    `INSERT INTO counter (name, value) SELECT 'audit anonymous', count(*) FROM audit WHERE user IS NULL`,
    `CREATE TRIGGER audit_made AFTER INSERT ON audit BEGIN
       UPDATE counter SET value = value + 1 WHERE name = 'audit';
     END`,
    `CREATE TRIGGER audit_made_anonymous AFTER INSERT ON audit WHEN NEW.user IS NULL BEGIN
       UPDATE counter SET value = value + 1 WHERE name = 'audit anonymous';
     END`,
    `CREATE TRIGGER audit_gone AFTER DELETE ON audit BEGIN
       UPDATE counter SET value = value - 1 WHERE name = 'audit';
     END`,
    `CREATE TRIGGER audit_gone_anonymous AFTER DELETE ON audit WHEN OLD.user IS NULL BEGIN
       UPDATE counter SET value = value - 1 WHERE name = 'audit anonymous';
     END`,
  ],
};
