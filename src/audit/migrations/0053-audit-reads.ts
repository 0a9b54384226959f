import type { Migration } from '../../store/migrations/index.ts';

/** Parameters of the path have a column of their own, and requests without a change a table that nothing else writes. */
export const auditReads: Migration = {
  number: 53,
  name: 'audit-reads',
  statements: [
    'ALTER TABLE audit ADD COLUMN matrix TEXT',
    `CREATE TABLE audit_read (
       sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       at INTEGER NOT NULL,
       user TEXT,
       run_as TEXT,
       method TEXT NOT NULL,
       path TEXT NOT NULL,
       query TEXT,
       matrix TEXT,
       status INTEGER NOT NULL,
       address TEXT,
       count INTEGER NOT NULL
     )`,
    'CREATE INDEX audit_read_at ON audit_read (at)',
    'CREATE INDEX audit_read_user ON audit_read (user, at)',
  ],
};
